/** Many versions of a Rust function in one program: `utils/languages/rust/runner/clones` runs them. */

import { usedCrates } from "../../../languages/rust/crates.ts";
import { findFunction, type Item, itemsOf } from "../../../languages/rust/items.ts";
import { anySignatureOf, entryOf, type Signature, stubOf, typeOf } from "../../../languages/rust/signature.ts";
import { BEGINS_VERSIONS, BEGINS_WITH_OLD_RAND } from "../../../languages/rust/sources.ts";
import { callable, RUN_ALL } from "../../../languages/rust/tests.ts";
import { type ClonedProgram, type Clones, versionsBehind } from "../clones.ts";

/** The tests' own assertions go on behind one that fails, and are counted. */
const CHECKS = `
macro_rules! assert { ($is:expr $(, $($_:tt)*)?) => { ::mend_judge::check($is) }; }
macro_rules! assert_eq { ($a:expr, $b:expr $(, $($_:tt)*)?) => {
  match (&$a, &$b) { (a, b) => ::mend_judge::check(*a == *b) } }; }
macro_rules! assert_ne { ($a:expr, $b:expr $(, $($_:tt)*)?) => {
  match (&$a, &$b) { (a, b) => ::mend_judge::check(*a != *b) } }; }
`;

/** @returns a sentence where the function cannot be taken apart */
export function rustClones(program: string, entry: string, tests: string): Clones | string {
  const found = findFunction(itemsOf(program), entry);
  const signature = found && anySignatureOf(program, found);
  if (!found || !signature) return `no function \`${entry}\` with a signature of plain types stands in the program`;
  const first = clonesOf(program, { found, signature }, tests, BEGINS_VERSIONS);
  if (!usedCrates(tests).includes("rand")) return first;
  return { ...first, otherwise: () => clonesOf(program, { found, signature }, tests, BEGINS_WITH_OLD_RAND) };
}

function clonesOf(
  program: string,
  { found, signature }: { found: Item; signature: Signature },
  tests: string,
  begins: string,
): Clones {
  const { name, parameters } = signature;
  const [before, behind] = [program.slice(0, found.start), program.slice(found.end)];
  const given = parameters.map((_, at) => `p${at}`).join(", ");
  /** @param enters what a call does first @param main what runs */
  const put = (versions: readonly string[], enters: string, main: string): ClonedProgram => {
    const made = versionsBehind(`${begins}${before}\n`, name, versions, [before, behind]);
    const arms = made.names.map((own, at) => `${at === made.names.length - 1 ? "_" : at} => ${own}(${given})`);
    const caller = `${stubOf(signature)} { ${enters}match ::mend_judge::at() { ${arms.join(", ")} } }\n`;
    const runs = `mod mend_main { use super::*; #[no_mangle] pub extern "C" fn main() -> i32 { ${main} } }\n`;
    return { code: `${made.code}${caller}${behind}\n${CHECKS}${callable(tests)}${runs}`, lines: made.lines };
  };
  const all = `super::${RUN_ALL}`;
  const puts = parameters.map((_, at) => `::mend_wire::Put::put(&p${at}, out);`).join(" ");
  return {
    around: [before, behind],
    make: (versions, limits) => put(versions, "", `::mend_judge::versions(&[${limits.join(", ")}], ${all})`),
    ...(signature.isPlain &&
      parameters.length > 0 && {
        compare: (versions: readonly string[], numbers: readonly string[]): string => {
          const words = `${versions.length}, ${parameters.length}, &[${numbers.join(", ")}], answer, ${all}`;
          const main = `${entryOf(signature, typeOf(signature))} ::mend_judge::compare(${words})`;
          return put(versions, `let _within = ::mend_judge::enter(|out| { ${puts} }); `, main).code;
        },
      }),
  };
}
