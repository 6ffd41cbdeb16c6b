/** A Rust program that is judged in one process with its tests: when it has to be, and what it is compiled from. */

import { oneOf } from "../../base/text/patterns.ts";
import { unknownName } from "../compiled.ts";
import type { DeclaredTask } from "../language.ts";
import type { JudgedProgram, SourceText } from "../runtime.ts";
import { usedCrates, withoutUnusedCrates } from "./crates.ts";
import { findCallable, findFunction, type Item, itemsOf } from "./items.ts";
import { withAllPublic } from "./public.ts";
import { scan } from "./scan.ts";
import { signatureOf } from "./signature.ts";
import { SOLUTION, WITH_CRATES } from "./sources.ts";
import { callable, RUN_ALL } from "./tests.ts";

/** Types whose values cannot be sent between the processes of tests and program. */
const NEVER_CROSSES = new RegExp(
  oneOf(
    /\bfn \(/,
    /\b(?:Fn|FnMut|FnOnce|Iterator|Ordering|Duration|Instant|SystemTime|Path|PathBuf)\b/,
    /\bdyn (?!(?:[\w:]+ :: )?(?:Any|Error)\b)/,
  ),
);

export function whyInProcess({ program, declaration, entryPoint, test }: DeclaredTask): string | null {
  const items = itemsOf(program);
  const entry = findFunction(items, entryPoint);
  if (!entry) return findCallable(items, entryPoint) ? `\`${entryPoint}\` is a method` : null;
  const signature = signatureOf(program, entry);
  if (!signature) {
    const head = scan(program.slice(entry.keyword, (entry.body ?? entry.end) - 1)).tokens.map(({ text }) => text);
    const isOfTypes = head.some((text, at) => text === "impl" || text === "where" || (at === 2 && text === "<"));
    return isOfTypes ? `\`${entryPoint}\` has parameters of types` : null;
  }
  const types = [signature.returns, ...signature.parameters];
  const odd = types.find((type) => NEVER_CROSSES.test(type));
  if (odd !== undefined) return `\`${entryPoint}\` takes or gives a \`${odd.replace(/ ?([<>[\]:&]) ?/g, "$1")}\``;
  const own = items.filter((one) => one.kind === "type" && !/^type\b/.test(program.slice(one.keyword)));
  const named = own.find(({ name }) => types.some((type) => wordIn(name).test(type)));
  if (named) return `\`${entryPoint}\` takes or gives a \`${named.name}\``;
  const before = new Set(itemsOf(declaration).map(({ name }) => name));
  const behind = items.find(({ name, kind }) => isNamed(kind, name) && !before.has(name) && wordIn(name).test(test));
  return behind ? `its tests use \`${behind.name}\`, which stands behind \`${entryPoint}\`` : null;
}

const isNamed = (kind: Item["kind"], name: string): boolean =>
  name !== "" && name !== "main" && (kind === "fn" || kind === "type" || kind === "const");
const wordIn = (name: string): RegExp => new RegExp(`\\b${name}\\b`);

/** What safe Rust does not keep a program from. */
const REACHES = /\bglobal_asm\b|\binclude(?:_str|_bytes)?\s*!/;

/**
 * The program is a crate of safe Rust, and its tests are one of their own: they find of it by name what the task
 * declares, so that it can put nothing in the place of what is Rust's own.
 */
export function inProcessSources({ program, helpers, test }: JudgedProgram): SourceText[] | string {
  const reached = REACHES.exec(program)?.[0];
  if (reached !== undefined) return `the program uses \`${reached}\`, by which it could reach its tests`;
  const text = withoutUnusedCrates(program.replace(/^\uFEFF/, ""));
  const tests = `Tests_${unknownName()}.rs`;
  const runs = callable(test);
  const judged = `::mend_judge::judge(${RUN_ALL})`;
  const main = `#[no_mangle] pub extern "C" fn main() -> i32 { ${judged} }`;
  const imports = withoutUnusedCrates(importsOf(helpers), test);
  return [
    { file: SOLUTION, text: withAllPublic(text) },
    { file: tests, text: `#![no_main] ${COUNTING}${namesFor(helpers, test)} ${imports} ${runs}${main}\n` },
    ...(usedCrates(`${text}\n${imports}\n${test}`).length > 0 ? [{ file: WITH_CRATES, text: "", isOurs: true }] : []),
  ];
}

/** Rust's own macros, with a count before each. */
const COUNTING = ["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"]
  .map((name) => `macro_rules! ${name} { ($($t:tt)*) => {{ ::mend_judge::held(); ::std::${name}!($($t)*) }} } `)
  .join("");

/** What the tests use of the program, and its traits, without which no method of theirs is found. */
function namesFor(declared: string, test: string): string {
  const names = itemsOf(declared)
    .filter((one) => isNamed(one.kind, one.name) || (one.kind === "mod" && one.name !== ""))
    .filter((one) => wordIn(one.name).test(test) || /^trait\b/.test(declared.slice(one.keyword)))
    .map(({ name }) => name);
  return `use solution::{${[...new Set(names)].join(", ")}};`;
}

const importsOf = (code: string): string =>
  itemsOf(code)
    .filter(({ kind }) => kind === "use")
    .map(({ start, end }) => code.slice(start, end).replace(/\s+/g, " "))
    .filter((one) => !/\b(?:crate|self|super)::/.test(one))
    .join(" ");
