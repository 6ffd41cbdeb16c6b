// @module-tag ci

import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../sandbox/command/command_box.ts";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { RepositoryBox } from "./repository_box.ts";
import { BUILD } from "./test_command.ts";

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

test("the program of a command is shown, wherever a manager of versions put it", async () => {
  using tree = temporaryFolder();
  using programs = temporaryFolder();
  const program = join(programs.path, "program");
  writeFileSync(program, "#!/bin/sh\necho it runs\n", { mode: 0o755 });
  const project = { root: tree.path, folder: tree.path, target: tree.path, shared: false };
  using box = new RepositoryBox(await openCommandBox(), project, new Map());
  const command = async () => ({ argv: [program], env: {}, readable: [] });
  expect(await box.run({ tree: tree.path, command, seconds: 20 })).toMatchObject({ stdout: "it runs\n" });
});

/** As cargo and make do it. */
const BUILDS = '[ "$BUILD/made" -nt source ] || cp source "$BUILD/made"; cat "$BUILD/made"';

test("a build that goes by times builds each tree, also one that was written before the first was built", async () => {
  using folder = temporaryFolder();
  const tree = (name: string) => join(folder.path, name);
  for (const name of ["base", "fixed"]) {
    mkdirSync(tree(name));
    writeFileSync(join(tree(name), "source"), `${name}\n`);
  }
  const project = { root: tree("base"), folder: tree("base"), target: tree("base"), shared: false };
  using box = new RepositoryBox(await openCommandBox(), project, new Map());
  const command = async () => ({ argv: ["sh", "-c", BUILDS], env: { BUILD }, readable: [], builds: true as const });
  for (const name of ["base", "fixed", "base"])
    expect((await box.run({ tree: tree(name), command, seconds: 20 })).stdout).toBe(`${name}\n`);
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
