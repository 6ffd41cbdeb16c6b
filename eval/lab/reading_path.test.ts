/** The files that the page on the architecture names for one task are those through which it goes. */

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tsxEnvironment, tsxWords } from "../../utils/base/host/tsx.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";

const PAGE = join(import.meta.dirname, "../../docs/architecture.md");

test("something of each file that is to be read runs on a task's way to its score", DEEP, async () => {
  using folder = temporaryFolder();
  const page = readFileSync(PAGE, "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith("One task, ")) ?? "";
  const named = [...section.matchAll(/\]\(\.\.\/([^)]+\.ts)\)/g)].map(([, file = ""]) => file);
  expect(named).not.toEqual([]);
  expect(section).toContain(`these ${new Set(named).size} files`);
  const options = ["--dataset", "builtin", "--num", "1", "--few-shot-k", "0", "--model", "search"];
  // From its sources, as files are counted.
  const words = [...tsxWords(), join(import.meta.dirname, "reading_path.ts"), ...options];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder.path, env: tsxEnvironment() });
  const ran = stdout.split("\n");
  // The file that is started does no more than start.
  expect(named.filter((file) => file !== "eval/pass1.ts" && !ran.includes(file))).toEqual([]);
});
