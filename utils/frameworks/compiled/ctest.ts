/** CTest: tests of GoogleTest, Catch2 and any program that a CMakeLists.txt adds, told by its JUnit report. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import type { CommandRequest, Framework, TestReport } from "../framework.ts";
import { junitReport } from "../reports/junit.ts";
import { countedLine } from "./counted.ts";
import { exactly, without } from "./shell.ts";

/** Begins a report of ours. */
const NOT_BUILT = "not built:";

/**
 * The project is built in our folder, unless the command runs in one that it built itself, or names such a one.
 * @param round see `CommandRequest`: what is built is not configured anew, and what runs behind it not built
 */
function lineFor(round: CommandRequest["round"]): string {
  const isBuilt = round === undefined ? "" : '[ -e "$BUILD/cmake/CMakeCache.txt" ] || ';
  const build = [
    `  { { ${isBuilt}cmake -S . -B "$BUILD/cmake"; } &&`,
    '    cmake --build "$BUILD/cmake" --parallel 2; } > "$BUILD/said" 2>&1 || {',
    '    grep -vE "^(--|\\[|make|gmake|Scanning|Consolidate)" "$BUILD/said" | head -40 > "$BUILD/errors"',
    '    cat "$BUILD/errors" >&2',
    '    { echo "$NOT_BUILT"; cat "$BUILD/errors"; } > "$REPORT"; exit 2; }',
  ];
  const tests = '--output-on-failure --no-tests=error --output-junit "$REPORT"';
  return [
    `case " $* " in *" ${TEST_DIR} "*) ;; *) if [ ! -e ${BUILT} ]; then`,
    ...(round === "next" ? [] : build),
    `  set -- ${TEST_DIR} "$BUILD/cmake" "$@"; fi ;; esac`,
    `ctest ${round === "next" ? "--stop-on-failure --no-tests=error" : tests} "$@"`,
  ].join("\n");
}

/** In a folder that CMake made. */
const BUILT = "CTestTestfile.cmake";

const TEST_DIR = "--test-dir";
/** Where the command itself builds, if it does. */
const builtIn = (args: readonly string[]): string => args.find((_, i) => args[i - 1] === TEST_DIR) ?? ".";

export const ctest: Framework = {
  name: "ctest",
  language: "cpp",
  recognises: ({ path, text }, { folder }) =>
    /\.(?:cpp|cc|cxx)$/.test(path) &&
    existsSync(join(folder, "CMakeLists.txt")) &&
    /#\s*include\s*[<"](?:gtest\/|gmock\/|catch2?\/|catch\.hpp|doctest|boost\/test)/.test(text),
  commands: /^ctest(?=\s|$)/,
  command: async (request) => {
    const missing = ["cmake", "ctest", "g++"].filter((program) => findProgram(program) === undefined);
    if (missing.length > 0)
      throw new UserError(`There is no ${missing.join(", no ")} on PATH: sudo apt install cmake g++.`);
    const args = request.args.filter((word) => !/\.(?:cpp|cc|cxx)$/.test(word));
    const line = { line: lineFor(request.round), env: { NOT_BUILT, BUILT_IN: builtIn(args) } };
    return await countedLine({ ...request, args }, line, "ctest");
  },
  hooks: true,
  select: (tests, args) => ["-R", exactly(tests.map(({ name }) => name)), ...without(args, /^(?:-R|--tests-regex)$/)],
  parseResults: (text) => {
    if (text.startsWith(NOT_BUILT))
      return { tests: [], fatal: text.slice(NOT_BUILT.length).trim() || "it could not be built" };
    return text.includes("<testsuite") ? withFiles(junitReport(text)) : null;
  },
};

/** Where a message begins with a place, the test is there. */
function withFiles({ tests, fatal }: TestReport): TestReport {
  return {
    fatal,
    tests: tests.map((test) => {
      const [, file] = /^(\S+\.(?:cpp|cc|cxx))(?::|\()\d+/.exec(test.message) ?? [];
      return file === undefined ? test : { ...test, file };
    }),
  };
}
