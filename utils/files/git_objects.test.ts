import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/command.ts";
import { commitNamed, readObjects, writeTree } from "./git_objects.ts";

function repository() {
  const folder = temporaryFolder();
  const [path, out] = [join(folder.path, "repository"), join(folder.path, "out")];
  mkdirSync(path);
  const git = (args: readonly string[], input: string | Buffer = "") =>
    execFileSync("git", ["-C", path, "-c", "user.name=T", "-c", "user.email=t@a.b", ...args], { input })
      .toString()
      .trim();
  git(["init", "--quiet"]);
  const blob = (text: string) => git(["hash-object", "-w", "--stdin"], text);
  /** A tree as nobody's git makes one. */
  const tree = (...entries: [mode: string, name: string, hash: string][]) =>
    git(
      ["hash-object", "-w", "-t", "tree", "--literally", "--stdin"],
      Buffer.concat(
        entries.map(([mode, name, hash]) =>
          Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, "hex")]),
        ),
      ),
    );
  const commit = (hash: string) => git(["commit-tree", hash, "-m", "made"]);
  const written = (hash: string) => () => writeTree(path, commit(hash), out);
  return Object.assign(folder, { repository: path, out, git, blob, tree, commit, written });
}

test("a tree comes as it is committed: programs, links, submodules, any name; no filter and no export-ignore counts", () => {
  using folder = repository();
  const { repository: path, git, out } = folder;
  const started = join(folder.path, "started");
  const filter = `echo x >> ${started}; tr a-z A-Z`;
  mkdirSync(join(path, "tests"));
  writeFileSync(join(path, "a.py"), "a = 1\r\n");
  writeFileSync(join(path, "run"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(path, "tests/empty.py"), "");
  writeFileSync(join(path, "tests/twice.py"), "a = 1\r\n");
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xe9])]), "latin\n");
  writeFileSync(join(path, "Icon\r"), "i\n");
  symlinkSync("/etc/passwd", join(path, "link"));
  writeFileSync(join(path, ".gitattributes"), "*.py filter=own\ntests export-ignore\na.py export-subst\n");
  git(["add", "--all"]);
  git(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},library`]);
  git(["commit", "--quiet", "-m", "first"]);
  for (const kind of ["smudge", "clean"]) git(["config", `filter.own.${kind}`, filter]);
  writeTree(path, commitNamed(path, "HEAD") ?? "", out);
  expect(existsSync(started)).toBe(false);
  expect(readdirSync(out, { encoding: "latin1" }).sort()).toEqual(
    [".gitattributes", "Icon\r", "a.py", "library", "link", "run", "tests", "\xe9"].sort(),
  );
  expect(readFileSync(join(out, "a.py"), "utf8")).toBe("a = 1\r\n");
  expect(readdirSync(join(out, "tests")).sort()).toEqual(["empty.py", "twice.py"]);
  expect([statSync(join(out, "run")).mode & 0o111, statSync(join(out, "a.py")).mode & 0o111]).toEqual([0o111, 0]);
  expect([readlinkSync(join(out, "link")), readdirSync(join(out, "library"))]).toEqual(["/etc/passwd", []]);
  git(["archive", "--format=tar", "HEAD"]);
  expect(existsSync(started), "git archive starts it").toBe(true);
});

test("a tree that would be written elsewhere, or into a .git, is refused as a whole", () => {
  using folder = repository();
  const { blob, tree, written, out } = folder;
  const file = blob("evil\n");
  const [link, inner] = [blob(folder.path), tree(["100644", "x", file])];
  for (const [name, entry] of [
    ["..", tree(["40000", "..", inner])],
    ["../x", tree(["100644", "../x", file])],
    ["/x", tree(["100644", "/x", file])],
    [".git", tree(["40000", ".git", inner])],
    [".GIT", tree(["40000", "a", tree(["100644", ".GIT", file])])],
    [".", tree(["40000", ".", inner])],
  ] as const) {
    expect(written(entry), name).toThrow(/which is no path of a file/);
    expect(existsSync(out), name).toBe(false);
  }
  expect(written(tree(["120000", "a", link], ["40000", "a", inner])), "through a link").toThrow(
    /cannot be written here/,
  );
  expect(existsSync(join(folder.path, "x"))).toBe(false);
  writeFileSync(join(folder.path, "long"), "");
  expect(written(tree(["100644", "n".repeat(300), file]))).toThrow(/cannot be written here \(ENAMETOOLONG\)/);
});

test("what is missing, too large or no hash", () => {
  using folder = repository();
  const { repository: path, blob, tree, written } = folder;
  const [small, large] = [blob("small"), blob("x".repeat(2000))];
  const read = (...hashes: string[]) => [...readObjects(path, hashes, 1000)].map(([, text]) => text.toString());
  expect(read(small, large, "1".repeat(40), small)).toEqual(["small"]);
  expect(() => read("HEAD")).toThrow(/"HEAD" is no hash/);
  expect(() => read(`${small}\n${large}`)).toThrow(/is no hash/);
  expect(written(tree(["100644", "a", "1".repeat(40)]))).toThrow(/missing in the clone/);
  for (const name of ["HEAD", "--all", "--output=x", "1".repeat(40), "$(id)"])
    expect(commitNamed(path, name)).toBeNull();
});
