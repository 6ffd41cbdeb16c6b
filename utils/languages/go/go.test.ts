import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { asFileOf, neededImports } from "./imports.ts";
import { go } from "./index.ts";
import { scan } from "./scan.ts";
import { stubOf } from "./signature.ts";
import { environment, toolchain } from "./toolchain.ts";
import { unitOf } from "./unit.ts";

const DECLARATION = `package shelf

import (
	"fmt"
	str "strings"
)

// Point is no "}" here.
type Point struct { X, Y int }

func help(x int) string { return fmt.Sprint(x) }

// Sorted sorts.
func Sorted(items []Point, by map[string][2]int, one, two interface{ Len() int }, more ...string) (sum int, err error) {
`;
const BODY = "\ttext := `}\n`\n\tr := '}'\n\treturn len(text) + int(r), nil // }\n}\n";
const FILE = { entryPoint: "Sorted", declaration: DECLARATION, buggyCode: BODY, epilogue: "" };
const tokens = (code: string) => scan(code).tokens.map(({ text }) => text);

describe("reading", () => {
  test("brackets in comments, texts and runes are none; statements end with their lines", () => {
    const { sound, complete, depth, insideText } = scan(DECLARATION + BODY);
    expect([sound, complete, depth, insideText.size]).toEqual([true, true, 0, 1]);
    expect(scan("a := (1]").sound).toBe(false);
    expect([go.isWhole("func f() {"), go.isWhole('x := "a'), go.isSound("}")]).toEqual([false, false, false]);
  });

  test("clauses and declarations are distinguished, with their names", () => {
    const code =
      'package a; import "b"\nimport . "c/d"\nvar x, y = 1, func() int { return 2 }()\nconst (\n\tp = iota\n\tq\n)\ntype T[K any] struct{}\nfunc (t *T[K]) M() {}\nfunc g[V any](v V) struct{} { return struct{}{} }\nfunc outside(x int) int\n';
    const { packageName, imports, declarations } = unitOf(code);
    expect(packageName).toBe("a");
    expect(imports).toEqual([
      { path: "b", alias: null },
      { path: "c/d", alias: "." },
    ]);
    expect(
      declarations.map(({ kind, names, receiver, body }) => [kind, names.join(), receiver, body !== null]),
    ).toEqual([
      ["var", "x,y", null, false],
      ["const", "p,q", null, false],
      ["type", "T", null, true],
      ["func", "M", "T", true],
      ["func", "g", null, true],
      ["func", "outside", null, false],
    ]);
  });

  test("a program around a function, and its functions with their lines", () => {
    const parts = go.partsAround(DECLARATION + BODY, "Sorted");
    expect(parts?.declaration).toBe(DECLARATION);
    expect(`${parts?.body}${parts?.epilogue}`).toBe(BODY);
    expect(go.files.functions(`${DECLARATION}${BODY}\nfunc (p *Point) Move() {\n}\n`)).toEqual([
      { name: "help", start: 11, end: 11 },
      { name: "Sorted", start: 14, end: 19 },
      { name: "Point.Move", start: 21, end: 22 },
    ]);
    expect(go.definitions(DECLARATION + BODY)).toEqual(["help", "Sorted"]);
  });

  test("any text gives something and nothing throws", () => {
    for (let at = 0; at < DECLARATION.length; at += 7) {
      const text = DECLARATION.slice(at) + BODY.slice(at % 30);
      expect(() => [
        unitOf(text),
        go.partsAround(text, "Sorted"),
        go.assemble(FILE, text),
        stubOf(text, "Sorted", "main"),
        asFileOf("main", text),
      ]).not.toThrow();
    }
  });
});

describe("an answer becomes a program", () => {
  const FUNCTION = DECLARATION.slice(DECLARATION.indexOf("func Sorted"));

  test("the function alone keeps the file's helpers, types and imports, and loses what tries it", () => {
    const answer = `import "os"\n\n${FUNCTION}\treturn 1, nil\n}\n\nfunc main() { fmt.Println(1) }\nfunc TestSorted(t *testing.T) { }\n`;
    const program = go.assemble(FILE, answer);
    expect(program).toContain('import "os"\nimport "fmt"\nimport str "strings"');
    expect(program).toContain("func help");
    expect(program).toContain("return 1, nil");
    expect(program).not.toMatch(/int\(r\)|func main|TestSorted/);
    expect(unitOf(program).declarations.map(({ names }) => names[0])).toEqual(["Point", "help", "Sorted"]);
  });

  test.each([
    ["the body", "\treturn 1, nil\n"],
    ["with its bracket", "\treturn 1, nil\n}\n"],
  ])("%s", (_, body) => {
    expect(tokens(go.assemble(FILE, body))).toEqual(tokens(`${DECLARATION}\treturn 1, nil\n}\n`));
  });

  test("added tests are removed again, and prose is not a program", () => {
    const whole = DECLARATION + BODY;
    expect(tokens(go.assemble(FILE, go.withHarness(whole, 'import "os"\nos.Exit(help(1))')))).toEqual(
      tokens(go.assemble(FILE, `import "os"\n${whole}`)),
    );
    expect(go.assemble(FILE, "I could not find it.")).toBe("I could not find it.");
  });
});

describe("what tests are compiled with", () => {
  test("a type that could run something, and a function of types, give none", () => {
    for (const head of ['func f(x [len("a")]int) {', "func f[T any](x T) {", "func (s S) f(x int) {", "func g() {"])
      expect(stubOf(head, "f", "main"), head).toBeNull();
  });

  test("imports are those that are used, with their own names; others are found by name, where no variable has it", () => {
    const paths = (code: string) => neededImports(code).map(({ path }) => path);
    expect(paths('import ("os"; "sort"; m "math"; _ "embed")\nfunc f() { sort.Ints(m.x) }')).toEqual([
      "sort",
      "math",
      "embed",
    ]);
    expect(paths("func f(strings []string) { strings.x(); a.math.y(); rand.Intn(3); math.Abs(1) }")).toEqual([
      "math",
      "math/rand",
    ]);
    expect(paths("func TestF(t *testing.T) { assert := assert.New(t) }")).toEqual([
      "github.com/stretchr/testify/assert",
      "testing",
    ]);
    const kept = asFileOf("main", 'package x\n\nimport (\n\t"os"\n\t"fmt"\n)\nfunc main() { fmt.Println() }');
    expect(kept.split("\n")).toHaveLength(8);
    expect(kept).toMatch(/^package main; import "fmt"; {2}/);
  });
});

const tools = toolchain()?.tools;

test.skipIf(tools === undefined)("compiling leaves nothing else in the current folder", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "main.go"), "package main\n\nfunc main() {}\n");
  const words = ["-p", "main", "-complete", "-o", "main.a", "main.go"];
  execFileSync(join(tools ?? "", "compile"), words, { cwd: folder.path, env: environment() });
  expect(readdirSync(folder.path).sort()).toEqual(["main.a", "main.go"]);
});
