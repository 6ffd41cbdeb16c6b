import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readLockfile } from "../../../../utils/project/packages/lockfile.ts";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import type { RepositoryTask } from "../rows.ts";
import { neededPackages, readManifest } from "./dependencies.ts";
import { missingPackages } from "./missing_packages.ts";

function needed(manifest: object, files: Record<string, string>): string[] {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries({ "package.json": JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  const read = readManifest(folder.path);
  if (read === null || typeof read === "string") throw new Error(String(read));
  const task = { framework: "jest", command: "", build: "" } as RepositoryTask;
  return Object.keys(neededPackages(folder.path, read, task).devDependencies);
}

const versions = (...names: string[]) => Object.fromEntries(names.map((name) => [name, "1"]));

test("what settings name in short, what tests beside the source load, and families; no linter", () => {
  const devDependencies = versions(
    ...["jest", "babel-jest", "@babel/core", "@babel/preset-env", "jest-environment-jsdom", "nock", "eslint", "rollup"],
  );
  const manifest = { devDependencies, babel: { presets: ["@babel/env"] }, jest: { testEnvironment: "jsdom" } };
  const found = needed(manifest, { "src/a.test.js": 'const nock = require("nock");\n' });
  expect(found).toEqual(["@babel/core", "@babel/preset-env", "babel-jest", "jest", "jest-environment-jsdom", "nock"]);
  expect(needed({ devDependencies: versions("babel-preset-env", "babel-core", "jest") }, {})).toEqual(["jest"]);
  const named = needed(
    { devDependencies: versions("babel-preset-env", "babel-core", "jest") },
    { ".babelrc": '{ "presets": ["env"] }' },
  );
  expect(named).toEqual(["babel-core", "babel-preset-env", "jest"]);
  const scripts = { test: "mocha --require=ts-node/register", lint: "eslint ." };
  const more = { scripts, devDependencies: versions("ts-node", "eslint"), peerDependencies: versions("react") };
  expect(needed(more, { "lib/__tests__/a.jsx": 'import React from "react";' })).toEqual(["react", "ts-node"]);
});

const run = (output: string, message?: string) =>
  missingPackages(
    {
      ...{ fatal: null, output },
      tests: new Map(message === undefined ? [] : [["a", { name: "a", status: "failed", message } as const]]),
    },
    { language: "javascript", tree: "" },
  );

test.each<[string, string | undefined]>([
  ["Cannot find module '@babel/preset-env/lib' from 'x'", "@babel/preset-env"],
  ["Error: Cannot find package 'chai' imported from /x", "chai"],
  ['Couldn\'t find preset "env" relative to directory', "babel-preset-env"],
  ['Unknown plugin "transform-runtime" specified in', "babel-plugin-transform-runtime"],
  ["Preset ts-jest not found.", "ts-jest"],
  ["Test environment jest-environment-jsdom cannot be found.", "jest-environment-jsdom"],
  ["Cannot find module '../lib/rates'", undefined],
  ["Cannot find module 'node:sqlite'", undefined],
  ["Cannot find module 'fs/promises'", undefined],
  ["Cannot find module '@/store'", undefined],
])("%s", (text, name) => {
  expect([...run(text).values()]).toEqual(name === undefined ? [] : [name]);
  expect([...run("", text).values()], "of a test that fails").toEqual(name === undefined ? [] : [name]);
});

test("lockfiles that are broken, hostile or endless name nothing", () => {
  using folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  expect(readLockfile(folder.path)).toBeNull();
  write("package-lock.json", "{");
  write("pnpm-lock.yaml", "packages:\n  /../../x@1.0.0:\n  /a@file:../x:\n");
  write("yarn.lock", 'a@^1:\n  version "../../x"\n"--git=x@1":\n  version "1.0.0"\n');
  expect(readLockfile(folder.path)).toBeNull();
  write(
    "package-lock.json",
    JSON.stringify({ dependencies: { a: { version: "npm:@s/b@1.2.3" }, c: { version: "git+ssh://x" } } }),
  );
  expect(readLockfile(folder.path)?.versions).toEqual(new Map([["@s/b", new Set(["1.2.3"])]]));
  const deep = `${'{"dependencies":{"a":'.repeat(3000)}{"version":"1.0.0"}${"}}".repeat(3000)}`;
  write("package-lock.json", deep);
  expect(readLockfile(folder.path)?.versions).toEqual(new Map([["a", new Set(["1.0.0"])]]));
});
