// @module-tag deep
import { cpSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryFolder } from "../utils/base/files/temporary.ts";
import { type CommandBox, openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { PYTEST_ENVIRONMENT } from "../utils/testing/pytest_plugins.ts";
import { isSlow } from "../utils/testing/repeats.ts";
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
  ],
};

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

    const seen = cheats.filter(({ name }) => !KNOWN.includes(`${language}: ${name}`));
    const tried = seen.filter(({ name }) => isSlow || !ALIKE[language]?.includes(name));
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

test("what is alike is among the cheats", () => {
  const named = Object.values(ALIKE).flat();
  const all = [
    PYTHON_CHEATS,
    HIDDEN_PYTHON_CHEATS,
    MORE_PYTHON_CHEATS,
    SCRIPT_CHEATS,
    HIDDEN_SCRIPT_CHEATS,
    MORE_SCRIPT_CHEATS,
  ];
  const names = all.flat().map(({ name }) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test("there are 83 idioms", () => {
  expect(PYTHON_IDIOMS.length + SCRIPT_IDIOMS.length).toBe(83);
});
