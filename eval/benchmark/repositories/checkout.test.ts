import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { applyPatch, openRepositories } from "./checkout.ts";
import { addEnvironment } from "./environment/environment.ts";
import type { RepositoryTask } from "./rows.ts";

const FILES = { "a.py": "a = 1\n", "tests/test_a.py": "" };

test("a bundle gives the tree of a tag, without history", () => {
  using repository = makeRepository(FILES);
  using folder = temporaryFolder();
  repository.git("tag", "o__r-1");
  repository.git("bundle", "create", join(folder.path, "all.bundle"), "--tags");
  using repositories = openRepositories(join(folder.path, "all.bundle"));
  const place = { id: "o__r-1", repo: "o/r", base: "0".repeat(40) };
  expect(repositories.missing(place)).toBeNull();
  const base = repository.git("rev-parse", "HEAD").trim();
  expect(repositories.missing({ ...place, id: "o__r-2" })).toMatch(/refs\/tags\/o__r-2 or 0{40} is not in the bundle$/);
  expect(repositories.missing({ ...place, id: "o__r-2", base }), "without a tag, by its hash").toBeNull();
  const tree = join(folder.path, "tree");
  repositories.checkOut(place, tree);
  expect(readdirSync(tree).sort()).toEqual(["a.py", "tests"]);
});

const PLACES = ["r", "r.git", "o__r", "o__r.git", "o/r", "o/r.git", "."];

test.each([...PLACES, ...PLACES.map((at) => `bare ${at}`)])(
  "a clone at %s gives the tree of a commit",
  DEEP,
  (name) => {
    const [at = "", kind] = name.split(" ").toReversed();
    using repository = makeRepository(FILES);
    using folder = temporaryFolder();
    const base = repository.git("rev-parse", "HEAD").trim();
    const clone = join(folder.path, "clones", at);
    mkdirSync(join(clone, ".."), { recursive: true });
    if (kind === "bare") repository.git("clone", "--quiet", "--bare", ".", clone);
    else renameSync(repository.path, clone);
    using repositories = openRepositories(join(folder.path, "clones"));
    const place = { id: "o__r-1", repo: "o/r", base };
    expect(repositories.missing(place)).toBeNull();
    expect(repositories.missing({ ...place, base: "1".repeat(40) })).toBe(
      `its base ${"1".repeat(40)} is not in ${clone}`,
    );
    repositories.checkOut(place, join(folder.path, "tree"));
    expect(readdirSync(join(folder.path, "tree")).sort()).toEqual(["a.py", "tests"]);
  },
);

test("of several clones that of the name without an owner counts where it holds the commit", DEEP, () => {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const [first, second] = ["a = 1\n", "a = 2\n"].map((text, i) => {
    using made = makeRepository({ "a.py": text });
    made.git("clone", "--quiet", "--bare", ".", at(["o__r.git", "r"][i] ?? ""));
    return made.git("rev-parse", "HEAD").trim();
  });
  using repositories = openRepositories(folder.path);
  for (const [base = "", text] of [
    [first, "a = 1\n"],
    [second, "a = 2\n"],
  ]) {
    const tree = at(`tree-${base}`);
    repositories.checkOut({ id: "x", repo: "o/r", base }, tree);
    expect(readFileSync(join(tree, "a.py"), "utf8")).toBe(text);
  }
  expect(repositories.missing({ id: "x", repo: "other/r", base: first ?? "" })).toMatch(
    /^its base .* is not in \S+\/r$/,
  );
});

test("a path that is neither a bundle nor a folder, and a missing clone, are reported", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "no.bundle"), "x");
  expect(() => openRepositories(join(folder.path, "no.bundle"))).toThrow("is not a git bundle");
  expect(() => openRepositories(join(folder.path, "absent"))).toThrow("is not there");
  using repositories = openRepositories(folder.path);
  expect(repositories.missing({ id: "x", repo: "o/r", base: "1" })).toBe(
    `there is no clone of o/r in ${folder.path}: looked for o__r, o__r.git, o/r, o/r.git, r, r.git`,
  );
});

