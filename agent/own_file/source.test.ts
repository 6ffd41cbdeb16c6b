import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/files/temporary.ts";
import { indentLike, likeOriginal, plainText, readSource } from "./source.ts";

const roundTrip = (original: string, edit: (text: string) => string) =>
  likeOriginal(original, edit(plainText(original)));

test.each([
  ["unix", "a\nb\nc\n", "a\nB\nc\n"],
  ["windows", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
  ["a byte order mark", "\uFEFFa\r\nb\r\nc", "\uFEFFa\r\nB\r\nc"],
  ["mixed: lines that stay keep their own", "a\nb\r\nc\n\n", "a\nB\nc\n\n"],
  ["no final newline", "a\nb", "a\nB"],
])("%s", (_, original, expected) => {
  expect(roundTrip(original, (text) => text.replace("b", "B"))).toBe(expected);
});

test("a text that is not changed is the file, byte for byte", () => {
  for (const file of ["", "\n", "a\r\nb\nc", "\uFEFFa\n\n\n", "a\r\n\r\n"])
    expect(roundTrip(file, (text) => text)).toBe(file);
});

test("new lines get the end that most lines have", () => {
  expect(roundTrip("a\r\nb\r\n", () => "a\nnew\nb\n")).toBe("a\r\nnew\r\nb\r\n");
});

test("an answer is indented as the file is, and what stands in strings stays", () => {
  const file = "def f():\n\tif x:\n\t\treturn 1\n";
  const answer = 'def f():\n    if x:\n        return """\n    text\n"""\n';
  expect(indentLike(file, answer, "python")).toBe('def f():\n\tif x:\n\t\treturn """\n    text\n"""\n');
  const script = "function f() {\n  if (x) {\n    return 1;\n  }\n}\n";
  const deep = "function f() {\n    if (x) {\n        return `\n    text`;\n    }\n}\n";
  expect(indentLike(script, deep, "javascript")).toBe("function f() {\n  if (x) {\n    return `\n    text`;\n  }\n}\n");
});

test("a pipe is not waited for", () => {
  using folder = makeTemporaryFolder("pipe");
  const path = join(folder.path, "pipe.py");
  execFileSync("mkfifo", [path]);
  expect(() => readSource(path)).toThrow(`${path} is a pipe; a file is needed.`);
});
