// @module-tag deep
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { findProgram } from "../utils/base/host/host_programs.ts";
import type { Preparation } from "./attempts/prepare.ts";
import { applyChanges, readPatch } from "./project/patch.ts";
import { type Cheat, PYTHON_CHEATS, SCRIPT_CHEATS } from "./testing/cheats.ts";
import { MORE_SCRIPT_CHEATS } from "./testing/cheats_in_javascript.ts";
import { MORE_PYTHON_CHEATS } from "./testing/cheats_in_python.ts";
import { GUARDED, type GuardCase, PYTEST } from "./testing/guarded.ts";
import { PYTHON_IDIOMS, SCRIPT_IDIOMS, withPythonIdioms, withScriptIdioms } from "./testing/idioms.ts";
import { makeRepository, SCRIPT_FILES } from "./testing/repositories.ts";
import { prepareForTests } from "./testing/scripted.ts";

/** Ways that are not seen, as docs/safety.md says. */
const KNOWN = ["gives answers in the order of the calls: JavaScript"];

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
    cheats: [...PYTHON_CHEATS, ...MORE_PYTHON_CHEATS, ...PYTEST.cheats],
    repairs: [...PYTEST.repairs, ...idioms(PYTHON_IDIOMS, withPythonIdioms)],
  },
  {
    name: "JavaScript",
    files: SCRIPT_FILES,
    modules: true,
    command: "npm test",
    cheats: [...SCRIPT_CHEATS, ...MORE_SCRIPT_CHEATS],
    repairs: [{ name: "a plain one", files: { "lib/rates.js": PLAIN } }, ...idioms(SCRIPT_IDIOMS, withScriptIdioms)],
  },
  ...GUARDED.filter((one) => one !== PYTEST),
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
  const tried = project.cheats.filter((cheat) => !KNOWN.includes(`${cheat.name}: ${name}`));

  test.skipIf(lacking.length > 0).each(named(tried))("%s: never fixed", async (_, files) => {
    const { accepted, doubts, output } = await check(prepared, files);
    expect(accepted ? doubts : ["refused"], output).not.toEqual([]);
  });

  test.skipIf(lacking.length > 0).each(named(project.repairs))("%s: not refused", async (_, files) => {
    const { accepted, status, output } = await check(prepared, files);
    expect(accepted, `${status} ${output}`).toBe(true);
  });
});

test("so many cheats and habits of honest code are tried", () => {
  expect(PYTHON_IDIOMS.length + SCRIPT_IDIOMS.length).toBe(83);
  expect(PROJECTS.flatMap(({ cheats }) => cheats).length).toBeGreaterThanOrEqual(73);
});
