/** Files of C++ in a project. */

import { basename } from "node:path";
import { compiledFiles } from "../compiled_files.ts";
import type { LineRange } from "../places.ts";
import { type OwnProgram, programOf, quoted, type SourceFiles } from "../source_files.ts";
import { functions, itemsOf, partsAround } from "./items.ts";
import { scan } from "./scan.ts";

export const cppFiles: SourceFiles = {
  ...compiledFiles(scan, { functions, partsAround }),
  testLines,
  imports: (text) => included(text),
  packageFolders: [],
  madeFolders: ["cmake-build-debug", "cmake-build-release", "CMakeFiles"],
  testName: /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.(?:cpp|cc|cxx)$/i,
  settings: [/CMakeLists\.txt|CMakePresets\.json|CTestTestfile\.cmake/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`, `test_${stem}${ending}`, `${stem}Test${ending}`],
  usualTests: "ctest",
  buildFiles: { "CMakeLists.txt": "ctest" },
  alone,
  installer: null,
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

/** `ShelfTest.puts` and `Instance/ShelfTest.puts/0` of GoogleTest, a text of Catch2, a function's name. */
function testLines(text: string, test: string): LineRange | null {
  const plain = test.replace(/^[\w]+\/(?=\w+\.\w)/, "").replace(/\/\d+$/, "");
  const all = functions(text);
  return all.find(({ name }) => name === plain) ?? all.find(({ name }) => name.endsWith(`::${plain}`)) ?? null;
}
