import { expect, test } from "vitest";
import { isPlainPath, leadsInside } from "./plain_path.ts";

test.each([
  "a.py",
  "a/b.py",
  ".github/x",
  "..a/b",
  "a b.js",
  "[id].test.ts",
  ".gitignore",
  "git",
  "git~x",
  "ä/日本.py",
])("%s leads inside", (path) => {
  expect([leadsInside(path), isPlainPath(path)]).toEqual([true, true]);
});

test.each([
  ...["", "/etc/passwd", "..", "../a", "a/../../b", "a/./b", "a//b", "a/", "a\0b"],
  ...[".git/config", "a/.GIT/hooks", ".git", "git~1/x", ".git. /x", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x"],
])("%j does not", (path) => {
  expect([leadsInside(path), isPlainPath(path)]).toEqual([false, false]);
});

test.each(["a\nb", "\x1b[2Ja", "Icon\r", "a\x7f"])("%j is a file's path, but for no text", (path) => {
  expect([leadsInside(path), isPlainPath(path)]).toEqual([true, false]);
});
