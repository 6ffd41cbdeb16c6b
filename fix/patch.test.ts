import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/files/temporary.ts";
import { applyChanges, filesIn, readPatch, renderPatch } from "./patch.ts";

function twoTrees() {
  const folder = makeTemporaryFolder("trees");
  const [base, work] = [join(folder.path, "base"), join(folder.path, "work")];
  for (const tree of [base, work]) mkdirSync(join(tree, "src"), { recursive: true });
  return { base, work, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}
const changed = ({ base, work }: { base: string; work: string }, ...files: string[]) =>
  readPatch(base, work, files.length > 0 ? files : filesIn(work));

test.each([
  "src/.git",
  "src/.GIT",
  "git~1",
  "src/.g\u200cit",
  ".git ",
  ".gitmodules",
  "src/a\nb.py",
  "src/\u001b[2J.py",
])("a file called %j is left out by its name, whoever wrote it", (name) => {
  using trees = twoTrees();
  writeFileSync(join(trees.work, name), "gitdir: src/g\n");
  writeFileSync(join(trees.work, "src/a.py"), "a = 1\n");
  const { source, dropped } = changed(trees, name, "src/a.py");
  expect(source.map(({ file }) => file)).toEqual(["src/a.py"]);
  expect(dropped).toEqual([{ file: name, why: expect.stringMatching(/git|control/) }]);
});

test("what a patch cannot hold as it is, is left out by its name", () => {
  using trees = twoTrees();
  const at = (name: string) => join(trees.work, "src", name);
  writeFileSync(at("latin.py"), Buffer.from([0x23, 0xe9, 0x0a]));
  symlinkSync("/etc/passwd", at("link.py"));
  writeFileSync(join(trees.base, "src/file.py"), "x\n");
  symlinkSync("a.py", at("file.py"));
  const names = ["src/latin.py", "src/link.py", "src/file.py"];
  const { source, dropped } = changed(trees, ...names);
  expect(source).toEqual([]);
  expect(dropped).toEqual([
    { file: "src/file.py", why: "it is a link" },
    { file: "src/latin.py", why: "it is not UTF-8 text" },
    { file: "src/link.py", why: "it is a link" },
  ]);
});

test("who may execute a file is a part of the patch, also where nothing else changes", () => {
  using trees = twoTrees();
  for (const tree of [trees.base, trees.work]) writeFileSync(join(tree, "src/run.py"), "x\n");
  chmodSync(join(trees.work, "src/run.py"), 0o755);
  const { source } = changed(trees);
  expect(renderPatch(source)).toBe("diff --git a/src/run.py b/src/run.py\nold mode 100644\nnew mode 100755\n");
  applyChanges(trees.base, source);
  expect(changed(trees)).toEqual({ source: [], tests: [], dropped: [] });
});
