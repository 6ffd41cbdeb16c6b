/** Files of C++ in a project. */

import { basename } from "node:path";
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
  imports: (text) => included(text),
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

/** Tests beside it, which may include it; else its own `main`. */
function alone({ file, text, tests }: OwnProgram): string | null {
  if (tests === null) return hasMain(text) ? built(file, [file], "") : null;
  const isIncluded = !SOURCE.test(file) || included(tests.text).some((name) => basename(name) === basename(file));
  const library = LIBRARIES.find(([header]) => header.test(tests.text))?.[1] ?? "";
  return built(tests.file, isIncluded ? [tests.file] : [file, tests.file], library, "-std=c++20 ");
}

const SOURCE = /\.(?:cpp|cc|cxx)$/;
const hasMain = (text: string) => itemsOf(text).some(({ kind, name }) => kind === "function" && name === "main");
const included = (text: string): string[] =>
  [...text.matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm)].flatMap(([, name]) => name ?? []);

/** Libraries of tests, by the headers that they have. */
const LIBRARIES: readonly (readonly [RegExp, string])[] = [
  [/#\s*include\s*[<"]gmock\//, " -lgmock -lgtest -lgtest_main -pthread"],
  [/#\s*include\s*[<"]gtest\//, " -lgtest -lgtest_main -pthread"],
  [/#\s*include\s*[<"]catch2\//, " -lCatch2Main -lCatch2"],
];

const built = (named: string, files: readonly string[], libraries: string, standard = ""): string =>
  `g++ ${standard}${files.map(quoted).join(" ")} -o ${programOf(named)}${libraries} && ./${programOf(named)}`;

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
