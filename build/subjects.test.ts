/** `.ci/subjects` refuses commits whose subject is not `type(scope): imperative` in at most 72 characters. */

import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../utils/testing/command.ts";
import { ROOT } from "./options.ts";

/** @returns what `.ci/subjects` ends with and prints in a repository whose last commit has this subject */
function check(subject: string) {
  using folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@x", ...args], { cwd: folder.path });
  git("init", "--quiet");
  for (const message of ["The first one", subject]) git("commit", "--quiet", "--allow-empty", "--message", message);
  const { status, stdout } = spawnSync(join(ROOT, ".ci/subjects"), ["HEAD~1..HEAD"], {
    cwd: folder.path,
    encoding: "utf8",
  });
  return { status, stdout };
}

test.each(["fix: read a file", "feat(fix)!: count time on the clock", `docs: ${"x".repeat(66)}`])("%s", (subject) => {
  expect(check(subject)).toEqual({ status: 0, stdout: "" });
});

test.each([
  "Read a file",
  "fixed: read a file",
  "fix: Read a file",
  "fix: read a file.",
  "fix:read",
  `docs: ${"x".repeat(67)}`,
])("not %s", (subject) => {
  const { status, stdout } = check(subject);
  expect(status).toBe(1);
  expect(stdout).toContain(`at most 72 characters, lower case after the colon:\n${subject}\n`);
});

test("a clone without the first commit that is checked has nothing to check", () => {
  using folder = temporaryFolder();
  execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
  const { status, stdout } = spawnSync(join(ROOT, ".ci/subjects"), { cwd: folder.path, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("not checked") });
});
