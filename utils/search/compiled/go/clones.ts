/** Many versions of a Go function in one program: `utils/languages/go/runner/clones` runs them. */

import { importClauses, neededImports, withoutClauses } from "../../../languages/go/imports.ts";
import { anySignatureOf } from "../../../languages/go/signature.ts";
import { findFunction, type Import, testsIn, type Unit, unitOf } from "../../../languages/go/unit.ts";
import { type ClonedProgram, type Clones, versionsBehind } from "../clones.ts";

/** It is in the place of the judge's package, and `runSources` knows a program of versions by it. */
const RUNNER: Import = { path: "mend/judge", alias: "mend_judge" };
const REQUIRE = "github.com/stretchr/testify/require";
const ASSERT = "github.com/stretchr/testify/assert";
const TESTING: Import = { path: "testing", alias: "mend_testing" };
/** What edits use. */
const OFTEN = ["math", "sort", "strconv", "strings", "unicode"].map((path): Import => ({ path, alias: null }));
/** What may give something else at each call: the order of a map, chance, what runs beside. */
const CHANGES_BY_ITSELF = /\bmap\[|\brand\.|\bgo func\b|\bselect \{/;
/** A map of two comes in its other order once in eight times. */
const CALLS = 40;

/** @returns a sentence where the function cannot be taken apart */
export function goClones(program: string, entry: string, tests: string): Clones | string {
  const unit = unitOf(program);
  const found = findFunction(unit, entry);
  const signature = found && anySignatureOf(program, found);
  if (!found || !signature) return `no function \`${entry}\` with a signature of plain types stands in the program`;
  const { generics, parameters, results } = signature;
  const list = parameters.map((one, at) => `p${at} ${one}`).join(", ");
  const given = parameters.map((one, at) => `p${at}${one.startsWith("...") ? "..." : ""}`).join(", ");
  const before = program.slice(0, found.start);
  const behind = program.slice(found.end);
  const testUnit = unitOf(tests);
  const known = [...unit.imports, ...testUnit.imports, ...neededImports(program), ...neededImports(tests), ...OFTEN];
  const imports = importClauses([RUNNER, TESTING, ...known.map(goingOn)]);
  const [head, tail] = [before, behind].map((text) => withoutMain(withoutClauses(text, unitOf(text))));
  const plain = withoutMain(withoutClauses(tests, testUnit), "mend_main");
  /** @param begins what a call does first @param main what runs */
  const put = (versions: readonly string[], begins: string, main: string): ClonedProgram => {
    const made = versionsBehind(`package main; ${imports}\n${head}\n`, entry, versions, [before, behind]);
    const back = results.length > 0 ? "return " : "";
    const cases = made.names.map((own, at) => `${at === 0 ? "default" : `case ${at}`}: ${back}${own}(${given})`);
    const body = `${begins}switch mend_judge.At { ${cases.join("; ")} }`;
    const caller = `func ${entry}${generics}(${list}) (${results.join(", ")}) { ${body} }\n`;
    return { code: `${made.code}${caller}${tail}\n${plain}\nfunc main() { ${main} }\n`, lines: made.lines };
  };
  const all = `func() { ${callsOf(testUnit)} }`;
  const kept = parameters.map((_, at) => `p${at}`).join(", ");
  return {
    around: [before, behind],
    make: (versions, limits) => put(versions, "", `mend_judge.Run([]int{${limits.join(", ")}}, ${all})`),
    ...(generics === "" &&
      parameters.length > 0 && {
        compare: (versions: readonly string[], numbers: readonly string[]): string => {
          const calls = CHANGES_BY_ITSELF.test(program) ? CALLS : 1;
          const words = `${versions.length}, []int{${numbers.join(", ")}}, ${calls}, ${entry}, ${all}`;
          const main = `mend_judge.Compare(${words})`;
          return put(versions, `defer mend_judge.Enter(${kept})(); `, main).code;
        },
      }),
  };
}

/** Checks that go on behind one that fails, in place of those that end the test. */
const goingOn = (one: Import): Import => (one.path === REQUIRE ? { path: ASSERT, alias: one.alias ?? "require" } : one);

/** The tests one after the other; a file without any is its `main`. */
function callsOf(unit: Unit): string {
  const calls = testsIn(unit).map((name) => `mend_testing.Mend_run(${JSON.stringify(name)}, ${name})`);
  return (calls.length === 0 && findFunction(unit, "main") ? ["mend_main()"] : calls).join("; ");
}

/** A file's `main` under another name: the program of versions has its own. */
function withoutMain(code: string, name = "mend_program"): string {
  const found = findFunction(unitOf(code), "main");
  if (!found) return code;
  return code.slice(0, found.start) + code.slice(found.start).replace(/\bmain\b/, name);
}
