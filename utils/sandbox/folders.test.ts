/** The walk by which the disk meter counts what a program wrote. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { PYTHON_FOLDER } from "./bwrap.ts";

/** Whether the walk of a folder comes to a file. */
function isSeen(folder: string, file: string): boolean {
  const code = [
    "import os, sys",
    "from processes import folders",
    "wanted = os.stat(sys.argv[2])",
    "print(any(os.path.samestat(wanted, one) for one in folders.entries_below(sys.argv[1])))",
  ].join("\n");
  const env = { ...process.env, PYTHONPATH: PYTHON_FOLDER };
  return execFileSync("python3", ["-B", "-c", code, folder, file], { encoding: "utf8", env }).trim() === "True";
}

/** Others may have folders there that only root can list. */
const isRoot = process.getuid?.() === 0;
const isMounted = statSync("/dev/shm", { throwIfNoEntry: false })?.dev !== statSync("/dev").dev;

test.skipIf(!isRoot || process.platform !== "linux" || !isMounted)("it stays in the file system of its folder", () => {
  using own = temporaryFolder();
  writeFileSync(join(own.path, "a"), "");
  expect(isSeen(own.path, join(own.path, "a"))).toBe(true);
  const other = mkdtempSync("/dev/shm/mend-test-");
  try {
    writeFileSync(join(other, "a"), "");
    expect(isSeen("/dev/shm", join(other, "a"))).toBe(true);
    expect(isSeen("/dev", join(other, "a"))).toBe(false);
  } finally {
    rmSync(other, { recursive: true });
  }
});
