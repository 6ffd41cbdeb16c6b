/** Files of C++ in a project. */

import { syntaxProblemBy } from "../compiled.ts";
import { outlineByFunctions } from "../outline_by_functions.ts";
import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import { type OwnProgram, programOf, quoted, type SourceFiles } from "../source_files.ts";
import { substanceOf } from "../tokens.ts";
import { partsAround } from "./assemble.ts";
import { allItems, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";

export const cppFiles: SourceFiles = {
  hasCode: () => true,
  functions,
  testLines,
  imports: (text) => [...text.matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm)].flatMap(([, name]) => name ?? []),
  substance: (text) => substanceOf(scan(text)),
  trace: { place: null, innermostLast: false },
  packageFolders: [],
  madeFolders: ["cmake-build-debug", "cmake-build-release", "CMakeFiles"],
  sharedTestFiles: [],
  testName: /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.(?:cpp|cc|cxx)$/i,
  settings: [/CMakeLists\.txt|CMakePresets\.json|CTestTestfile\.cmake/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`, `test_${stem}${ending}`, `${stem}Test${ending}`],
  usualTests: "ctest",
  buildFiles: { "CMakeLists.txt": "ctest" },
  alone,
  installer: null,
  outline: outlineByFunctions({ functions, partsAround }),
  syntaxProblem: syntaxProblemBy(scan),
};

/** A `main` is its test. */
function alone({ file, text }: OwnProgram): string | null {
  if (!itemsOf(text).some(({ kind, name }) => kind === "function" && name === "main")) return null;
  return `g++ ${quoted(file)} -o ${programOf(file)} && ./${programOf(file)}`;
}

/** Functions and tests, also those in classes and namespaces: `Shelf::put`, `ShelfTest.puts`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  return [...allItems(itemsOf(text))]
    .filter(({ kind, name }) => name !== "" && (kind === "function" || kind === "test"))
    .map(({ kind, name, owner, around, start, end }) => ({
      name: kind === "test" ? name : [...around, ...(owner === "" ? [] : [owner]), name].join("::"),
      start: lineOf(starts, start),
      end: lineOf(starts, end - 1),
    }))
    .sort((a, b) => a.start - b.start);
}

/** `ShelfTest.puts` and `Instance/ShelfTest.puts/0` of GoogleTest, a text of Catch2, a function's name. */
function testLines(text: string, test: string): LineRange | null {
  const plain = test.replace(/^[\w]+\/(?=\w+\.\w)/, "").replace(/\/\d+$/, "");
  const all = functions(text);
  return all.find(({ name }) => name === plain) ?? all.find(({ name }) => name.endsWith(`::${plain}`)) ?? null;
}
