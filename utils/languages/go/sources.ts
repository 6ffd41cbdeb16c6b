/** The files that a Go program, and a judge's tests of it, are compiled from. `toolchain.ts` says how. */

import { noStub } from "../compiled.ts";
import type { JudgedProgram, JudgeSources, SourceText } from "../runtime.ts";
import { asFileOf } from "./imports.ts";
import { helpersOf, stubOf } from "./signature.ts";
import { findFunction, testsIn, type Unit, unitOf } from "./unit.ts";

/** A program that is run for its output, under its own name in messages. */
export const PROGRAM = "program.go";
/** A program of many versions of one function, see `utils/search/compiled/go/`: it imports the package `JUDGE`. */
export const VERSIONS = "versions.go";
const JUDGE = "mend/judge";
/** The program under test; `candidate.go` of the runner knows it by this name. */
export const SOLUTION = "solution.go";
/** A file of the program that is one with its tests: by it ours starts before the program does. */
export const FIRST = "first.go";
/** A file beside it where the tests need what the program does not export: then both are one package. */
export const TOGETHER = "together.go";
/** A file beside those that are compiled against Go's own `testing`, as users have it. */
export const GOS_OWN = "gos_own.go";

/** The package of tests that have a `main`, which is none of ours; other tests are one with ours. */
const TESTS = "tests";

/** Statements alone become the body of `main`; of a file with tests and without a `main` the tests are run. */
export function runSources(code: string): SourceText[] {
  const unit = unitOf(code);
  const isFile =
    unit.declarations.length === 0 || unit.declarations.some(({ kind }) => kind === "func" || kind === "type");
  const text = isFile ? code : inMain(code);
  const tests = testsIn(unit);
  const runsTests = isFile && tests.length > 0 && !findFunction(unit, "main");
  if (unit.imports.some(({ path }) => path === JUDGE)) return [{ file: VERSIONS, text: asFileOf("main", text) }];
  const files = [{ file: PROGRAM, text: asFileOf("main", text) }];
  // To be compiled is all that can be asked of it.
  if (isFile && tests.length === 0 && !findFunction(unit, "main"))
    return [...files, { file: "main.go", text: "package main; func main() {}\n", isOurs: true }];
  if (!runsTests) return files;
  const list = tests.map((name) => `{${JSON.stringify(name)}, ${name}}`).join(", ");
  const main =
    "func main() { testing.Main(func(_, _ string) (bool, error) { return true, nil }, " +
    `[]testing.InternalTest{${list}}, nil, nil) }`;
  return [...files, { file: GOS_OWN, text: `package main; import "testing"; ${main}\n` }];
}

/** Statements, whose imports stay in front. */
function inMain(code: string): string {
  const last = unitOf(code).clauses.at(-1)?.end ?? 0;
  return `${code.slice(0, last)}${last > 0 ? ";" : ""} func main() { ${code.slice(last)}\n}\n`;
}

export function judgeSources({ program, entryPoint, helpers, test }: JudgedProgram): JudgeSources | string {
  const isDeclared = helpers.trim() !== "";
  const unit = unitOf(test);
  const name = findFunction(unit, "main") ? TESTS : "main";
  const stub = stubOf(isDeclared ? helpers : program, entryPoint, name);
  const sources = { program: programSources(program, entryPoint), entryPoint, trustsProgram: !isDeclared };
  if (test.trim() === "") return { ...sources, tests: [[{ file: "main.go", text: mainOf(entryPoint, "nil") }]] };
  if (stub === null) return noStub(entryPoint);
  const files = [
    { file: "stub.go", text: stub },
    { file: "helpers.go", text: isDeclared ? helpersOf(helpers, entryPoint, name) : `package ${name}\n` },
    { file: "tests.go", text: asFileOf(name, test) },
    name === TESTS
      ? { file: "main.go", text: mainOf(entryPoint, `${TESTS}.Mend_tests`) }
      : { file: "start.go", text: mainOf(entryPoint, "Mend_tests") },
  ];
  return {
    ...sources,
    tests: [
      [...files, { file: "list.go", text: `package ${name}; ${lightList(unit)}\n` }],
      [...files, { file: GOS_OWN, text: `package ${name}; ${gosOwnList(unit)}\n` }],
    ],
  };
}

/** One package with ours, or where it has a `main`, one of its own. */
function programSources(program: string, entryPoint: string): SourceText[] {
  const unit = unitOf(program);
  const entry = findFunction(unit, entryPoint) ? entryPoint : "nil";
  if (!findFunction(unit, "main"))
    return [
      { file: SOLUTION, text: asFileOf("main", program) },
      {
        file: "entry.go",
        text: `package main; import mend_candidate "mend/candidate"; func main() { mend_candidate.Serve(${entry}) }\n`,
      },
    ];
  return [
    { file: SOLUTION, text: asFileOf("solution", program) },
    { file: "entry.go", text: `package solution; func Mend_entry() interface{} { return ${entry} }\n` },
    {
      file: "main.go",
      text:
        `package main; import ("mend/candidate"; "solution"); func main() { ` +
        `candidate.Serve(solution.Mend_entry()) }\n`,
    },
  ];
}

function mainOf(entryPoint: string, tests: string): string {
  const imported = tests.startsWith(TESTS) ? `import ${JSON.stringify(TESTS)}; ` : "";
  const main = `func main() { mend_judge.Main(${JSON.stringify(entryPoint)}, ${tests}) }`;
  return `package main; import mend_judge "mend/judge"; ${imported}${main}\n`;
}

/** Runs the tests with the runner's small `testing` package; a file without tests runs its `main`. */
export function lightList(unit: Unit): string {
  const tests = testsIn(unit).map((name) => `mend_testing.Mend_run(${JSON.stringify(name)}, ${name})`);
  const calls = tests.length === 0 && findFunction(unit, "main") ? ["main()"] : tests;
  const imported = tests.length === 0 ? "" : 'import mend_testing "testing"; ';
  return `${imported}func Mend_tests() { ${calls.join("; ")} }`;
}

/** The same with Go's own `testing`. It prints its findings, so the verdict only names the test that failed. */
function gosOwnList(unit: Unit): string {
  const tests = testsIn(unit).map((name) => {
    const told = JSON.stringify(`${name} fails`);
    return (
      `{${JSON.stringify(name)}, func(t *mend_testing.T) { defer func() { if t.Failed() { ` +
      `mend_judge.Failed(${told}) } }(); ${name}(t) }}`
    );
  });
  const list = `[]mend_testing.InternalTest{${tests.join(", ")}}`;
  const imported =
    'import mend_testing "testing"; import mend_deps "testing/internal/testdeps"; import mend_judge "mend/judge"; ';
  return `${imported}func Mend_tests() { mend_testing.MainStart(mend_deps.TestDeps{}, ${list}, nil, nil, nil).Run() }`;
}
