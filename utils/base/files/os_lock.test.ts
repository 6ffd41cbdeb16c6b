import { spawnSync } from "node:child_process";
import { closeSync, openSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { isStillAt, tryLock } from "./os_lock.ts";

const PATH = process.env.PATH;
afterEach(() => {
  process.env.PATH = PATH;
});

/** The program itself, not a version manager's script that needs others. */
const COMMANDS = {
  flock: ["which", "flock"],
  python3: ["python3", "-c", "import sys; print(sys.executable)"],
};

test.each(["flock", "python3"] as const)("a lock taken with %s lasts until its descriptor is closed", (helper) => {
  using folder = temporaryFolder();
  const [command = "", ...args] = COMMANDS[helper];
  const program = spawnSync(command, args, { encoding: "utf8" }).stdout.trim();
  if (program === "") return console.warn(`${helper} is not installed`);
  symlinkSync(program, join(folder.path, helper));
  process.env.PATH = folder.path;
  const [first, second] = [openSync(folder.path, "r"), openSync(folder.path, "r")];
  expect(tryLock(first)).toBe("taken");
  expect(tryLock(second)).toBe("held");
  closeSync(first);
  expect(tryLock(second)).toBe("taken");
  closeSync(second);
});

test("without a helper the error names the missing programs", () => {
  using folder = temporaryFolder();
  process.env.PATH = folder.path;
  expect(() => tryLock(0)).toThrow("Neither `flock` nor `python3` was found");
});

test("a file that was replaced is not the one that was opened", () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "a");
  writeFileSync(file, "");
  const fd = openSync(file, "r");
  expect(isStillAt(fd, file)).toBe(true);
  renameSync(file, join(folder.path, "b"));
  expect(isStillAt(fd, file)).toBe(false);
  writeFileSync(file, "");
  expect(isStillAt(fd, file)).toBe(false);
  closeSync(fd);
});
