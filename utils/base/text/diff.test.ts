import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { unifiedDiff } from "./diff.ts";

test.each([
  "a.py",
  "with blank.py",
  'say "hi".py',
  "back\\slash.py",
  "größe 😀.py",
  "a b/c\td.py",
  "line\nend.py",
  "-x.py",
])("a diff of %j is applied by git", (name) => {
  using folder = temporaryFolder();
  mkdirSync(dirname(join(folder.path, name)), { recursive: true });
  writeFileSync(join(folder.path, name), "one\r\ntwo");
  const input = unifiedDiff(name, "one\r\ntwo", "one\r\nthree\n");
  const ran = spawnSync("git", ["apply", "--whitespace=nowarn"], { cwd: folder.path, input, encoding: "utf8" });
  expect(ran.stderr + input).toBe(input);
  expect(readFileSync(join(folder.path, name), "utf8")).toBe("one\r\nthree\n");
});
