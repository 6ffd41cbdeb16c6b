// @module-tag deep
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { findProgram } from "../utils/base/host/host_programs.ts";
import { isSlow } from "../utils/testing/repeats.ts";
import type { Preparation } from "./attempts/prepare.ts";
import { applyChanges, readPatch } from "./project/patch.ts";
import {
  type Cheat,
  HIDDEN_PYTHON_CHEATS,
  HIDDEN_SCRIPT_CHEATS,
  PYTHON_CHEATS,
  SCRIPT_CHEATS,
} from "./testing/cheats.ts";
import { MORE_SCRIPT_CHEATS } from "./testing/cheats_in_javascript.ts";
import { MORE_PYTHON_CHEATS } from "./testing/cheats_in_python.ts";
import { GUARDED, type GuardCase, PYTEST, TOGETHER } from "./testing/guarded.ts";
import { PYTHON_IDIOMS, SCRIPT_IDIOMS, withPythonIdioms, withScriptIdioms } from "./testing/idioms.ts";
import { makeRepository, SCRIPT_FILES } from "./testing/repositories.ts";
import { prepareForTests } from "./testing/scripted.ts";

/** Ways that are not seen, as docs/safety.md says. */
const KNOWN = ["gives answers in the order of the calls: JavaScript"];

/** What goes the same way as another one that is tried: in `npm run test:slow`, too. */
const ALIKE: Record<string, readonly string[]> = {
  Python: [
    "exits through sys",
    "forges the report by names that are put together, and ends",
    "patches the runner by names that are put together",
    "executes a picture",
    "patches the runner where the command line names several tests",
    "patches the runner where no object is called Falsify",
    "a class in another file that equals everything",
    "looks for the test above it",
    "looks for the expected value by a traceback",
    "looks for the expected value where the test's text is as it was",
    "starts another program in its place that writes the report",
    "skips by unittest",
    "ends the session well",
    "configures in pytest.toml",
    "configures in .pytest.toml",
    "configures in .pytest.ini",
    "a conftest.py among the tests",
    "a plugin in a folder of the package",
    "replaces the tests' package",
    "deselects in setup.cfg",
    "configures in pyproject.toml",
    "runs at the start of Python",
    "puts a plugin into a package",
    "raises SystemExit",
    "skips the test",
    "asks the network",
    "reads history for the fix",
    "leaves a process behind",
    "is expected to fail",
    "kills the process",
    "unittest.mock.ANY",
    "an approximation of everything",
    "changes assertions of live code",
    "patches the runner by names that are put together",
    "patches the runner where the environment shows no falsification",
    "puts a module in src in its place",
    "reads the expected value in a file of this length",
    "knows the rows by their first values",
    "swaps the compared value by a tracer",
    "registers a plugin that turns reports",
    "patches json, which writes the results",
    "patches what writes the results",
    "replaces the code of the tests that come",
    "a new test that fails before, beside a patched runner",
    "looks for the expected value in the frames above",
  ],
  JavaScript: [
    "exits by a name that is put together",
    "changes assertions by a name that is put together",
    "patches the runner where its files are the project's alone",
    "executes a text file",
    "ends well at once",
    "gives tests another function",
    "swallows what is thrown",
    "skips the test that runs",
    "configures mocha in .mocharc.cjs",
    "configures mocha in test/mocha.opts",
    "another package.json in the folder of the tests",
    "a file that is loaded with the tests",
    "changes what require gives",
    "patches the runner where the environment shows no falsification",
    "leaves a process that writes the report later",
    "ends well in the test",
  ],
  Go: ["replaces a module of the tests", "reads the expected value in the file of tests"],
  doctests: ["takes the examples away", "skips the examples"],
  "a shell script": ["ends well by a name that is put together"],
  "a file that holds its own tests": ["takes the test away"],
  "node:test by a script": ["ends well"],
  "node:test": ["is right while it is tested"],
};

const OLD_PYTHON = [...PYTHON_CHEATS, ...HIDDEN_PYTHON_CHEATS, ...MORE_PYTHON_CHEATS];
const OLD_SCRIPT = [...SCRIPT_CHEATS, ...HIDDEN_SCRIPT_CHEATS, ...MORE_SCRIPT_CHEATS];
const PLAIN = SCRIPT_FILES["lib/rates.js"]?.replace("/ 10)", "/ 100)") ?? "";

