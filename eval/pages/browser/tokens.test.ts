import { expect, test } from "vitest";
import { lineTokens } from "./tokens.ts";

const CODE: Record<string, string> = {
  python: 'def f(a):\n    """One\n    two."""\n    return 1',
  javascript: "function f(a: number) {\n  /* one\n  two */ return `1`;\n}",
  java: "class A {\n  /* one\n  two */ int f() { return 1; }\n}",
  cpp: "/* one\n  two */\nint f() { return 1 < 2 && 3; }",
  go: "/* one\n  two */\nfunc f() int { return 1 }",
  rust: "/* one\n  two */\nfn f() -> i32 { return 1; }",
};

test.each(Object.entries(CODE))(
  "%s: tokens give the lines again, and a colour goes on over line ends",
  (language, code) => {
    const lines = code.split("\n");
    const tokens = lineTokens(lines, language);
    expect(tokens.map((line) => line.map(({ text }) => text).join(""))).toEqual(lines);
    expect(tokens.flat()).toContainEqual({ kind: "keyword", text: "return" });
    const two = tokens.flat().find(({ text }) => text.includes("two"));
    expect(two?.kind).toBe(language === "python" ? "string" : "comment");
  },
);

test("text without a language, or in one that is not known, is plain", () => {
  for (const language of [undefined, "", "toString", "cobol"])
    expect(lineTokens(["return 1", ""], language)).toEqual([
      [{ kind: "", text: "return 1" }],
      [{ kind: "", text: "" }],
    ]);
});
