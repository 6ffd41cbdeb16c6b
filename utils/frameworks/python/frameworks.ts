/** Python's frameworks. One program, `run_tests.py`, starts them all and reports each test in the same form. */

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../base/data/errors.ts";
import { tryForeignText } from "../../base/files/foreign_file.ts";
import { hasPackage, projectPython, pythonFolders } from "../../project/python_environment.ts";
import type { TestCommand } from "../../project/test_command.ts";
import type { CommandRequest, Framework, TestFile, WrittenTest } from "../framework.ts";
import { parseLines } from "../lines.ts";

const RUNNER = fileURLToPath(new URL("./run_tests.py", import.meta.url));

async function pythonCommand(
  kind: "pytest" | "unittest" | "doctest" | "asserts",
  { project, args, results, coverage }: CommandRequest,
): Promise<TestCommand> {
  const python = await projectPython(project);
  const source = join(project.folder, "src");
  return {
    argv: [python.executable, "-B", RUNNER, kind, results, ...args],
    env: {
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONHASHSEED: "0",
      PYTHONIOENCODING: "utf-8",
      ...(coverage === undefined ? {} : { MEND_COVERAGE: coverage, MEND_ROOT: project.root }),
      ...(existsSync(source) && statSync(source).isDirectory() ? { PYTHONPATH: source } : {}),
    },
    // The whole folder: Python lists it to find what the runner imports.
    readable: [dirname(RUNNER), ...pythonFolders(python)],
  };
}

/** What the text of a Python test file says about who can run it. */
const usesPytest = ({ text }: TestFile): boolean =>
  /^\s*(?:import pytest\b|from pytest\b)/m.test(text) ||
  /^(?:async )?def test_\w*\(\s*\w|^\s+(?:async )?def test_\w*\(\s*self\s*,\s*\w/m.test(text);
const usesUnittest = ({ text }: TestFile): boolean => /\bTestCase\b/.test(text);
const hasTestFunctions = ({ text }: TestFile): boolean => /^(?:(?:async )?def test|class Test)/m.test(text);
const hasTopLevelAsserts = ({ text }: TestFile): boolean => /^assert\b/m.test(text);

const hasExamples = (text: string): boolean => /^\s*>>> /m.test(text);

const asFunction: WrittenTest = {
  text: (name, call, value) => `def test_${name}():\n    assert ${call} == ${value}\n`,
};

/** In a script of assertions, which may be run by Python alone, it is one of them. */
const asScript: WrittenTest = {
  text: (name, call, value, tests) =>
    hasTopLevelAsserts({ path: "", text: tests })
      ? `assert ${call} == ${value}\n`
      : asFunction.text(name, call, value, tests),
};

/** Files with settings of pytest, and what begins these there. */
const PYTEST_SETTINGS: readonly [file: string, settings: RegExp][] = [
  ["pytest.toml", /^\[/m],
  ["pytest.ini", /^\[pytest\]/m],
  ["pyproject.toml", /^\[tool\.pytest/m],
  ["setup.cfg", /^\[tool:pytest\]/m],
  ["tox.ini", /^\[pytest\]/m],
];

/** The examples in the docstrings of the file itself, or in a text file. */
export const doctest: Framework = {
  name: "doctest",
  typed: "python3 -m doctest",
  language: "python",
  names: { modules: ["doctest"] },
  isWithin: hasExamples,
  recognises: ({ path, text }, { target }) => hasExamples(text) && (path === target || !path.endsWith(".py")),
  commands: /^\S*python[\d.]*\s+-m\s+doctest(?:\s+-v)?(?=\s|$)/,
  command: (request) => pythonCommand("doctest", request),
  parseResults: parseLines,
};

/** An option that says how tests are found or run, not which of them. */
const isKept = (word: string, i: number, args: readonly string[]): boolean =>
  /^--(?:doctest-modules$|doctest-(?:glob|encoding)=|import-mode=|rootdir=|confcutdir=|override-ini=)/.test(word) ||
  VALUED.test(word) ||
  VALUED.test(args[i - 1] ?? "");
const VALUED = /^-[pco]$/;

/** For files that need it, and for test functions wherever it is installed. */
export const pytest: Framework = {
  name: "pytest",
  language: "python",
  names: {
    modules: ["pytest", "_pytest", "pluggy"],
    settings: [/conftest\.py/, /pytest\.(?:toml|ini)/],
    signs: /\bconftest\b|\bPYTEST_\w+/,
  },
  writes: asFunction,
  isSetUp: ({ folder }) =>
    PYTEST_SETTINGS.some(([file, settings]) => settings.test(tryForeignText(folder, file).text ?? "")),
  recognises: async (tests, project) =>
    usesPytest(tests) ||
    (hasTestFunctions(tests) && !hasTopLevelAsserts(tests) && hasPackage(await projectPython(project), "pytest")),
  commands: /^(?:\S*python[\d.]*\s+-m\s+)?(?:\S*\/)?py\.?test(?=\s|$)/,
  command: async (request) => {
    const python = await projectPython(request.project);
    if (!(await hasPackage(python, "pytest"))) {
      throw new UserError(
        `The tests need pytest, and ${python.executable} does not have it: install it there, or name another ` +
          "runner with --test-command.",
      );
    }
    return pythonCommand("pytest", request);
  },
  takesFolders: true,
  namesHold: "::",
  select: (tests, args) => [...args.filter(isKept), ...tests.map(({ name }) => name)],
  firstAlone: ["--first-alone"],
  hooks: true,
  parseResults: parseLines,
};

/** Where pytest is not there to run its cases, or a command starts it. */
export const unittest: Framework = {
  name: "unittest",
  typed: "python3 -m unittest",
  language: "python",
  names: { modules: ["unittest"] },
  writes: {
    text: (name, call, value) =>
      `class ${name}(unittest.TestCase):\n    def test_told(self):\n        self.assertEqual(${call}, ${value})\n`,
    needs: /^import unittest\b/m,
  },
  recognises: (tests) => usesUnittest(tests) && !hasTopLevelAsserts(tests),
  commands: /^\S*python[\d.]*\s+-m\s+unittest(?=\s|$)/,
  command: (request) => pythonCommand("unittest", request),
  select: (tests, args) => [...args, ...tests.flatMap(({ name }) => ["-k", name])],
  hooks: true,
  parseResults: parseLines,
};

/** Plain asserts, test functions and test classes, read without a framework. Takes what no other does. */
export const asserts: Framework = {
  name: "asserts",
  typed: "python3",
  language: "python",
  writes: asScript,
  isWithinNamed: (text) => hasTopLevelAsserts({ path: "", text }),
  recognises: ({ path }) => path.endsWith(".py"),
  commands: null,
  command: (request) => pythonCommand("asserts", request),
  parseResults: parseLines,
};
