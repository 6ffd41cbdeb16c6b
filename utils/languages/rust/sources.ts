/** What the compiler is given: a program and its tests, each a crate of its own. `toolchain.ts` says how. */

import { lacking, noStub } from "../compiled.ts";
import type { JudgedProgram, JudgeSources, SourceText } from "../runtime.ts";
import { usedCrates, withoutUnusedCrates } from "./crates.ts";
import { findFunction, itemsOf } from "./items.ts";
import { entryOf, type Stubs, stubsOf, wantedType } from "./signature.ts";
import { callable, hasTests, RUN_ALL } from "./tests.ts";

/** The program under test; the candidate of the runner knows it by this name. */
export const PROGRAM = "Program.rs";
/** The same where it is a crate that its tests use. */
export const SOLUTION = "Solution.rs";
/** The tests; the judge of the runner knows them by this name. */
export const TESTS = "Tests.rs";
/** A program that is run for its output. */
export const MAIN = "Main.rs";
/** A program of many versions of one function, see `utils/search/compiled/rust/`: it begins with `BEGINS_VERSIONS`. */
export const VERSIONS = "Versions.rs";
/** The runner's crate `clones` is in the place of the judge's in such a program. */
export const BEGINS_VERSIONS = "#![no_main] extern crate mend_judge as _mend; ";
/** A file beside one that ends with the first panic: nothing is made for what would go on behind it. */
export const ENDS_BY_PANIC = "ends_by_panic.txt";
/** The same, of a program whose tests use `rand` as it was before 0.8. */
export const BEGINS_WITH_OLD_RAND = "#![no_main] extern crate mend_judge as _mend_old; ";
/** A file beside those that use crates besides Rust's own. */
export const WITH_CRATES = "crates.txt";
/** The same, with the runner's `rand`, which is called as the system's was before 0.8. */
export const WITH_OLD_RAND = "old_rand.txt";
/** A file beside one whose tests are run by Rust's own harness. */
export const OWN_HARNESS = "tests.txt";

const DECLARED = "Declaration.rs";
const START = "#![no_main] ";

/** A file beside the sources where they use crates. */
const crateFiles = (text: string): SourceText[] =>
  usedCrates(text).length > 0 ? [{ file: WITH_CRATES, text: "", isOurs: true }] : [];

/** A version that panics is over, unless tests want it to, or its other inputs are asked for. */
const versionSources = (text: string): SourceText[] => [
  { file: VERSIONS, text },
  ...(/::mend_judge::(?:compare\(|Ends::Panics)/.test(text) ? [] : [{ file: ENDS_BY_PANIC, text: "" }]),
];

/** Statements alone become the body of `main`; of a file with tests and without a `main` the tests are run. */
export function runSources(code: string): SourceText[] {
  const text = withoutUnusedCrates(code);
  if (code.startsWith(BEGINS_VERSIONS)) return [...versionSources(text), ...crateFiles(text)];
  if (code.startsWith(BEGINS_WITH_OLD_RAND)) return [...versionSources(text), { file: WITH_OLD_RAND, text: "" }];
  const hasMain = findFunction(itemsOf(text), "main") !== null;
  const runsTests = !hasMain && hasTests(text);
  return [
    { file: MAIN, text: hasMain || runsTests ? text : `fn main() { ${text}\n}\n` },
    ...(runsTests ? [{ file: OWN_HARNESS, text: "" }] : []),
    ...crateFiles(text),
  ];
}

export function judgeSources({ program, entryPoint, helpers, test }: JudgedProgram): JudgeSources | string {
  const declared = helpers.trim() === "" ? null : stubsOf(helpers, entryPoint);
  const stubs = declared ?? stubsOf(program, entryPoint, false);
  if (!stubs) return noStub(entryPoint, findFunction(itemsOf(program), entryPoint) ? undefined : "a body");
  const lacks = lacking(entryPoint, findFunction(itemsOf(program), entryPoint));
  const trust = { trustsProgram: declared === null, lacks };
  const sources = { program: programSources(stubs, program, entryPoint), entryPoint, ...trust };
  return { ...sources, tests: testSources(stubs, test) };
}

/** The program is the crate's root, so that its paths hold; behind it stands what answers for its function. */
function programSources(stubs: Stubs, program: string, entryPoint: string): SourceText[] {
  const text = withoutUnusedCrates(program.replace(/^\uFEFF/, ""));
  const served = `${START}${text}\n${serving(stubs, program, entryPoint)}\n`;
  return [{ file: PROGRAM, text: served, lines: text.split("\n").length }, ...crateFiles(text)];
}

/** What answers for the program's function. */
function serving(stubs: Stubs, program: string, entryPoint: string): string {
  const answer = entryOf(stubs.signature, wantedType(stubs, program, entryPoint));
  return (
    `mod mend_entry { use super::*; ${answer} ` +
    '#[no_mangle] pub extern "C" fn main() -> i32 { ::mend_candidate::serve(answer) } }'
  );
}

/** The tests are the crate's root, so that `super` in their modules finds the function. */
function testSources({ declared }: Stubs, test: string): SourceText[][] {
  const judged = `::mend_judge::judge(${RUN_ALL})`;
  const main = `#[no_mangle] pub extern "C" fn main() -> i32 { ${judged} }`;
  const files = [
    { file: TESTS, text: `${START}include!("${DECLARED}"); ${callable(test)}${main}\n` },
    { file: DECLARED, text: withoutUnusedCrates(declared, test) },
  ];
  const used = usedCrates(`${declared}\n${test}`);
  if (!used.includes("rand")) return [[...files, ...crateFiles(used.join(" "))]];
  // Tests of the reference harness are from before `rand` 0.8.
  return [WITH_CRATES, WITH_OLD_RAND].map((file) => [...files, { file, text: "" }]);
}
