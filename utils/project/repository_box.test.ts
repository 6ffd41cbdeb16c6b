// @module-tag ci

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { MEMORY, placeFor } from "../base/files/memory_place.ts";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { openCommandBox } from "../sandbox/command/command_box.ts";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { RepositoryBox } from "./repository_box.ts";

test("no run finds what another wrote, be it with forged times", DEEP, async () => {
  using tree = temporaryFolder();
  mkdirSync(join(tree.path, "tests"));
  writeFileSync(join(tree.path, "a.txt"), "one\n");
  writeFileSync(join(tree.path, "tests/b.txt"), "two\n");
  const project = { root: tree.path, folder: tree.path, target: tree.path, shared: false };
  using box = new RepositoryBox(await openCommandBox(), project, new Map());
  const run = (script: string) =>
    box.run({
      tree: tree.path,
      command: async () => ({ argv: ["sh", "-c", script], env: {}, readable: [] }),
      seconds: 20,
    });
  const look = "find . | sort; cat a.txt tests/b.txt";
  const before = await run(look);
  expect(before.stdout).toMatch(/a\.txt[\s\S]*one\ntwo\n$/);
  const forged = await run(
    "cp -p a.txt kept && printf 'two\\n' > a.txt && touch -r kept a.txt && cat a.txt && rm tests/b.txt && mkdir more",
  );
  expect(forged).toMatchObject({ exitCode: 0, stdout: "two\n" });
  const after = await run(look);
  expect(after.stdout).toBe(before.stdout);
});

/** Writes more and more until it is ended. */
const FILLS = "i=0; while :; do i=$((i+1)); head -c 8000000 /dev/zero > big$i; echo $i; done";

test.each<[string, boolean, number]>([
  ["is run again on the disk", false, 2],
  ["is not run again where its lines were heard, and the next runs on the disk", true, 1],
])("a program that fills a copy in memory %s", async (_, isHeard, runs) => {
  if (placeFor({ files: 1, bytes: 1 }) !== MEMORY) return console.warn("there is no room in memory: nothing is tested");
  using tree = makeTemporaryFolder("tree", MEMORY);
  writeFileSync(join(tree.path, "a.txt"), "one\n");
  const project = { root: tree.path, folder: tree.path, target: tree.path, shared: false };
  using box = new RepositoryBox(await openCommandBox(), project, new Map());
  let begun = 0;
  const run = () =>
    box.run({
      tree: tree.path,
      // The first of all runs fills it.
      command: async () => ({ argv: ["sh", "-c", begun++ === 0 ? FILLS : "cat a.txt"], env: {}, readable: [] }),
      seconds: 60,
      ...(isHeard ? { onLine: () => {} } : {}),
    });
  const result = await run();
  expect(begun).toBe(runs);
  if (isHeard)
    expect(result).toMatchObject({ ending: "disk", explanation: "it wrote more than 256 MB, or too many files" });
  else expect(result).toMatchObject({ exitCode: 0, stdout: "one\n" });
  expect(await run()).toMatchObject({ exitCode: 0, stdout: "one\n" });
  expect(readdirSync(dirname(tree.path)).filter((name) => name.startsWith("copy-"))).toEqual([]);
});

test(
  "tests that ask for a git repository are given one, without history, that is the same for each run",
  DEEP,
  async () => {
    using tree = temporaryFolder();
    writeFileSync(join(tree.path, "a.txt"), "one\n");
    const project = { root: tree.path, folder: tree.path, target: tree.path, shared: false };
    using box = new RepositoryBox(await openCommandBox(), project, new Map());
    const script =
      'set -e; cat .git/mark 2>/dev/null && exit 9; test "$(git rev-parse --show-toplevel)" = "$(pwd)"; git status --porcelain; git log --format=%s; git ls-files; echo x > .git/mark; echo new > a.txt';
    const run = () =>
      box.run({
        tree: tree.path,
        command: async () => ({ argv: ["sh", "-c", script], env: {}, readable: [] }),
        seconds: 20,
      });
    for (let i = 0; i < 2; i++)
      expect(await run()).toMatchObject({ exitCode: 0, stdout: "the files as they are\na.txt\n" });
    writeFileSync(join(tree.path, "a.txt"), "two\n");
    expect((await run()).stdout).toBe(" M a.txt\nthe files as they are\na.txt\n");
    expect(readdirSync(tree.path)).toEqual(["a.txt"]);
  },
);
