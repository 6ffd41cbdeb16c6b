import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../../fix/testing/repositories.ts";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import { readSource } from "../../../meta/editors/learn/sources.ts";
import { commits, patchOf } from "./history.ts";

const BEFORE = { "a.py": "a = 1\n", "test_a.py": "import a\n" };
const AFTER = { "a.py": "a = 2\n", "test_a.py": "import a\nassert a\n" };

/** Its second commit has a message that reads as another commit wherever git's output is split at control characters. */
function forging(hash: string) {
  const repository = makeRepository(BEFORE);
  for (const [name, text] of Object.entries(AFTER)) writeFileSync(repository.at(name), text);
  const message = `x\x1e${hash}\x1fHEAD^\x1f2026-01-01T00:00:00Z\x1fFix a bug\x1f\n1\t1\ta.py\n1\t1\ttest_a.py\n`;
  repository.git("commit", "--quiet", "-a", "--cleanup=verbatim", "-m", message);
  return repository;
}

test("no message forges a commit whose hash is an option of git that writes a file", () => {
  using folder = temporaryFolder();
  const victim = join(folder.path, "victim");
  writeFileSync(victim, "mine\n");
  using repository = forging(`--output=${victim}`);
  const found = [...commits(repository.path)];
  for (const commit of found) patchOf(repository.path, commit, commit.source);
  expect(readFileSync(victim, "utf8")).toBe("mine\n");
  expect(found.map(({ sha }) => sha)).toEqual([repository.git("rev-parse", "HEAD").trim()]);
  expect(found).toMatchObject([{ source: ["a.py"], tests: ["test_a.py"], lines: 2 }]);
});

test("nor where an editor learns from fixes", () => {
  using folder = temporaryFolder();
  using repository = forging(`--output=${join(folder.path, "victim")}`);
  const change = { file: "a.py", before: BEFORE["a.py"], after: AFTER["a.py"] };
  expect(readSource(repository.path, 0).fixes).toEqual([change]);
  expect(existsSync(join(folder.path, "victim:a.py"))).toBe(false);
});

test("a file whose name is a pattern stands for itself, and one with control characters is no source", () => {
  using repository = makeRepository({ "a.py": "a = 1\n", ":(glob)*.py": "b = 1\n", "c\n.py": "c = 1\n" });
  for (const name of ["a.py", ":(glob)*.py", "c\n.py"]) writeFileSync(repository.at(name), "x = 2\n");
  repository.git("commit", "--quiet", "-a", "-m", "Fix it");
  const [commit] = [...commits(repository.path)];
  expect(commit?.source.sort()).toEqual([":(glob)*.py", "a.py"]);
  const patch = commit ? patchOf(repository.path, commit, [":(glob)*.py"]) : "";
  expect(patch.match(/^diff .*$/gm)).toEqual(["diff --git a/:(glob)*.py b/:(glob)*.py"]);
});
