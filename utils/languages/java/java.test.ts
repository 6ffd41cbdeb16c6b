import { describe, expect, test } from "vitest";
import { withNotedChecks } from "./checks.ts";
import { java } from "./index.ts";
import { findMethod, membersOf, unitOf } from "./members.ts";
import { scan } from "./scan.ts";
import { stubOf } from "./signature.ts";

const DECLARATION = `import java.util.*;

class Solution {
    /** Adds one; not } here. */
    public int next(int x) {
        return x + 1;
    }

    @SuppressWarnings({"unchecked", "a)b"})
    public static <T extends Comparable<T>> List<T> sorted(final List<T> items, Map<String, int[]> by, T... more) throws Exception {
`;
const BODY = `        String text = "}\\" {";
        char one = '}';
        return null; // }
    }
}
`;
const FILE = { entryPoint: "sorted", declaration: DECLARATION, buggyCode: BODY, epilogue: "" };
const tokens = (code: string) => scan(code).tokens.map(({ start, end }) => code.slice(start, end));

describe("reading", () => {
  test("brackets in comments, texts and characters are none", () => {
    const { sound, complete, depth } = scan(DECLARATION + BODY);
    expect([sound, complete, depth]).toEqual([true, true, 0]);
    expect(scan('String s = """\n  { "a" }\n  """;').depth).toBe(0);
    expect(scan("int a = (1];").sound).toBe(false);
    expect([
      java.isWhole("class A { int f() {"),
      java.isWhole('class A { String s = "x; }'),
      java.isSound("}"),
    ]).toEqual([false, false, false]);
  });

  test("types, methods, fields with values and inner types are distinguished", () => {
    const { types, imports } = unitOf(
      `import a.B;\npublic class A<T> extends C { int[] x = {1, 2}; static { go(); } Runnable r = () -> { f(); }; A() { } int f() { return g(1); } interface I { void h(); } abstract void k(); }\nrecord P(int x) { int twice() { return 2 * x; } }\nenum E { ONE { int v() { return 1; } }, TWO; int v() { return 2; } }`,
    );
    expect(imports).toHaveLength(1);
    expect(types.map(({ name }) => name)).toEqual(["A", "P", "E"]);
    expect(types[0]?.items.map(({ kind, name }) => `${kind} ${name}`.trim())).toEqual([
      "other",
      "other",
      "other",
      "constructor A",
      "method f",
      "type I",
      "method k",
    ]);
    expect(types[1]?.items.map(({ name }) => name)).toEqual(["twice"]);
    expect(membersOf("int f(int x) { return x; }\nint y = 1;").map(({ kind }) => kind)).toEqual(["method", "other"]);
  });

  test("a program around a method, and its functions with their lines", () => {
    const parts = java.partsAround(DECLARATION + BODY, "sorted");
    expect(parts?.declaration).toBe(DECLARATION);
    expect(`${parts?.body}${parts?.epilogue}`).toBe(BODY);
    expect(java.files.functions(DECLARATION + BODY)).toEqual([
      { name: "Solution.next", start: 5, end: 7 },
      { name: "Solution.sorted", start: 9, end: 14 },
    ]);
    expect(java.definitions(DECLARATION + BODY)).toEqual(["next", "sorted"]);
  });

  test("any text gives something and nothing throws", () => {
    for (let at = 0; at < DECLARATION.length; at += 7) {
      const text = DECLARATION.slice(at) + BODY.slice(at % 50);
      expect(() => [
        unitOf(text),
        java.partsAround(text, "sorted"),
        java.assemble(FILE, text),
        stubOf(text, "sorted"),
      ]).not.toThrow();
    }
  });
});

describe("an answer becomes a program", () => {
  const whole = DECLARATION + BODY;
  const METHOD =
    "public static <T extends Comparable<T>> List<T> sorted(List<T> items, Map<String, int[]> by, T... more) throws Exception {\n    return items;\n}\n";

  test("the file, the class without its helpers and imports, and with tests of its own", () => {
    expect(tokens(java.assemble(FILE, whole))).toEqual(tokens(whole));
    const answer = `class Solution {\n${METHOD}}\n\npublic class Main {\n    public static void main(String[] a) { System.out.println(1); }\n}\n`;
    const program = java.assemble(FILE, answer);
    expect(program).toContain("import java.util.*;");
    expect(program).toContain("return x + 1;");
    expect(program).toContain("return items;");
    expect(program).not.toContain("println");
    expect(unitOf(program).types).toHaveLength(1);
  });

  test("the method alone, with another beside it", () => {
    const program = java.assemble(FILE, `import java.util.function.*;\n${METHOD}\nprivate int help() { return 3; }\n`);
    expect(program).toContain("import java.util.function.*;\nimport java.util.*;");
    expect(java.definitions(program)).toEqual(["next", "help", "sorted"]);
    expect(findMethod(unitOf(program), "sorted")).not.toBeNull();
    expect(scan(program).depth).toBe(0);
    expect(program).not.toContain('"}\\" {"');
  });

  test.each([
    ["the body", "        return items;\n"],
    ["with the method's bracket", "        return items;\n    }\n"],
    ["with all brackets", "        return items;\n    }\n}\n"],
  ])("%s", (_, body) => {
    expect(tokens(java.assemble(FILE, body))).toEqual(tokens(`${DECLARATION}        return items;\n    }\n}\n`));
  });

  test("added tests are removed again, and prose is not a program", () => {
    expect(java.assemble(FILE, java.withHarness(whole, "System.out.println(new Solution().next(1));"))).toContain(
      "x + 1",
    );
    expect(tokens(java.assemble(FILE, java.withHarness(whole, "class Main { }")))).toEqual(tokens(whole));
    expect(java.assemble(FILE, "I could not find it.")).toBe("I could not find it.");
  });
});

describe("the stub", () => {
  test("of an untrusted program takes over nothing that could run", () => {
    const hostile =
      'class A { static { System.exit(0); } String g() { return "g()"; } @X(y = 1) String f(int x) { return ""; } } class Arrays { }';
    expect(stubOf(hostile, "f", false)?.source.replace(/mendjudge\S*/g, "")).not.toMatch(/exit|g\(|Arrays|@X/);
    for (const signature of [
      "String f(int x = System.exit(0))",
      'String f(A<"x"> y)',
      "String f(int x) throws E{}; int y = g()",
    ])
      expect(stubOf(`class A { ${signature} { return ""; } }`, "f", false)?.source ?? "").not.toMatch(/exit|"x"|g\(\)/);
  });
});

test("checks of a list are noted by their line and their text, and everything else stays where it is", () => {
  const tests =
    'class Main {\n  List<Boolean> correct = Arrays.asList(\n    f(1, 2) == 3,\n    g("a, b").equals("\\"")\n  );\n}';
  expect(withNotedChecks(tests)).toBe(
    'class Main {\n  List<Boolean> correct = Arrays.asList(\n    mendjudge.Remote.check("line 3: f(1, 2) == 3", f(1, 2) == 3),\n    mendjudge.Remote.check("line 4: g(\\"a, b\\").equals(\\"\\\\\\"\\")", g("a, b").equals("\\""))\n  );\n}',
  );
  expect(withNotedChecks("class Main { int x = 1; }")).toBe("class Main { int x = 1; }");
});