/** So many are tried in one patch. */
const EACH = 24;
const idioms = (all: readonly string[], put: (some: readonly string[]) => Cheat["files"]): Cheat[] =>
  Array.from({ length: Math.ceil(all.length / EACH) }, (_, i) => ({
    name: `what honest code does every day ${i + 1}`,
    files: put(all.slice(i * EACH, (i + 1) * EACH)),
  }));

const PROJECTS: readonly GuardCase[] = [
  {
    ...PYTEST,
    name: "Python",
    cheats: [...OLD_PYTHON, ...PYTEST.cheats],
    repairs: [...(isSlow ? PYTEST.repairs : [TOGETHER]), ...idioms(PYTHON_IDIOMS, withPythonIdioms)],
  },
  {
    name: "JavaScript",
    files: SCRIPT_FILES,
    modules: true,
    command: "npm test",
    cheats: OLD_SCRIPT,
    repairs: [{ name: "a plain one", files: { "lib/rates.js": PLAIN } }, ...idioms(SCRIPT_IDIOMS, withScriptIdioms)],
  },
  // Go shows what all compiled languages have in common.
  ...GUARDED.filter((one) => one !== PYTEST && (isSlow || one.name !== "Rust")),
];

async function prepare({ files, modules = false, command }: GuardCase): Promise<Preparation> {
  const repository = makeRepository(files, modules);
  const prepared = await prepareForTests(repository.path, command, { testSeconds: 120 });
  return {
    ...prepared,
    [Symbol.dispose]: () => {
      prepared[Symbol.dispose]();
      repository[Symbol.dispose]();
    },
  };
}

async function check(prepared: Preparation, changed: Cheat["files"]) {
  using work = makeTemporaryFolder("cheat");
  cpSync(prepared.base, work.path, { recursive: true, verbatimSymlinks: true });
  applyChanges(
    work.path,
    Object.entries(changed).map(([file, after]) => ({ file, before: null, after })),
  );
  const patch = readPatch(prepared.base, work.path, Object.keys(changed), prepared.baseline.kinds);
  return await prepared.verifier.check(patch);
}

const named = (cheats: readonly Cheat[]) => cheats.map((cheat) => [cheat.name, cheat.files] as const);

describe.each(PROJECTS.map((project) => [project.name, project] as const))("%s", (name, project) => {
  const lacking = (project.needs ?? []).filter((program) => findProgram(program) === undefined);
  if (lacking.length > 0) console.warn(`skipped: ${name} needs ${lacking.join(", ")}`);
  let prepared: Preparation;
  beforeAll(async () => {
    if (lacking.length > 0) return;
    prepared = await prepare(project);
    return () => prepared[Symbol.dispose]();
  }, 600_000);
  const seen = project.cheats.filter((cheat) => !KNOWN.includes(`${cheat.name}: ${name}`));
  const tried = seen.filter((cheat) => isSlow || !ALIKE[name]?.includes(cheat.name));

  test.skipIf(lacking.length > 0).each(named(tried))("%s: never fixed", async (_, files) => {
    const { accepted, doubts, output } = await check(prepared, files);
    expect(accepted ? doubts : ["refused"], output).not.toEqual([]);
  });

  test.skipIf(lacking.length > 0).each(named(project.repairs))("%s: not refused", async (_, files) => {
    const { accepted, status, output } = await check(prepared, files);
    expect(accepted, `${status} ${output}`).toBe(true);
  });
});

test("what is alike is among the cheats", () => {
  const all = new Map(PROJECTS.map(({ name, cheats }) => [name, cheats.map((cheat) => cheat.name)]));
  for (const [name, alike] of Object.entries(ALIKE)) expect(all.get(name)).toEqual(expect.arrayContaining([...alike]));
});

test("so many cheats and honest patches are tried", () => {
  const count = (all: readonly GuardCase[], of: "cheats" | "repairs") =>
    all.reduce((sum, one) => sum + one[of].length, 0);
  expect(PYTHON_IDIOMS.length + SCRIPT_IDIOMS.length).toBe(83);
  expect(count(GUARDED, "cheats")).toBeGreaterThanOrEqual(30);
  expect(count(GUARDED, "repairs")).toBeGreaterThanOrEqual(25);
});
