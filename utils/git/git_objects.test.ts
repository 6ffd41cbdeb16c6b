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
import { UserError } from "../base/data/errors.ts";
import { temporaryFolder } from "../testing/command.ts";
import { DEEP } from "../testing/repeats.ts";
import { GitError } from "./git.ts";
import { commitNamed, readObjects, writeTree } from "./git_objects.ts";

function repository() {
  const folder = temporaryFolder();
  const [path, out] = [join(folder.path, "repository"), join(folder.path, "out")];
  mkdirSync(path);
  const git = (args: readonly string[], input: string | Buffer = "") =>
    execFileSync("git", ["-C", path, "-c", "user.name=T", "-c", "user.email=t@a.b", ...args], {
      input,
      stdio: ["pipe", "pipe", "ignore"],
    })
      .toString()
      .trim();
  git(["init", "--quiet"]);
  const blob = (text: string) => git(["hash-object", "-w", "--stdin"], text);
  /** A tree that git itself would not write. */
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

test(
  "a tree comes as a checkout writes it: programs, links, submodules, line ends, any name; no filter and no export-ignore counts",
  DEEP,
  () => {
    using folder = repository();
    const { repository: path, git, out } = folder;
    const started = join(folder.path, "started");
    mkdirSync(join(path, "tests"));
    writeFileSync(join(path, "a.py"), "a = 1\n$Format:%H$\n");
    writeFileSync(join(path, "run"), "#!/bin/sh\n", { mode: 0o755 });
    writeFileSync(join(path, "tests/windows.txt"), "a\n");
    writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xe9])]), "latin\n");
    writeFileSync(join(path, "Icon\r"), "i\n");
    symlinkSync("/etc/passwd", join(path, "link"));
    const attributes = "*.py filter=own\ntests export-ignore\na.py export-subst\n*.txt eol=crlf\n";
    writeFileSync(join(path, ".gitattributes"), attributes);
    git(["add", "--all"]);
    git(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},library`]);
    git(["commit", "--quiet", "-m", "first"]);
    for (const kind of ["smudge", "clean"]) git(["config", `filter.own.${kind}`, `echo x >> ${started}; cat`]);
    for (const [key, value] of Object.entries({ "core.sparseCheckout": "true", "core.symlinks": "false" }))
      git(["config", key, value]);
    mkdirSync(join(path, ".git/info"), { recursive: true });
    writeFileSync(join(path, ".git/info/attributes"), "* eol=crlf filter=own\n");
    writeTree(path, commitNamed(path, "HEAD") ?? "", out);
    expect(existsSync(started)).toBe(false);
    expect(readdirSync(out, { encoding: "latin1" }).sort()).toEqual(
      [".gitattributes", "Icon\r", "a.py", "library", "link", "run", "tests", "\xe9"].sort(),
    );
    expect(readFileSync(join(out, "a.py"), "utf8")).toBe("a = 1\n$Format:%H$\n");
    expect(readFileSync(join(out, "tests/windows.txt"), "utf8")).toBe("a\r\n");
    expect([statSync(join(out, "run")).mode & 0o111, statSync(join(out, "a.py")).mode & 0o111]).toEqual([0o111, 0]);
    expect([readlinkSync(join(out, "link")), readdirSync(join(out, "library"))]).toEqual(["/etc/passwd", []]);
    git(["archive", "--format=tar", "HEAD"]);
    expect(existsSync(started), "git archive starts it").toBe(true);
  },
);

test("a tree that would be written elsewhere, or into a .git, is refused", DEEP, () => {
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
    [".g\u200cit", tree(["40000", ".g\u200cit", inner])],
    ["git~1", tree(["40000", "git~1", inner])],
    [".", tree(["40000", ".", inner])],
    ["a name that is too long", tree(["100644", "n".repeat(300), file])],
  ] as const) {
    expect(written(entry), name).toThrow(UserError);
    expect(readdirSync(out), name).toEqual([]);
  }
  try {
    written(tree(["120000", "a", link], ["40000", "a", inner]))();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
  }
  expect(existsSync(join(folder.path, "x")), "through a link").toBe(false);
});

test("a tree without end is refused before it is written", DEEP, () => {
  using folder = repository();
  const { blob, tree, written, out } = folder;
  const wide = (hash: string, mode: string) =>
    tree(...Array.from({ length: 100 }, (_, i): [string, string, string] => [mode, `n${100 + i}`, hash]));
  let hash = wide(blob(""), "100644");
  for (let depth = 0; depth < 4; depth++) hash = wide(hash, "40000");
  expect(written(hash)).toThrow(/it prints too much/);
  const large = blob("x".repeat(11_000_000));
  expect(written(wide(large, "100644"))).toThrow(/its tree has more than 1000 MB/);
  expect(existsSync(out)).toBe(false);
});

test("what is missing, too large or no hash", DEEP, () => {
  using folder = repository();
  const { repository: path, blob, tree, written } = folder;
  const [small, large] = [blob("small"), blob("x".repeat(2000))];
  const read = (...hashes: string[]) => [...readObjects(path, hashes, 1000)].map(([, text]) => text.toString());
  expect(read(small, large, "1".repeat(40), small)).toEqual(["small"]);
  expect(() => read("HEAD")).toThrow(/"HEAD" is not the hash/);
  expect(() => read(`${small}\n${large}`)).toThrow(/is not the hash/);
  expect(written(tree(["100644", "a", "1".repeat(40)]))).toThrow(GitError);
  for (const name of ["HEAD", "--all", "--output=x", "1".repeat(40), "$(id)"])
    expect(commitNamed(path, name)).toBeNull();
});

test("a repository of SHA-256, and a clone at the path of whose objects is a colon", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a:"b');
  execFileSync("git", ["init", "--quiet", "--object-format=sha256", path]);
  writeFileSync(join(path, "a.py"), "a = 1\n");
  for (const words of [
    ["add", "."],
    ["-c", "user.name=T", "-c", "user.email=t@a.b", "commit", "--quiet", "-m", "first"],
  ])
    execFileSync("git", words, { cwd: path });
  const commit = commitNamed(path, "HEAD") ?? "";
  expect(commit).toHaveLength(64);
  writeTree(path, commit, join(folder.path, "out"));
  expect(readFileSync(join(folder.path, "out/a.py"), "utf8")).toBe("a = 1\n");
});
