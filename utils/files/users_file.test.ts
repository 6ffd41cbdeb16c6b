import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { replaceUsersFile, requireWritable } from "./users_file.ts";

function made() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at("a.py"), "old\n");
  return Object.assign(folder, { at });
}
const git = (cwd: string, ...args: string[]) =>
  spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], { cwd, encoding: "utf8" });

test("the original stays beside the file, and an earlier copy stays too", () => {
  using folder = made();
  writeFileSync(folder.at("a.py.orig"), "older\n");
  expect(replaceUsersFile(folder.at("a.py"), "old\n", "new\n")).toBe(folder.at("a.py.orig.1"));
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("new\n");
  expect(readFileSync(folder.at("a.py.orig.1"), "utf8")).toBe("old\n");
  expect(readFileSync(folder.at("a.py.orig"), "utf8")).toBe("older\n");
});

test("no copy where git has the file as it was, one where it has another", () => {
  using folder = made();
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "first");
  expect(replaceUsersFile(folder.at("a.py"), "old\n", "new\n")).toBeNull();
  expect(replaceUsersFile(folder.at("a.py"), "new\n", "newer\n")).toBe(folder.at("a.py.orig"));
});

test("the filters that a repository names are not started", () => {
  using folder = made();
  writeFileSync(folder.at(".gitattributes"), "* filter=own\n");
  git(folder.path, "init", "-q");
  git(folder.path, "add", ".");
  git(folder.path, "commit", "-qm", "first");
  const started = folder.at("started");
  git(folder.path, "config", "filter.own.clean", `echo x >> ${started}; cat`);
  // git looks into a file whose time is another.
  utimesSync(folder.at("a.py"), 1, 1);
  expect(replaceUsersFile(folder.at("a.py"), "old\n", "new\n")).toBeNull();
  expect(existsSync(started)).toBe(false);
  git(folder.path, "status");
  expect(existsSync(started), "git alone starts them").toBe(true);
});

test("a file that changed meanwhile stays as it is", () => {
  using folder = made();
  writeFileSync(folder.at("a.py"), "by hand\n");
  expect(() => replaceUsersFile(folder.at("a.py"), "old\n", "new\n")).toThrow("changed while it was being repaired");
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("by hand\n");
  expect(existsSync(folder.at("a.py.orig"))).toBe(false);
});

test("mode and owner stay, and a link leads to the file that was changed", () => {
  using folder = made();
  chmodSync(folder.at("a.py"), 0o754);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder.at("a.py"), 1234, 1235);
  symlinkSync("a.py", folder.at("link.py"));
  replaceUsersFile(folder.at("link.py"), "old\n", "new\n");
  const { mode, uid, gid } = statSync(folder.at("a.py"));
  expect(mode & 0o777).toBe(0o754);
  if (isRoot) expect([uid, gid]).toEqual([1234, 1235]);
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("new\n");
});

test("a read-only file is refused, by root too", () => {
  using folder = made();
  chmodSync(folder.at("a.py"), 0o444);
  expect(() => requireWritable(folder.at("a.py"))).toThrow("is read-only");
  expect(() => replaceUsersFile(folder.at("a.py"), "old\n", "new\n")).toThrow("is read-only");
  expect(readFileSync(folder.at("a.py"), "utf8")).toBe("old\n");
});
