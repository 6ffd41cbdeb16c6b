import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { indentLike } from "../attempts/splice.ts";
import { readSource } from "./source.ts";

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
