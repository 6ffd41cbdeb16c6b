/** Files of Java in a project. */

import { syntaxProblemBy } from "../compiled.ts";
import { outlineByFunctions } from "../outline_by_functions.ts";
import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import type { SourceFiles } from "../source_files.ts";
import { substanceOf } from "../tokens.ts";
import { partsAround } from "./assemble.ts";
import { type Member, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

export const javaFiles: SourceFiles = {
  hasCode: (file) => !/(?:^|\/)(?:package|module)-info\.java$/.test(file),
  functions,
  testLines,
  substance: (text) => substanceOf(scan(text)),
  trace: { place: null, innermostLast: false },
  packageFolders: [],
  madeFolders: [".gradle"],
  sharedTestFiles: [],
  testName: /(?:^|\/)(?:tests?|test[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.java$/i,
  settings: [/pom\.xml/, /(?:build|settings)\.gradle(?:\.kts)?/, /gradlew|mvnw/],
  testsOf: (stem, ending) => [`${stem}Test${ending}`, `Test${stem}${ending}`, `${stem}Tests${ending}`],
  usualTests: "mvn -o -q test",
  buildFiles: {
    "pom.xml": "mvn -o -q test",
    gradlew: "./gradlew test",
    "build.gradle": "gradle test",
    "build.gradle.kts": "gradle test",
  },
  installer: null,
  outline: outlineByFunctions({ functions, partsAround }),
  syntaxProblem: syntaxProblemBy(scan),
};

/** Methods of the classes at the top level: `Shelf.put`. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  const place = (type: string, { name, start, end }: Member) => ({
    name: `${type}.${name}`,
    start: lineOf(starts, start),
    end: lineOf(starts, end - 1),
  });
  return unitOf(text)
    .types.flatMap(({ name, members }) =>
      members
        .filter(({ kind, body }) => kind !== "other" && kind !== "type" && body !== null)
        .map((one) => place(name, one)),
    )
    .sort((a, b) => a.start - b.start);
}

/** `ShelfTest.put`, `ShelfTest#put` or `put()` of JUnit. */
function testLines(text: string, test: string): LineRange | null {
  const name = /([\p{L}\p{N}_$]+)(?:\(\))?(?:\[.*\])?$/u.exec(test)?.[1];
  return functions(text).find((one) => one.name.endsWith(`.${name}`)) ?? null;
}
