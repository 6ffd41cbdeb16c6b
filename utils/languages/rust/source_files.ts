/** Files of Rust in a project. */

import { syntaxProblemBy } from "../compiled.ts";
import { outlineByFunctions } from "../outline_by_functions.ts";
import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import { MODULES, type OwnProgram, programOf, quoted, type SourceFiles, type TestPlace } from "../source_files.ts";
import { substanceOf } from "../tokens.ts";
import { partsAround } from "./assemble.ts";
import { allItems, type Item, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { hasTests, isForTests } from "./tests.ts";

export const rustFiles: SourceFiles = {
  hasCode: () => true,
  functions,
  testLines,
  testsWithin,
  substance: (text) => substanceOf(scan(text)),
  trace: { place: null, innermostLast: false },
  packageFolders: ["vendor", MODULES],
  madeFolders: ["target"],
  sharedTestFiles: [],
  testName: /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.rs$/i,
  settings: [/Cargo\.(?:toml|lock)/, /build\.rs/, /rust-toolchain(?:\.toml)?/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`, `test_${stem}${ending}`],
  usualTests: "cargo test",
  buildFiles: { "Cargo.toml": "cargo test" },
  alone,
  installer: "modules",
  outline: outlineByFunctions({ functions, partsAround }),
  syntaxProblem: syntaxProblemBy(scan),
};

/** Tests that are marked as such, else a `main`. */
function alone({ file, text }: OwnProgram): string | null {
  const isMain = itemsOf(text).some(({ kind, name }) => kind === "fn" && name === "main");
  if (!isMain && !hasTests(text)) return null;
  const options = `--edition 2021${hasTests(text) ? " --test" : ""}`;
  return `rustc ${options} ${quoted(file)} -o ${programOf(file)} && ./${programOf(file)}`;
}

/** Functions, also those in modules and types, `Shelf::put`; those for tests are none that may be repaired. */
function functions(text: string): FunctionPlace[] {
  return functionsIn(text, (item) => !isForTests(text, item));
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

function functionsIn(text: string, isMeant?: (item: Item) => boolean): FunctionPlace[] {
  const starts = lineStarts(text);
  return [...allItems(itemsOf(text), isMeant)]
    .filter(({ kind, body }) => kind === "fn" && body !== null)
    .map(({ name, around, start, end }) => ({
      name: [...around, name].join("::"),
      start: lineOf(starts, start),
      end: lineOf(starts, end - 1),
    }));
}

/** `tests::puts`; behind the modules of files that the test's name begins with. */
function testLines(text: string, test: string): LineRange | null {
  const all = functionsIn(text);
  const parts = test.split("::");
  for (let at = 0; at < parts.length; at++) {
    const found = all.find(({ name }) => name === parts.slice(at).join("::"));
    if (found) return found;
  }
  return null;
}
