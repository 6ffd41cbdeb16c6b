import { execFileSync } from "node:child_process";
import { Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { VisibleTask } from "../../task/task.ts";
import { ALSO_DEEP, DEEP, runs } from "../../testing/repeats.ts";
import { topLevelBlocks } from "./blocks.ts";
import { javascript } from "./index.ts";
import { scan } from "./scan.ts";

const task: VisibleTask = {
  id: "t",
  language: "javascript",
  entryPoint: "total",
  instruction: "",
  declaration: "const fs = require('fs');\nconst half = (x) => x / 2;\n\nconst total = (xs) => {\n",
  buggyCode: "  return half(xs.length);\n}\n",
  epilogue: "",
  exampleTest: "",
};
const FUNCTION = "const total = (xs) => {\n  return half(xs.reduce((a, b) => a + b, 0));\n}";

/** What the assembled program gives for `total([2, 4])`. */
function value(answer: string): unknown {
  const program = javascript.assemble(task, answer);
  return JSON.parse(
    execFileSync(process.execPath, ["-e", `${program}\nconsole.log(JSON.stringify(total([2, 4])))`], {
      encoding: "utf8",
    }),
  );
}

describe("assemble", () => {
  test.each([
    ["the function alone", FUNCTION],
    ["as a declaration", "function total(xs) {\n  return half(xs[0] + xs[1]);\n}"],
    ["the whole file", `${task.declaration.split("const total")[0]}${FUNCTION}\n\nmodule.exports = { total };`],
    ["with a helper of its own version", `function half(x) { return x * 0.5 }\n${FUNCTION}`],
    ["the body", "  return half(xs.reduce((a, b) => a + b, 0));"],
    ["the body with its closing bracket", "  return half(xs.reduce((a, b) => a + b, 0));\n}\n"],
    [
      "the body that returns in a loop behind a function of its own",
      "  const sum = (a, b) => a + b;\n  while (true) {\n    return half(xs.reduce(sum, 0));\n  }\n}\n",
    ],
    ["as a module", `export default ${FUNCTION.replace("const total = (xs) =>", "function total(xs)")}`],
    ["as a named export", `export ${FUNCTION}\nexport { half };`],
    [
      "the buggy one before the repaired one",
      `${task.declaration.slice(task.declaration.indexOf("const total"))}${task.buggyCode}\n${FUNCTION}`,
    ],
    [
      "with tests of its own that fail",
      `${FUNCTION}\nconsole.assert(total([1]) === 9);\nconst shown = total(undefined);\ntotal();`,
    ],
    ["with what was run before", javascript.withHarness(FUNCTION, "total(undefined)")],
    ["with Windows line ends", FUNCTION.replaceAll("\n", "\r\n")],
  ])("%s", DEEP, (_, answer) => {
    expect(value(answer)).toBe(3);
  });

  test("what is no repair comes back as it is, and nothing throws", ALSO_DEEP, () => {
    expect(javascript.assemble(task, "I do not know.")).toBe("I do not know.");
    const pieces = fc.constantFrom(
      "const total",
      "=",
      "=>",
      "{",
      "}",
      "(",
      ")",
      "`",
      "${",
      "'",
      "/",
      "//",
      "/*",
      "*/",
      "\n",
      "return",
      " ",
      "function",
      ";",
      "total",
      "\\",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 60 }),
        (parts) => typeof javascript.assemble(task, parts.join("")) === "string",
      ),
      { numRuns: runs(500) },
    );
  });
});

describe("reading", () => {
  test("strings, templates, comments and regular expressions hide their brackets", () => {
    const code =
      "const a = '}' + `x${ { b: '`' }.b }}` // }\n/* } */\nconst r = /[/}]\\/}/.test(x) / 2;\nconst f = () => { return /}/ };\n";
    expect(scan(code)).toMatchObject({ depth: 0, sound: true });
    expect(topLevelBlocks(code).blocks.map(({ names, kind }) => [...names, kind])).toEqual([
      ["a", "value"],
      ["r", "value"],
      ["f", "function"],
    ]);
  });

  test("the blocks of a program are the program", ALSO_DEEP, () => {
    const pieces = fc.constantFrom(
      "const a = 1",
      "function f() {}",
      "f()\n  .g()",
      "// c",
      "if (a) {\n}\nelse {\n}",
      "class K {}",
      "let b =\n  2;",
      "[1].map(f)",
      "x => x",
      "",
    );
    const program = fc.array(pieces, { maxLength: 8 }).map((lines) => lines.join("\n"));
    fc.assert(
      fc.property(program, (code) => {
        const { blocks, tail } = topLevelBlocks(code);
        expect(blocks.map(({ lead, text }) => lead + text).join("") + tail).toBe(code);
      }),
      { numRuns: runs(500) },
    );
  });

  test("statements are cut where Node.js would", () => {
    const code =
      "const a = [1, 2]\n  .map((x) => x)\nlet b = a\n  ? 1\n  : 2\nfunction f(a = {}) {\n  return a\n}\n(function () {})()\nif (a) f()\nelse f()\nconst { c, d: e } = a;\n";
    const { blocks } = topLevelBlocks(code);
    expect(blocks.map(({ text }) => text.split("\n")[0])).toEqual([
      "const a = [1, 2]",
      "let b = a",
      "function f(a = {}) {",
      "(function () {})()",
      "if (a) f()",
      "const { c, d: e } = a;",
    ]);
    expect(blocks.at(-1)?.names).toEqual(["c", "e"]);
    for (const { text } of blocks) expect(() => new Script(text)).not.toThrow();
  });

  test.each([
    ["const f = ({ a }, b = {}) => {\n  return a;\n};\n", "const f = ({ a }, b = {}) => {\n"],
    ["async function f(a) { return a; }", "async function f(a) {"],
    ["const f = (a) => a + 1;\n", "const f = (a) =>"],
    ["class f {\n  g() {}\n}\n", "class f {\n"],
  ])("%j is taken apart at its body", (source, declaration) => {
    const parts = javascript.partsAround(`const z = 1;\n${source}z;\n`, "f");
    expect(parts?.declaration).toBe(`const z = 1;\n${declaration}`);
    expect(parts && parts.declaration + parts.body + parts.epilogue).toBe(`const z = 1;\n${source}z;\n`);
  });

  test("code is recognized in prose", () => {
    expect(javascript.bareCode("The fix:\nconst f = () => {\n  return 1;\n};\nThat is all, I hope.")).toBe(
      "const f = () => {\n  return 1;\n};",
    );
    expect(javascript.looksLikeCode("I think the loop is wrong.")).toBe(false);
    expect(javascript.isWhole("const f = () => {")).toBe(false);
  });
});

test("TypeScript's signatures of a function belong to it: an answer keeps them, and they are no functions beside it", () => {
  const signatures =
    "export function total(xs: number[]): number;\nexport function total(xs: number[], by: { rate: number }): number; // of two\n";
  const program = `type Rate = number;\n\n/** The sum. */\n${signatures}export function total(xs: number[], by?: { rate: Rate }): number {\n  return xs.length;\n}\n\nexport const no = 0;\n`;
  expect(javascript.definitions(program)).toEqual(["total"]);
  const parts = javascript.partsAround(program, "total");
  if (!parts) throw new Error("not found");
  const { declaration, body, epilogue } = parts;
  const file = { entryPoint: "total", declaration, buggyCode: body, epilogue };
  const right = program.replace("xs.length", "xs.length + 1");
  expect(javascript.assemble(file, right)).toBe(right);
  expect(javascript.assemble(file, right.slice(right.indexOf("export function"), right.indexOf("export const")))).toBe(
    right,
  );
});
