/** Files of Go in a project. */

import { syntaxProblemBy } from "../compiled.ts";
import { outlineByFunctions } from "../outline_by_functions.ts";
import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import { MODULES, type OwnProgram, programOf, quoted, type SourceFiles } from "../source_files.ts";
import { substanceOf } from "../tokens.ts";
import { partsAround } from "./assemble.ts";
import { scan } from "./scan.ts";
import { type Declaration, findFunction, unitOf } from "./unit.ts";

export const goFiles: SourceFiles = {
  hasCode: () => true,
  functions,
  testLines,
  imports: (text) =>
    [...text.matchAll(/^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]+)"\s*$/gm)].flatMap(([, name]) => name ?? []),
  substance: (text) => substanceOf(scan(text)),
  trace: { place: null, innermostLast: false },
  packageFolders: ["vendor", MODULES],
  madeFolders: [],
  sharedTestFiles: [],
  testName: /(?:^|\/)[^/]*_test\.go$/i,
  settings: [/go\.(?:mod|sum|work)/],
  testsOf: (stem, ending) => [`${stem}_test${ending}`],
  usualTests: "go test ./...",
  buildFiles: { "go.mod": "go test ./...", "go.work": "go test ./..." },
  alone,
  installer: "modules",
  outline: outlineByFunctions({ functions, partsAround }),
  syntaxProblem: syntaxProblemBy(scan),
};

/** Tests beside it, else a `main`. */
function alone({ file, text, tests }: OwnProgram): string | null {
  if (tests !== null) return `go test ${quoted(file)} ${quoted(tests.file)}`;
  return findFunction(unitOf(text), "main")
    ? `go build -o ${programOf(file)} ${quoted(file)} && ./${programOf(file)}`
    : null;
}

/** Functions, and methods by their types: `Shelf.Put`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  return unitOf(text)
    .declarations.filter(({ kind, body }) => kind === "func" && body !== null)
    .map((one) => ({ name: nameOf(text, one), start: lineOf(starts, one.start), end: lineOf(starts, one.end - 1) }));
}

function nameOf(text: string, { names: [name = ""], hasReceiver, start, parameters }: Declaration): string {
  if (!hasReceiver) return name;
  const receiver = /\(\s*(?:[\p{L}_][\p{L}\p{Nd}_]*\s+)?\*?\s*([\p{L}_][\p{L}\p{Nd}_]*)/u.exec(
    text.slice(start, parameters),
  );
  return `${receiver?.[1] ?? ""}.${name}`;
}

/** `TestPut`, or `TestPut/of_nothing` for a part of it. */
function testLines(text: string, test: string): LineRange | null {
  const name = test.split("/")[0];
  return functions(text).find((one) => one.name === name) ?? null;
}
