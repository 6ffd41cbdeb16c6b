/** Files of Rust in a project. */

import { compiledFiles } from "../compiled_files.ts";
import { allItems, functionsBy } from "../items.ts";
import type { LineRange } from "../places.ts";
import { MODULES, type OwnProgram, programOf, quoted, type SourceFiles, type TestPlace } from "../source_files.ts";
import { findCallable, findFunction, type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { hasTests, isForTests } from "./tests.ts";

/** Functions, also those in modules and types: `Shelf::put`. */
const READING = {
  itemsOf,
  isFunction: ({ kind }: Item) => kind === "fn",
  find: (items: readonly Item[], name: string) =>
    findFunction(items, name) ??
    items.findLast((one) => one.kind === "type" && one.name === name) ??
    findCallable(items, name),
  nameOf: ({ around, name }: Item & { around: readonly string[] }) => [...around, name].join("::"),
};
const { partsAround, functions: functionsAndTests } = functionsBy<Item>(READING);
/** Those for tests are none that may be repaired. */
const { functions } = functionsBy<Item>({ ...READING, isMeant: (text) => (item) => !isForTests(text, item) });

export { partsAround };

export const rustFiles: SourceFiles = {
  ...compiledFiles(scan, { functions, partsAround }),
  testLines,
  testsWithin,
  packageFolders: ["vendor", MODULES],
  madeFolders: ["target"],
  testName: /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.rs$/i,
  settings: [/Cargo\.(?:toml|lock)/, /build\.rs/, /rust-toolchain(?:\.toml)?/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`, `test_${stem}${ending}`],
  usualTests: "cargo test",
  buildFiles: { "Cargo.toml": "cargo test" },
  alone,
  installer: "modules",
};

/** Tests that are marked as such, else a `main`. */
function alone({ file, text }: OwnProgram): string | null {
  const isMain = itemsOf(text).some(({ kind, name }) => kind === "fn" && name === "main");
  if (!isMain && !hasTests(text)) return null;
  const options = `--edition 2021${hasTests(text) ? " --test" : ""}`;
  return `rustc ${options} ${quoted(file)} -o ${programOf(file)} && ./${programOf(file)}`;
}

/** What stands among source for tests alone. */
function testsWithin(text: string): TestPlace[] {
  const all = [...allItems(itemsOf(text))].filter((item) => isForTests(text, item));
  const outer = all.filter(
    (item) => !all.some((one) => one !== item && one.start <= item.start && item.end <= one.end),
  );
  return outer.map(({ kind, name, around, start, end }, i) => {
    const earlier = outer.slice(0, i).filter((one) => one.kind === kind && one.name === name).length;
    return { key: [kind, ...around, name, earlier].join(" "), start, end, isTest: true };
  });
}

/** `tests::puts`; behind the modules of files that the test's name begins with. */
function testLines(text: string, test: string): LineRange | null {
  const all = functionsAndTests(text);
  const parts = test.split("::");
  for (let at = 0; at < parts.length; at++) {
    const found = all.find(({ name }) => name === parts.slice(at).join("::"));
    if (found) return found;
  }
  return null;
}
