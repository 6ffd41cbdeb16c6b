import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { git } from "../../../utils/git/git.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { temporaryFolder } from "../testing/test_run.ts";
import { type Archive, openArchive } from "./archive.ts";

let archive: Archive;
let root: string;
const file = (folder: string, name: string, text: string) => {
  mkdirSync(join(root, folder, name, ".."), { recursive: true });
  writeFileSync(join(root, folder, name), text);
};
const first = { parent: null, message: "first", ordinal: 0 };

beforeEach(async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  root = folder.path;
  archive = await openArchive(join(root, "run"));
  file("a", "agent/main.ts", "export const x = 1;\n");
  file("a", "prompts/system.md", "Fix it.\r\n");
});

test("an agent comes back byte by byte, and only the surface is in it", async () => {
  file("a", "eval/benchmark/scorer.ts", "cheat");
  const { sha } = await archive.commit(join(root, "a"), first);
  await archive.checkout(sha, join(root, "out"));
  expect(readFileSync(join(root, "out/prompts/system.md"), "utf8")).toBe("Fix it.\r\n");
  expect(() => readFileSync(join(root, "out/eval/scorer.ts"))).toThrow(/ENOENT/);
});

test("the same agent committed again is the same commit: a killed run goes on where it was", async () => {
  const before = await archive.commit(join(root, "a"), first);
  const again = await openArchive(join(root, "run"));
  expect(await again.commit(join(root, "a"), first)).toEqual(before);
});

test("a message longer than an argument may be, with a NUL in it, is committed like any other", async () => {
  const message = `first\n\n${"It should help.\0 ".repeat(20_000)}`;
  const { sha } = await archive.commit(join(root, "a"), { ...first, message });
  const kept = git(join(root, "run/agents.git"), ["log", "-1", "--format=%B", sha]);
  expect(kept.trim()).toBe(message.replaceAll("\0", "").trim());
});

test("equal tree = no change, diff = what changed, parent = lineage", DEEP, async () => {
  const a0 = await archive.commit(join(root, "a"), first);
  cpSync(join(root, "a"), join(root, "b"), { recursive: true });
  const same = await archive.commit(join(root, "b"), { parent: a0.sha, message: "nothing", ordinal: 1 });
  expect(same.tree).toBe(a0.tree);
  file("b", "agent/main.ts", "export const x = 2;\n");
  rmSync(join(root, "b/prompts/system.md"));
  const a1 = await archive.commit(join(root, "b"), { parent: a0.sha, message: "two", ordinal: 2 });
  const diff = await archive.diff(a0.sha, a1.sha);
  expect(diff).toContain("-export const x = 1;\n+export const x = 2;");
  expect(diff).toContain("deleted file");
});
