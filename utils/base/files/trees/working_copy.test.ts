import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../testing/command.ts";
import { copyTree, copyWritable, linkTree, writeOwnFile } from "./copy_tree.ts";
import { WorkingCopy } from "./working_copy.ts";

const FILES = { "a.txt": "one\n", "lib/b.txt": "two\n", "lib/deep/c.txt": "three\n", "run.sh": "#!/bin/sh\n" };

const makeTree = (files: Record<string, string> = FILES) => temporaryFolder(files);

const textsIn = (root: string) => {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
};

/** Another text of the same length, and the times that it had before. */
function forge(path: string, text: string) {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, text);
  utimesSync(path, atime, mtime);
}

test.each<[string, (copy: string) => void]>([
  ["nothing", () => {}],
  ["another text of the same length, with its old time", (copy) => forge(join(copy, "a.txt"), "two\n")],
  [
    "files that are new, gone or in the place of others",
    (copy) => {
      writeFileSync(join(copy, "new.txt"), "");
      rmSync(join(copy, "lib/deep/c.txt"));
      renameSync(join(copy, "lib/b.txt"), join(copy, "a.txt"));
      mkdirSync(join(copy, "cache/of"), { recursive: true });
      writeFileSync(join(copy, "cache/of/x"), "x");
    },
  ],
  ["other rights", (copy) => chmodSync(join(copy, "a.txt"), 0o000)],
])("the next program finds the copy as it was after %s, and what did not change is not copied again", (_, change) => {
  using tree = makeTree();
  chmodSync(join(tree.path, "run.sh"), 0o755);
  using copy = new WorkingCopy();
  copy.update(tree.path);
  const { path } = copy;
  copy.remember();
  const untouched = statSync(join(path, "run.sh")).ino;
  change(path);
  copy.update(tree.path);
  expect(copy.path).toBe(path);
  expect(textsIn(path)).toEqual(FILES);
  expect(existsSync(join(path, "cache"))).toBe(false);
  expect(statSync(join(path, "run.sh")).ino).toBe(untouched);
  expect(statSync(join(path, "a.txt")).mode).toBe(statSync(join(tree.path, "a.txt")).mode);
});

test.each<[string, (copy: string, other: string) => void]>([
  [
    "a link in the place of a folder",
    (copy, other) => {
      rmSync(join(copy, "lib"), { recursive: true });
      symlinkSync(other, join(copy, "lib"));
    },
  ],
  ["a folder that is locked", (copy) => chmodSync(join(copy, "lib"), 0o000)],
])("%s costs a new copy, and nothing outside is touched", (_, change) => {
  using tree = makeTree();
  using other = makeTree({ "b.txt": "of others\n", "deep/c.txt": "of others\n" });
  using copy = new WorkingCopy();
  copy.update(tree.path);
  copy.remember();
  change(copy.path, other.path);
  copy.update(tree.path);
  expect(textsIn(copy.path)).toEqual(FILES);
  expect(statSync(join(copy.path, "lib")).mode & 0o777).toBe(statSync(join(tree.path, "lib")).mode & 0o777);
  expect(textsIn(other.path)).toEqual({ "b.txt": "of others\n", "deep/c.txt": "of others\n" });
});

test("a tree that shares files with the last one costs what differs; writing in it leaves the other as it is", () => {
  using tree = makeTree();
  chmodSync(join(tree.path, "run.sh"), 0o755);
  using patched = temporaryFolder();
  linkTree(tree.path, patched.path);
  writeOwnFile(join(patched.path, "run.sh"), "#!/bin/sh\nexit 1\n");
  mkdirSync(join(patched.path, "more"));
  writeOwnFile(join(patched.path, "more/d.txt"), "four\n");
  rmSync(join(patched.path, "lib/b.txt"));
  expect(textsIn(tree.path)).toEqual(FILES);
  expect(statSync(join(patched.path, "run.sh")).mode & 0o777).toBe(0o755);

  using copy = new WorkingCopy();
  copy.update(tree.path);
  copy.remember();
  const { path } = copy;
  copy.update(patched.path);
  expect(copy.path).toBe(path);
  expect(textsIn(path)).toEqual(textsIn(patched.path));
  copy.remember();
  copy.update(tree.path);
  expect(textsIn(copy.path)).toEqual(FILES);
});

test("without a record of what a program was given, everything is copied again", () => {
  using tree = makeTree();
  using copy = new WorkingCopy();
  copy.update(tree.path);
  writeFileSync(join(copy.path, "new.txt"), "");
  copy.update(tree.path);
  expect(textsIn(copy.path)).toEqual(FILES);
  using whole = temporaryFolder();
  copyTree(tree.path, whole.path);
  expect(textsIn(whole.path)).toEqual(FILES);
});

test("a copy that builds write into may be written to, also where the original may not", () => {
  using tree = makeTree();
  using copy = temporaryFolder();
  for (const name of ["lib", "lib/b.txt", "run.sh"]) chmodSync(join(tree.path, name), 0o555);
  copyWritable(tree.path, copy.path);
  const modes = ["lib", "lib/b.txt", "run.sh"].map((name) => statSync(join(copy.path, name)).mode & 0o777);
  expect(modes).toEqual([0o755, 0o755, 0o755]);
  expect(textsIn(copy.path)).toEqual(FILES);
  chmodSync(join(tree.path, "lib"), 0o755);
});
