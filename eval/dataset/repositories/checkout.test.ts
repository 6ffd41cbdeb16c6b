import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../agent/repository/testing/repositories.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { applyPatch, openRepositories } from "./checkout.ts";
import { addEnvironment } from "./environment.ts";
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
  expect(repositories.missing({ ...place, id: "o__r-2" })).toContain("is not in the repositories");
  const tree = join(folder.path, "tree");
  repositories.checkOut(place, tree);
  expect(readdirSync(tree).sort()).toEqual(["a.py", "tests"]);
});

test.each(["r", "o__r", "o/r", "."])("a clone at %s gives the tree of a commit", (at) => {
  using repository = makeRepository(FILES);
  using folder = temporaryFolder();
  const base = repository.git("rev-parse", "HEAD").trim();
  const clone = join(folder.path, "clones", at);
  mkdirSync(join(clone, ".."), { recursive: true });
  renameSync(repository.path, clone);
  using repositories = openRepositories(join(folder.path, "clones"));
  const place = { id: "o__r-1", repo: "o/r", base };
  expect(repositories.missing(place)).toBeNull();
  expect(repositories.missing({ ...place, base: "1".repeat(40) })).toContain("is not in the repositories");
  repositories.checkOut(place, join(folder.path, "tree"));
  expect(readdirSync(join(folder.path, "tree")).sort()).toEqual(["a.py", "tests"]);
});

test("what is neither is said", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "no.bundle"), "x");
  expect(() => openRepositories(join(folder.path, "no.bundle"))).toThrow("is no git bundle");
  expect(() => openRepositories(join(folder.path, "absent"))).toThrow("is not there");
  using repositories = openRepositories(folder.path);
  expect(repositories.missing({ id: "x", repo: "o/r", base: "1" })).toContain("there is no clone of o/r");
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

test("packages: none are needed, they are there, or it is said how they come", async () => {
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
