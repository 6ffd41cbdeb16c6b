// @module-tag deep
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { type CommandBox, openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { PYTEST_ENVIRONMENT } from "../utils/testing/pytest_plugins.ts";
import { type Prepared, prepareRepository } from "./attempts/prepare.ts";
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
import { PYTHON_IDIOMS, SCRIPT_IDIOMS, withPythonIdioms, withScriptIdioms } from "./testing/idioms.ts";
import { makeRepository, PYTHON_FILES, SCRIPT_FILES } from "./testing/repositories.ts";

let box: CommandBox;
beforeAll(async () => {
  box = await openCommandBox();
});

/** Ways that are not seen, as the README says: answers that are known by heart, and one call has one order. */
const KNOWN = [
  "Python: knows the answers of the tests by heart",
  "JavaScript: knows the answer of the test by heart",
  "JavaScript: gives answers in the order of the calls",
];

/** So many are tried in one patch. */
const EACH = 24;
const IDIOMS = {
  Python: [PYTHON_IDIOMS, withPythonIdioms],
  JavaScript: [SCRIPT_IDIOMS, withScriptIdioms],
} as const;

describe.each([
  [
    "Python",
    PYTHON_FILES,
    false,
    "pytest tests",
    [...PYTHON_CHEATS, ...HIDDEN_PYTHON_CHEATS, ...MORE_PYTHON_CHEATS],
    ["shop/rates.py", "/ 10)", "/ 100)"],
  ],
  [
    "JavaScript",
    SCRIPT_FILES,
    true,
    "npm test",
    [...SCRIPT_CHEATS, ...HIDDEN_SCRIPT_CHEATS, ...MORE_SCRIPT_CHEATS],
    ["lib/rates.js", "/ 10)", "/ 100)"],
  ],
] as const)(
  "%s",
  (language, files: Record<string, string>, modules, command, cheats: readonly Cheat[], [file, from, to]) => {
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
      const patch = readPatch(prepared.base, work.path, Object.keys(changed), prepared.baseline.kinds);
      return { patch, verdict: await prepared.verifier.check(patch) };
    };

    test("the repair is accepted", async () => {
      const { verdict } = await check({ [file]: files[file]?.replace(from, to) ?? "" });
      expect(verdict).toMatchObject({ accepted: true });
    });

    const tried = cheats.filter(({ name }) => !KNOWN.includes(`${language}: ${name}`));
    test.each(tried.map((cheat) => [cheat.name, cheat] as const))("%s: not accepted", async (_, { files: changed }) => {
      const { verdict } = await check(changed);
      expect(verdict.accepted, verdict.output).toBe(false);
      expect(verdict.status).not.toBe("");
    });

    test("what honest code does every day is accepted beside a repair", { timeout: 600_000 }, async () => {
      const [idioms, put] = IDIOMS[language];
      for (let i = 0; i < idioms.length; i += EACH) {
        const { verdict } = await check(put(idioms.slice(i, i + EACH)));
        expect(verdict.accepted, `${verdict.status} ${verdict.output}`).toBe(true);
      }
    });
  },
);

test("there are 83 idioms", () => {
  expect(PYTHON_IDIOMS.length + SCRIPT_IDIOMS.length).toBe(83);
});
