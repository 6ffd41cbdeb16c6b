/** CTest: tests of GoogleTest, Catch2 and any program that a CMakeLists.txt adds, told by its JUnit report. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import type { Framework, TestReport } from "../framework.ts";
import { junitReport } from "../reports/junit.ts";
import { countedLine } from "./counted.ts";
import { exactly, shellLine, without } from "./shell.ts";

/** Begins a report of ours. */
const NOT_BUILT = "not built:";

/** The project is built in our folder, unless the command names one of its own, which something before it builds. */
const LINE = [
  'case " $* " in *" --test-dir "*) set -- "$@" ;; *)',
  '  { cmake -S . -B "$BUILD/cmake" && cmake --build "$BUILD/cmake" --parallel 2; } > "$BUILD/said" 2>&1 || {',
  '    grep -vE "^(--|\\[|make|gmake|Scanning|Consolidate)" "$BUILD/said" | head -40 > "$BUILD/errors"',
  '    cat "$BUILD/errors" >&2',
  '    { echo "$NOT_BUILT"; cat "$BUILD/errors"; } > "$REPORT"; exit 2; }',
  '  set -- --test-dir "$BUILD/cmake" "$@" ;; esac',
  'ctest --output-on-failure --no-tests=error --output-junit "$REPORT" "$@"',
].join("\n");

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
    const line = { line: LINE, env: { NOT_BUILT } };
    // What the user's own command built does not count.
    const isTheirs = args.includes("--test-dir");
    return isTheirs ? shellLine({ ...request, args }, line) : await countedLine({ ...request, args }, line, "ctest");
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
