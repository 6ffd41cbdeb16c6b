import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryFolder } from "../files/temporary.ts";
import { copyProject, filesOf } from "./copy.ts";

test("copies what git tracks and is there: no file that is gone, no folder that is a repository of its own", () => {
  using folder = makeTemporaryFolder("copied");
  const [root, copy] = [join(folder.path, "root"), join(folder.path, "copy")];
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { stdio: "ignore" });
  git("init", root);
  for (const name of ["kept.js", "gone.js", "ignored.log", "new.js"]) writeFileSync(join(root, name), name);
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  symlinkSync("nowhere", join(root, "link"));
  mkdirSync(join(root, "inner"));
  git("init", join(root, "inner"));
  writeFileSync(join(root, "inner/one.js"), "");
  git("-C", join(root, "inner"), "add", "-A");
  git("-C", join(root, "inner"), "commit", "-m", "a");
  git("-C", root, "add", "kept.js", "gone.js", "inner", "link");
  rmSync(join(root, "gone.js"));
  const { files } = copyProject(filesOf(root, "tracked"), copy, "bwrap");
  expect(files).toEqual([".gitignore", "kept.js", "link", "new.js"]);
  expect(files.filter((name) => name !== "link" && !existsSync(join(copy, name)))).toEqual([]);
  expect(readlinkSync(join(copy, "link"))).toBe("nowhere");
});

test("copies the files of submodules that are there, as they are now", () => {
  using folder = makeTemporaryFolder("copied");
  const [root, library, copy] = ["root", "library", "copy"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const git = (at: string, ...words: string[]) =>
    execFileSync("git", ["-C", at, "-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { stdio: "ignore" });
  for (const path of [root, library]) {
    mkdirSync(path);
    git(path, "init");
  }
  mkdirSync(join(library, "src"));
  writeFileSync(join(library, "src/one.py"), "1");
  git(library, "add", "-A");
  git(library, "commit", "-m", "a");
  for (const at of ["lib", "vendor/left out"])
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", library, at);
  git(root, "submodule", "deinit", "-f", "vendor/left out");
  writeFileSync(join(root, "lib/new.py"), "2");
  const { files } = copyProject(filesOf(root, "tracked"), copy, "bwrap");
  expect(files).toEqual([".gitmodules", "lib/new.py", "lib/src/one.py"]);
  expect(readFileSync(join(copy, "lib/new.py"), "utf8")).toBe("2");
});