test("a clone that leads to a repository elsewhere is refused, and so is a base that is no whole hash", () => {
  using secret = makeRepository({ "secret.py": "secret\n" });
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const base = secret.git("rev-parse", "HEAD").trim();
  for (const name of ["a__file", "a__common/.git", "a__folder", "owner"]) mkdirSync(at(name), { recursive: true });
  symlinkSync(secret.path, at("a__link"));
  symlinkSync(secret.path, at("owner/name"));
  symlinkSync(secret.at(".git"), at("a__folder/.git"));
  writeFileSync(at("a__file/.git"), `gitdir: ${secret.at(".git")}\n`);
  writeFileSync(at("a__common/.git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(at("a__common/.git/commondir"), `${secret.at(".git")}\n`);
  using repositories = openRepositories(folder.path);
  for (const repo of ["a/link", "owner/name", "a/folder", "a/file", "a/common"]) {
    const place = { id: "x", repo, base };
    expect(repositories.missing(place), repo).toMatch(/leads out of the folder of clones/);
    expect(() => repositories.checkOut(place, at("tree")), repo).toThrow(/leads out/);
  }
  renameSync(secret.path, at("o__r"));
  expect(repositories.missing({ id: "x", repo: "o/r", base })).toBeNull();
  for (const name of ["HEAD", base.slice(0, 12), "--all", "HEAD~0"])
    expect(repositories.missing({ id: "x", repo: "o/r", base: name }), name).toMatch(/not the whole hash/);
});

test("a folder that is no clone is not taken for a part of the repository around it", () => {
  using around = makeRepository({ "secret.py": "secret\n" });
  const base = around.git("rev-parse", "HEAD").trim();
  for (const name of ["clones/o/r", "clones/o__b/.git"]) mkdirSync(around.at(name), { recursive: true });
  using repositories = openRepositories(around.at("clones"));
  expect(repositories.missing({ id: "x", repo: "o/r", base })).toMatch(/no clone of o\/r/);
  expect(repositories.missing({ id: "x", repo: "o/b", base })).toMatch(/leads out of the folder of clones/);
  expect(repositories.missing({ id: "x", repo: "o", base })).toMatch(/no clone of o/);
});

const patch = (file: string) =>
  `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a = 1\n+a = 2\n`;

test("patches apply, or say why not, and never leave the folder", () => {
  using folder = temporaryFolder();
  const tree = join(folder.path, "tree");
  mkdirSync(tree);
  for (const file of ["a.py", "../b.py"]) writeFileSync(join(tree, file), "a = 1\n");
  expect(applyPatch(tree, patch("a.py"))).toBeNull();
  expect(readFileSync(join(tree, "a.py"), "utf8")).toBe("a = 2\n");
  expect(applyPatch(tree, patch("a.py"))).toMatch(/does not apply/);
  expect(applyPatch(tree, patch("../b.py"))).toMatch(/invalid path|outside/);
  expect(readFileSync(join(folder.path, "b.py"), "utf8")).toBe("a = 1\n");
});

const task = (framework: string) => ({ language: "javascript", framework, build: "" }) as RepositoryTask;

test.each([
  ["{", /package\.json is not a JSON object/],
  ["null", /package\.json is not a JSON object/],
  ['"text"', /package\.json is not a JSON object/],
  [null, /^its package\.json cannot be read: package\.json is a folder/],
])("a package.json that is none (%s) is a reason", async (text, said) => {
  using folder = temporaryFolder();
  if (text === null) mkdirSync(join(folder.path, "package.json"));
  else writeFileSync(join(folder.path, "package.json"), text);
  expect(await addEnvironment(task("mocha"), folder.path, { folder: folder.path, prepare: null })).toMatch(said);
});

test("folders and links with names of tests are not read, and a node_modules of the tree is a reason", async () => {
  using folder = temporaryFolder();
  const { path } = folder;
  writeFileSync(join(path, "package.json"), JSON.stringify({ devDependencies: { mocha: "10" } }));
  mkdirSync(join(path, "test/b.js"), { recursive: true });
  symlinkSync("/dev/zero", join(path, "test/c.js"));
  symlinkSync("/", join(path, "test/all"));
  const options = { folder: join(path, "kept"), prepare: null };
  expect(await addEnvironment(task("mocha"), path, options)).toMatch(/run once with --prepare/);
  mkdirSync(join(path, "node_modules"));
  expect(await addEnvironment(task("mocha"), path, options)).toMatch(/node_modules of its own/);
});

test("packages: none are needed, they are there, or the message says how to install them", async () => {
  using folder = temporaryFolder();
  const tree = join(folder.path, "tree");
  mkdirSync(tree);
  const options = { folder: join(folder.path, "kept"), prepare: null };
  expect(await addEnvironment(task("mocha"), tree, options)).toBeNull();
  writeFileSync(join(tree, "package.json"), JSON.stringify({ devDependencies: { linter: "1" } }));
  expect(await addEnvironment(task("mocha"), tree, options)).toBeNull();
  writeFileSync(join(tree, "package.json"), JSON.stringify({ devDependencies: { linter: "1", mocha: "10" } }));
  const problem = (await addEnvironment(task("mocha"), tree, options)) ?? "";
  expect(problem).toContain("--prepare");
  const place = /\((.+)\)/.exec(problem)?.[1] ?? "";
  mkdirSync(join(place, "node_modules/mocha"), { recursive: true });
  expect(await addEnvironment(task("mocha"), tree, options)).toBeNull();
  expect(existsSync(join(tree, "node_modules/mocha"))).toBe(true);
  writeFileSync(join(tree, "package.json"), JSON.stringify({ devDependencies: { linter: "2", mocha: "10" } }));
  using other = temporaryFolder();
  writeFileSync(join(other.path, "package.json"), readFileSync(join(tree, "package.json")));
  expect(await addEnvironment(task("mocha"), other.path, options), "a linter is no part of it").toBeNull();
});
