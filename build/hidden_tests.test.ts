/** Wherever mend is installed, no box shows its hidden tests: a thief looks for them in each kind of box. */
// @module-tag deep

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { REQUIRE } from "../utils/base/host/own_address.ts";
import { isSlow } from "../utils/testing/repeats.ts";
import { bundleOptions, outsideLibraries } from "./options.ts";
import { firstDay, firstRepair } from "./testing/first_day.ts";
import { execute, installOffline, pack } from "./testing/packed.ts";

/** Not below `/tmp`, which boxes have for themselves. */
const folder = mkdtempSync("/var/tmp/mend-hidden-");
chmodSync(folder, 0o755);
const installed = join(folder, "installed");
const DATASET = '{"task_id": "Own/0", "prompt": "def f(x):\\n", "test": "assert f(1) == 1"}\n';

beforeAll(async () => {
  const { archive } = pack(folder);
  mkdirSync(installed);
  installOffline(archive, installed, ["@huggingface/transformers", "onnxruntime-node", "onnxruntime-web"]);
  await build({
    ...bundleOptions(join(installed, "node_modules/mend/dist/thief")),
    entryPoints: ["build/testing/thief.ts"],
    external: outsideLibraries(),
    banner: { js: REQUIRE },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The same files under another path. */
const copy = (from: string, to: string) => {
  mkdirSync(dirname(to), { recursive: true });
  execFileSync("cp", ["-al", from, to]);
};

/** A Python environment. Boxes show its `lib`. */
function prefix(name: string): { lib: string; env: Record<string, string> } {
  const path = join(folder, name);
  execFileSync("/usr/bin/python3", ["-m", "venv", "--without-pip", path]);
  return { lib: join(path, "lib"), env: { PATH: `${path}/bin:${process.env.PATH}` } };
}

/** Mend with its libraries inside, as npm installs it globally. */
function installAlone(path: string): void {
  copy(join(installed, "node_modules/mend"), path);
  copy(join(installed, "node_modules"), join(path, "node_modules"));
  rmSync(join(path, "node_modules/mend"), { recursive: true });
}

/** As pnpm does it: each package in a folder with links to what it needs. */
function installLinked(modules: string): string {
  const store = join(modules, ".pnpm");
  const packages = readdirSync(join(installed, "node_modules"))
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(installed, "node_modules", name)).map((one) => `${name}/${one}`) : [name],
    );
  const placeOf = (name: string) => join(store, `${name.replace("/", "+")}@1.0.0`, "node_modules");
  for (const name of packages) copy(join(installed, "node_modules", name), join(placeOf(name), name));
  for (const name of packages) {
    const manifest = JSON.parse(readFileSync(join(placeOf(name), name, "package.json"), "utf8"));
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    for (const other of Object.keys(needed).filter((one) => packages.includes(one))) {
      const link = join(placeOf(name), other);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(relative(dirname(link), join(placeOf(other), other)), link);
    }
  }
  symlinkSync(relative(modules, join(placeOf("mend"), "mend")), join(modules, "mend"));
  return join(placeOf("mend"), "mend");
}

type Report = Record<string, string>;
const KINDS = 8;

async function steal(
  mend: string,
  project: string,
  datasets: string[],
  env: Record<string, string>,
  words: readonly string[] = [],
): Promise<Report> {
  const { exitCode, stdout, stderr } = await execute(
    [...words, process.execPath, join(mend, "dist/thief/thief.js"), project, ...datasets],
    folder,
    env,
  );
  if (exitCode !== 0) throw new Error(stderr);
  const report: Report = JSON.parse(stdout);
  expect(Object.keys(report)).toHaveLength(KINDS);
  return report;
}
/** What somebody does who has just installed mend works there: all of it in `npm run test:slow`, else the first. */
async function liveWith(mend: string, env: Record<string, string>): Promise<void> {
  const project = mkdtempSync(join(folder, "day-"));
  const program = [process.execPath, join(mend, "dist/cli/mend.js")];
  await (isSlow ? firstDay : firstRepair)((...args) => execute([...program, ...args], project, env), project);
}
const nothing = (report: Report) => Object.fromEntries(Object.keys(report).map((name) => [name, "[]\n"]));

test("installed in a project's node_modules, which commands are shown", async () => {
  const report = await steal(join(installed, "node_modules/mend"), installed, [], {});
  expect(report).toEqual(nothing(report));
});

test("installed globally in a prefix whose lib boxes show; the same for datasets that lie there", async () => {
  const { lib, env } = prefix("global");
  const mend = join(lib, "node_modules/mend");
  installAlone(mend);
  const data = join(lib, "python3/site-packages/bench/data");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "tasks.jsonl"), DATASET);
  writeFileSync(join(data, "shown.jsonl"), DATASET);
  const report = await steal(mend, lib, [join(data, "tasks.jsonl")], env);
  for (const text of Object.values(report).slice(0, -2)) {
    expect(text).toContain("bench/data/shown.jsonl");
    expect(text).not.toMatch(/tasks\.jsonl|builtin/);
  }
  // As from a project's own packages, which `package.test.ts` does.
  if (isSlow) await liveWith(mend, env);
});

test("a clone below a folder that boxes show, and another mend that is installed there", async () => {
  const { lib, env } = prefix("clone");
  installAlone(join(lib, "src/mend"));
  copy(join(installed, "node_modules/mend"), join(lib, "node_modules/mend"));
  const report = await steal(join(lib, "src/mend"), lib, [], env);
  expect(report).toEqual(nothing(report));
});

test("installed by pnpm", async () => {
  const { lib, env } = prefix("linked");
  const mend = installLinked(join(lib, "node_modules"));
  const report = await steal(mend, lib, [], env);
  expect(report).toEqual(nothing(report));
  await liveWith(mend, env);
});

/** Another folder in the place of the system's, for a command and what it starts. */
const inPlace = (modules: string): string[] => [
  "unshare",
  "--mount",
  "sh",
  "-c",
  `mount --bind ${modules} /usr/lib/node_modules && exec "$@"`,
  "sh",
];
const canMount = spawnSync("unshare", ["--mount", "mount", "--bind", "/usr/lib/node_modules", "/mnt"]).status === 0;

describe.skipIf(!canMount)(`installed in /usr${canMount ? "" : " (skipped: mounts are not allowed here)"}`, () => {
  beforeAll(() => installAlone(join(folder, "system/mend")));
  const ordinary = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  test.each([
    ["root", []],
    ["an ordinary user", ordinary],
  ])("as %s", async (_, user) => {
    const words = [...inPlace(join(folder, "system")), ...user];
    const report = await steal("/usr/lib/node_modules/mend", "/usr/lib", [], {}, words);
    expect(report).toEqual(nothing(report));
  });
});
