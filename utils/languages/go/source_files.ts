/** Files of Go in a project. */

import { compiledFiles } from "../compiled_files.ts";
import type { LineRange } from "../places.ts";
import { MODULES, type OwnProgram, programOf, quoted, type SourceFiles } from "../source_files.ts";
import { scan } from "./scan.ts";
import { findFunction, functions, partsAround, unitOf } from "./unit.ts";

export const goFiles: SourceFiles = {
  ...compiledFiles(scan, { functions, partsAround }),
  testLines,
  imports: (text) =>
    [...text.matchAll(/^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/gm)].flatMap(([, name]) => name ?? []),
  packageFolders: ["vendor", MODULES],
  madeFolders: [],
  testName: /(?:^|\/)[^/]*_test\.go$/i,
  settings: [/go\.(?:mod|sum|work)/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`],
  usualTests: "go test ./...",
  buildFiles: { "go.mod": "go test ./...", "go.work": "go test ./..." },
  alone,
  installer: "modules",
};

/** Tests beside it, else a `main`. */
function alone({ file, text, tests }: OwnProgram): string | null {
  if (tests !== null) return `go test ${quoted(file)} ${quoted(tests.file)}`;
  return findFunction(unitOf(text), "main")
    ? `go build -o ${programOf(file)} ${quoted(file)} && ./${programOf(file)}`
    : null;
}

/** `TestPut`, or `TestPut/of_nothing` for a part of it. */
function testLines(text: string, test: string): LineRange | null {
  const name = test.split("/")[0];
  return functions(text).find((one) => one.name === name) ?? null;
}
