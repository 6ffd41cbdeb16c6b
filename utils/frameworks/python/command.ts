/** Python's frameworks are started by one program, `run_tests.py`, which tells of each test in the same way. */

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestCommand } from "../../project/project_box.ts";
import { projectPython, pythonFolders } from "../../project/python_environment.ts";
import type { CommandRequest, TestFile } from "../framework.ts";

const RUNNER = fileURLToPath(new URL("./run_tests.py", import.meta.url));

export async function pythonCommand(
  kind: "pytest" | "unittest" | "doctest" | "asserts",
  { project, args, results, coverage, falsify }: CommandRequest,
): Promise<TestCommand> {
  const python = await projectPython(project);
  const source = join(project.folder, "src");
  return {
    argv: [python.executable, "-B", RUNNER, kind, results, ...args],
    env: {
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONHASHSEED: "0",
      PYTHONIOENCODING: "utf-8",
      ...(coverage === undefined ? {} : { MEND_COVERAGE: coverage }),
      ...(falsify ? { MEND_FALSIFY: "1" } : {}),
      ...(existsSync(source) && statSync(source).isDirectory() ? { PYTHONPATH: source } : {}),
    },
    // The whole folder: Python lists it to find what the runner imports.
    readable: [dirname(RUNNER), ...pythonFolders(python)],
  };
}

/** What the text of a Python test file says about who can run it. */
export const usesPytest = ({ text }: TestFile): boolean =>
  /^\s*(?:import pytest\b|from pytest\b)/m.test(text) ||
  /^(?:async )?def test_\w*\(\s*\w|^\s+(?:async )?def test_\w*\(\s*self\s*,\s*\w/m.test(text);
export const usesUnittest = ({ text }: TestFile): boolean => /\bTestCase\b/.test(text);
export const hasTestFunctions = ({ text }: TestFile): boolean => /^(?:(?:async )?def test|class Test)/m.test(text);
export const hasTopLevelAsserts = ({ text }: TestFile): boolean => /^assert\b/m.test(text);
