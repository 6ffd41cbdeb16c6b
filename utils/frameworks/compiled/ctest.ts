/** CTest: tests of GoogleTest, Catch2 and any program that a CMakeLists.txt adds, told by its JUnit report. */

import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { findProgram, programOf, programsNamed } from "../../base/host/host_programs.ts";
import { compilerFolders } from "../../languages/cpp/toolchain.ts";
import { isOfSystem } from "../../languages/toolchains.ts";
import type { CommandRequest, Framework, TestReport } from "../framework.ts";
import { junitReport } from "../reports/junit.ts";
import { countedLine } from "./counted.ts";
import { exactly, type Line, without } from "./shell.ts";

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

const COMPILERS = ["g++", "c++", "clang++"];

/** CMake and the compilers that the user's shell takes, where they are none of the system. */
function toolsFor(): Required<Pick<Line, "env" | "programs" | "readable">> {
  const cmake = [...programsNamed("cmake")].map((path) => realpathSync(path)).find((path) => !isScript(path));
  const compilers = ["CC", "CXX"].flatMap((name) => {
    const program = programOf(name);
    return program === undefined ? [] : [[name, program] as const];
  });
  const onPath = programOf("CXX") ? [] : COMPILERS.flatMap((name) => findProgram(name) ?? []).slice(0, 1);
  const own = [...compilers.map(([, program]) => program), ...onPath].flatMap((compiler) =>
    compilerFolders({ compiler }),
  );
  const folder = cmake === undefined || isOfSystem(cmake) ? [] : [dirname(cmake)];
  return {
    env: Object.fromEntries(compilers),
    programs: [...folder, ...own.map((prefix) => join(prefix, "bin"))],
    readable: [...folder.map((path) => dirname(path)), ...own],
  };
}

/** As package managers of Python install it: what it starts is elsewhere. */
const isScript = (path: string): boolean => readFileSync(path).subarray(0, 2).toString() === "#!";

export const ctest: Framework = {
  name: "ctest",
  language: "cpp",
  recognises: ({ path, text }, { folder }) =>
    /\.(?:cpp|cc|cxx)$/.test(path) &&
    existsSync(join(folder, "CMakeLists.txt")) &&
    /#\s*include\s*[<"](?:gtest\/|gmock\/|catch2?\/|catch\.hpp|doctest|boost\/test)/.test(text),
  commands: /^ctest(?=\s|$)/,
  command: async (request) => {
    const missing = [["cmake"], ["ctest"], COMPILERS].filter((names) => names.every((name) => !findProgram(name)));
    if (missing.length > 0)
      throw new UserError(
        `There is no ${missing.map(([name]) => name).join(", no ")} on PATH: sudo apt install cmake g++.`,
      );
    const args = request.args.filter((word) => !/\.(?:cpp|cc|cxx)$/.test(word));
    const { env, ...tools } = toolsFor();
    const line = { line: lineFor(request.round), env: { NOT_BUILT, BUILT_IN: builtIn(args), ...env }, ...tools };
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
