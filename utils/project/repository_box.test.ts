import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandBox } from "../sandbox/command_box.ts";
import { temporaryFolder } from "../testing/command.ts";
import { RepositoryBox } from "./repository_box.ts";

test("no run finds what another wrote, be it with forged times", async () => {
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
