import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { compiledModule, ended, firstOutput, temporaryFolder } from "../../testing/command.ts";
import { removeStaleFolders } from "./temporary.ts";

const MODULE = compiledModule("utils/base/files/temporary.ts");
const SERVERS = join(import.meta.dirname, "../../sandbox/python");
const TMPDIR = process.env.TMPDIR;
afterEach(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
});

/** Where temporary folders go until the end of the test. */
function ownTemporaryFolder() {
  const folder = temporaryFolder();
  process.env.TMPDIR = folder.path;
  return folder;
}

/** Without what the loader keeps there. */
const ours = (path: string) => readdirSync(path).filter((name) => name.startsWith("mend"));

/** A process that has made itself a temporary folder. @returns the process and the folder */
async function startOwner(command: string, args: string[]): Promise<{ child: ChildProcess; path: string }> {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  return { child, path: (await firstOutput(child)).trim() };
}

const startNode = (after = "process.stdin.resume()") =>
  startOwner(process.execPath, [
    ...["--input-type=module", "--eval"],
    `import { makeTemporaryFolder } from ${JSON.stringify(MODULE)};
     import { writeFileSync } from "node:fs";
     const folder = makeTemporaryFolder("work");
     writeFileSync(folder.path + "/file", "x");
     console.log(folder.path);
     ${after}`,
  ]);

const startPython = () =>
  startOwner("python3", [
    "-c",
    `import sys; sys.path.insert(0, ${JSON.stringify(SERVERS)}); from supervision import temporary; print(temporary.make_folder(), flush=True); sys.stdin.read()`,
  ]);

test.each([
  ["a command", startNode],
  ["the sandbox's supervisor", startPython],
])("the folder of %s stays while it lives and goes at the next start after it was killed", async (_who, startOne) => {
  using folder = ownTemporaryFolder();
  const { child, path } = await startOne();
  removeStaleFolders();
  expect(existsSync(path)).toBe(true);
  child.kill("SIGKILL");
  await ended(child);
  expect(existsSync(path)).toBe(true);
  removeStaleFolders();
  expect(ours(folder.path)).toEqual([]);
});

test("the folder of a process that ends goes with it, also where it was not disposed of", async () => {
  using folder = ownTemporaryFolder();
  const { child } = await startNode("process.exit(0)");
  await ended(child);
  expect(ours(folder.path)).toEqual([]);
});

test("links, other users' folders and folders of other names are left alone", () => {
  using elsewhere = temporaryFolder();
  using folder = ownTemporaryFolder();
  const inside = (name: string) => join(folder.path, name);
  writeFileSync(join(elsewhere.path, "file"), "x");
  symlinkSync(elsewhere.path, inside("mend-temporary-linked"));
  writeFileSync(inside("mend-temporary-file"), "x");
  mkdirSync(inside("mend-notes"));
  // Its own link must go without what it points to.
  mkdirSync(inside("mend-temporary-stale"));
  symlinkSync(elsewhere.path, inside("mend-temporary-stale/link"));
  mkdirSync(inside("mend-temporary-theirs"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(inside("mend-temporary-theirs"), 1500, 1500);
  else console.warn("not root: no folder of another user can be planted");
  removeStaleFolders();
  const left = ["mend-notes", "mend-temporary-file", "mend-temporary-linked"];
  expect(readdirSync(folder.path)).toEqual(isRoot ? [...left, "mend-temporary-theirs"] : left);
  expect(readdirSync(elsewhere.path)).toEqual(["file"]);
  expect(lstatSync(inside("mend-temporary-linked")).isSymbolicLink()).toBe(true);
});

test("a TMPDIR that does not exist is an error that says what to do", () => {
  using folder = ownTemporaryFolder();
  const none = join(folder.path, "none");
  const program = `import { makeTemporaryFolder } from ${JSON.stringify(MODULE)}; makeTemporaryFolder("work");`;
  const env = { ...process.env, TMPDIR: none };
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], { env, encoding: "utf8" });
  expect(stderr).toContain(
    `UserError: No temporary folder can be made in ${none} (ENOENT): mend that, or name another`,
  );
});
