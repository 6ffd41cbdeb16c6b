/** Environments as they were when a row was made: by a lockfile, else by the times of a registry on this machine. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { openCommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import { type MadeUpVersion, startRegistry } from "../../../../utils/testing/registry.ts";
import { DEEP } from "../../../../utils/testing/repeats.ts";
import type { RepositoryTask } from "../rows.ts";
import { addEnvironment, extendEnvironment } from "./environment.ts";

afterEach(() => vi.unstubAllEnvs());

const OLD = { version: "1.0.0", published: "2019-01-01T00:00:00Z" };
const LATER = { version: "1.5.0", published: "2020-06-01T10:00:00Z" };
const NEW = { version: "1.9.0", published: "2024-01-01T00:00:00Z" };
const PACKAGES = {
  outer: [
    { ...OLD, dependencies: { inner: "^1.0.0" } },
    { ...NEW, dependencies: { inner: "^1.0.0", "made-today": "1" } },
  ],
  inner: [OLD, LATER, NEW],
  "made-today": [{ version: "1.0.0" }],
};
const MANIFEST = { dependencies: { outer: "^1.0.0" } };
const YARN =
  'outer@^1.0.0:\n  version "1.0.0"\n  dependencies:\n    inner "^1.0.0"\n\ninner@^1.0.0:\n  version "1.5.0"\n';

async function opened(packages: Record<string, MadeUpVersion[]> = PACKAGES) {
  const { variables, asked } = await startRegistry(packages);
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const folder = temporaryFolder();
  const prepare = await openCommandBox();
  let trees = 0;
  const treeOf = (files: Record<string, string>) => {
    trees += 1;
    const tree = join(folder.path, `tree${trees}`);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(tree, name, ".."), { recursive: true });
      writeFileSync(join(tree, name), text);
    }
    return tree;
  };
  const add = async (createdAt: string, files: Record<string, string>, isPrepared = true) => {
    const tree = treeOf({ "package.json": JSON.stringify(MANIFEST), ...files });
    const said: string[] = [];
    const options = { folder: join(folder.path, "kept"), prepare: isPrepared ? prepare : null };
    const say = (line: string) => void (line.endsWith("are being installed") || said.push(line));
    const problem = await addEnvironment(rowOf(createdAt), tree, { ...options, say });
    const versionOf = (name: string) => {
      const file = join(tree, "node_modules", name, "package.json");
      return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : null;
    };
    return { problem, said, tree, versions: Object.keys(packages).map(versionOf) };
  };
  return { add, asked, folder, prepare, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

const rowOf = (createdAt: string) =>
  ({ id: "o__r-1", language: "javascript", framework: "mocha", command: "", build: "", createdAt }) as RepositoryTask;

test("what was current when the row was made, by the registry's times, which are asked for once", DEEP, async () => {
  using opening = await opened();
  const { add, asked } = opening;
  expect(await add("2019-05-05T00:00:00Z", {})).toMatchObject({
    problem: null,
    said: [],
    versions: ["1.0.0", "1.0.0", null],
  });
  const before = asked.filter((one) => one.endsWith("/inner")).length;
  expect(await add("2020-06-01", {})).toMatchObject({ problem: null, said: [], versions: ["1.0.0", "1.5.0", null] });
  expect(asked.filter((one) => one.endsWith("/inner"))).toHaveLength(before);
  const today = await add("", {});
  expect(today).toMatchObject({ problem: null, versions: ["1.9.0", "1.9.0", "1.0.0"] });
  expect(today.said).toEqual([expect.stringMatching(/^o__r-1: its row does not say when it was made \(created_at\)/)]);
  expect((await add("", {}, false)).said, "also noted where it is installed already").toEqual(today.said);
  const partly = await add("2025-01-01", {});
  expect(partly.said).toEqual([expect.stringMatching(/does not tell when versions came of made-today: .* of today$/)]);
  expect((await add("2018-01-01", {})).said).toEqual([expect.stringMatching(/those of today, since .*2018-01-01/)]);
});

test.each<[string, Record<string, string>]>([
  ["Yarn's", { "yarn.lock": YARN }],
  [
    "later Yarn's",
    {
      "yarn.lock":
        '__metadata:\n  version: 8\n\n"outer@npm:^1.0.0":\n  version: 1.0.0\n\n"inner@npm:^1.0.0":\n  version: 1.5.0\n',
    },
  ],
  [
    "pnpm's",
    {
      "pnpm-lock.yaml":
        "lockfileVersion: '9.0'\n\npackages:\n\n  inner@1.5.0:\n    resolution: {}\n\n  outer@1.0.0:\n    resolution: {}\n",
    },
  ],
  [
    "pnpm's of before",
    {
      "pnpm-lock.yaml":
        "lockfileVersion: 5.4\npackages:\n  /inner/1.5.0:\n    dev: true\n  /outer/1.0.0_inner@1.5.0:\n",
    },
  ],
  [
    "npm's",
    {
      "package-lock.json": JSON.stringify({
        packages: {
          "": {},
          "node_modules/outer": { version: "1.0.0" },
          "node_modules/outer/node_modules/inner": { version: "1.5.0" },
        },
      }),
    },
  ],
  [
    "npm's of before",
    {
      "package-lock.json": JSON.stringify({
        dependencies: { outer: { version: "1.0.0", dependencies: { inner: { version: "1.5.0" } } } },
      }),
    },
  ],
])("what %s lockfile names, whenever the row was made", DEEP, async (_, files) => {
  using opening = await opened();
  const { add, folder } = opening;
  for (const day of ["2019-05-05", "2025-01-01", ""])
    expect(await add(day, files), day).toMatchObject({ versions: ["1.0.0", "1.5.0", null], said: [] });
  const kept = readdirSync(join(folder.path, "kept")).filter((name) => /^[0-9a-f]{16}$/.test(name));
  expect(kept, "all rows share it").toHaveLength(1);
});

test("with a lockfile that does not fit the versions of that day are taken, and a note says so", DEEP, async () => {
  using opening = await opened({ ...PACKAGES, outer: [...PACKAGES.outer, { version: "2.0.0" }] });
  const unknown = await opening.add("2020-07-01", { "yarn.lock": YARN.replaceAll('"1.', '"7.') });
  expect(unknown).toMatchObject({ problem: null, versions: ["1.0.0", "1.5.0", null], said: [] });
  const other = await opening.add("2020-07-01", { "yarn.lock": 'outer@^1.0.0:\n  version "2.0.0"\n' });
  expect(other).toMatchObject({ problem: null, versions: ["1.0.0", "1.5.0", null] });
  expect(other.said).toEqual([expect.stringMatching(/what yarn\.lock names cannot be installed: .*outer@\^1\.0\.0/)]);
});

test("packages that tests ask for are added for all rows that need the same", DEEP, async () => {
  using opening = await opened({ ...PACKAGES, more: [OLD, NEW] });
  const { add, folder, prepare } = opening;
  const options = { folder: join(folder.path, "kept"), prepare };
  const { tree } = await add("2020-07-01", {});
  expect(await extendEnvironment(rowOf("2020-07-01"), tree, ["more"], options)).toBeNull();
  expect((await add("2020-07-01", {}, false)).versions).toEqual(["1.0.0", "1.5.0", null, "1.0.0"]);
  expect(await extendEnvironment(rowOf("2020-07-01"), tree, ["more"], options)).toBe("they are installed");
  expect(await extendEnvironment(rowOf("2020-07-01"), tree, ["none-such"], options)).toMatch(/none-such|404/);
  expect((await add("2020-07-01", {}, false)).versions).toEqual(["1.0.0", "1.5.0", null, "1.0.0"]);
});
