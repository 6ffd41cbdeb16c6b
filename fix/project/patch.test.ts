import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { applyChanges, filesIn, kindsOf, readPatch, renderPatch } from "./patch.ts";

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
])("a file called %j is left out by its name", (name) => {
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
  expect(changed(trees)).toEqual({ source: [], tests: [], updated: [], dropped: [] });
});

const TEXTS = [
  "",
  "a",
  "a\n",
  "a\r\nb\r\n",
  "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n",
  "diff --git a/y b/y\n\\ No newline at end of file\n",
  "a\rb\u2028c\fd\n\n\n",
  `${"line\n".repeat(40)}a\n`,
];
const PAIRS = TEXTS.flatMap((before) =>
  TEXTS.filter((after) => after !== before).map((after) => [before, after] as const),
);

test("git applies what is shown of a plain edit, whatever its texts hold, and nothing else", () => {
  using trees = twoTrees();
  const changes = PAIRS.map(([before, after], i) => ({ file: `src/f${i}.py`, before, after }));
  for (const { file, before } of changes) writeFileSync(join(trees.work, file), before);
  const { status } = spawnSync("git", ["apply", "--whitespace=nowarn", "-"], {
    cwd: trees.work,
    input: renderPatch(changes),
  });
  expect(status).toBe(0);
  const now = changes.map(({ file }) => readFileSync(join(trees.work, file), "utf8"));
  expect(now).toEqual(changes.map(({ after }) => after));
  expect(filesIn(trees.work)).toHaveLength(changes.length);
});

test("tests that stand in a file of source stay as they are", () => {
  using trees = twoTrees();
  const file = (half: string, expected: string) =>
    `fn half(x: u8) -> u8 { ${half} }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn halves() { assert_eq!(super::half(4), ${expected}); }\n}\n`;
  for (const name of ["a.rs", "b.rs"]) writeFileSync(join(trees.base, "src", name), file("x", "2"));
  writeFileSync(join(trees.work, "src/a.rs"), file("x / 2", "2"));
  writeFileSync(join(trees.work, "src/b.rs"), file("x", "4"));
  const { source, dropped } = changed(trees, "src/a.rs", "src/b.rs");
  expect(source.map(({ file: name }) => name)).toEqual(["src/a.rs"]);
  expect(dropped).toEqual([{ file: "src/b.rs", why: "tests are not changed" }]);
});

const DOC = `"""Halves."""


def half(x):
    """Half of it.

    >>> half(4)
    2
    """
    return x
`;
test.each([
  ["the code around them", DOC.replace("return x", "return x / 2"), DOC.replace("return x", "return x / 2"), false],
  [
    "the example, too",
    DOC.replace("return x", "return x / 2").replace("4)\n    2", "4)\n    4"),
    DOC.replace("return x", "return x / 2"),
    true,
  ],
  [
    "a function without its docstring",
    "def half(x):\n    return x / 2\n",
    'def half(x):\n    """Half of it.\n\n    >>> half(4)\n    2\n    """\n    return x / 2\n',
    true,
  ],
  ["only the example", DOC.replace("4)\n    2", "4)\n    4"), null, true],
])("examples of docstrings come from before, where a patch changes %s", (_, written, taken, isSaid) => {
  using trees = twoTrees();
  writeFileSync(join(trees.base, "src/a.py"), DOC);
  writeFileSync(join(trees.work, "src/a.py"), written);
  const { source, dropped } = changed(trees, "src/a.py");
  expect(source.map(({ after }) => after)).toEqual(taken === null ? [] : [taken]);
  expect(dropped).toEqual(isSaid ? [{ file: "src/a.py", why: "tests are not changed" }] : []);
});

test("in a file that the runner took for tests, functions and statements that test come from before", () => {
  using trees = twoTrees();
  const file = (body: string, wanted: string) =>
    `def half(x):\n    return ${body}\n\n\ndef test_half():\n    assert half(4) == ${wanted}\n\n\nassert half(2) == ${wanted}\n`;
  writeFileSync(join(trees.base, "src/a.py"), file("x", "2"));
  writeFileSync(join(trees.work, "src/a.py"), file("x / 2", "4"));
  const { source } = readPatch(trees.base, trees.work, ["src/a.py"], kindsOf(trees.base, ["src/a.py"]));
  expect(source.map(({ after }) => after)).toEqual([file("x / 2", "2")]);
  const asSource = readPatch(trees.base, trees.work, ["src/a.py"], kindsOf(trees.base));
  expect(asSource.source.map(({ after }) => after)).toEqual([file("x / 2", "4")]);
});
