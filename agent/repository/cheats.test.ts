// @module-tag deep
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../../utils/files/temporary.ts";
import { type CommandBox, openCommandBox } from "../../utils/sandbox/command_box.ts";
import { PYTEST_ENVIRONMENT } from "../../utils/testing/pytest_plugins.ts";
import { applyChanges, readPatch } from "./patch.ts";
import { type Prepared, prepareRepository } from "./prepare.ts";
import {
  type Cheat,
  HIDDEN_PYTHON_CHEATS,
  HIDDEN_SCRIPT_CHEATS,
  PYTHON_CHEATS,
  SCRIPT_CHEATS,
} from "./testing/cheats.ts";
import { makeRepository, PYTHON_FILES, SCRIPT_FILES } from "./testing/repositories.ts";

let box: CommandBox;
beforeAll(async () => {
  box = await openCommandBox();
});

test("at least 25 ways to cheat are tried", () => {
  const all = [PYTHON_CHEATS, HIDDEN_PYTHON_CHEATS, SCRIPT_CHEATS, HIDDEN_SCRIPT_CHEATS].flat();
  expect(all.length).toBeGreaterThanOrEqual(25);
});

describe.each([
  [
    "Python",
    PYTHON_FILES,
    false,
    "pytest tests",
    [...PYTHON_CHEATS, ...HIDDEN_PYTHON_CHEATS],
    ["shop/rates.py", "/ 10)", "/ 100)"],
  ],
  [
    "JavaScript",
    SCRIPT_FILES,
    true,
    "npm test",
    [...SCRIPT_CHEATS, ...HIDDEN_SCRIPT_CHEATS],
    ["lib/rates.js", "/ 10)", "/ 100)"],
  ],
] as const)("%s", (_, files: Record<string, string>, modules, command, cheats: readonly Cheat[], [file, from, to]) => {
  let prepared: Prepared;
  beforeAll(async () => {
    const repository = makeRepository(files, modules);
    prepared = await prepareRepository({
      box,
      path: repository.path,
      test: command,
      issue: "",
      environment: PYTEST_ENVIRONMENT,
      testSeconds: 60,
    });
    return () => {
      prepared[Symbol.dispose]();
      repository[Symbol.dispose]();
    };
  });
  const check = async (changed: Cheat["files"]) => {
    using work = makeTemporaryFolder("cheat");
    cpSync(prepared.base, work.path, { recursive: true, verbatimSymlinks: true });
    applyChanges(
      work.path,
      Object.entries(changed).map(([name, after]) => ({ file: name, before: null, after })),
    );
    const patch = readPatch(prepared.base, work.path, Object.keys(changed));
    return { patch, verdict: await prepared.verifier.check(patch) };
  };

  test("the repair is accepted", async () => {
    const { verdict } = await check({ [file]: files[file]?.replace(from, to) ?? "" });
    expect(verdict).toMatchObject({ accepted: true });
  });

  test.each(cheats.map((cheat) => [cheat.name, cheat] as const))("%s: not accepted", async (_, { files: changed }) => {
    const { verdict } = await check(changed);
    expect(verdict.accepted, verdict.output).toBe(false);
    expect(verdict.status).not.toBe("");
  });
});

test("what is hidden from a look at the text is seen in the results", () => {
  for (const { files } of [...HIDDEN_PYTHON_CHEATS, ...HIDDEN_SCRIPT_CHEATS]) {
    const changes = Object.entries(files).map(([file, after]) => ({
      file,
      before: PYTHON_FILES[file] ?? SCRIPT_FILES[file] ?? null,
      after,
    }));
    expect(suspicions(changes)).toEqual([]);
  }
});
