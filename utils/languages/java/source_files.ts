/** Files of Java in a project. */

import { existsSync } from "node:fs";
import { syntaxProblemBy } from "../compiled.ts";
import { outlineByFunctions } from "../outline_by_functions.ts";
import type { FunctionPlace, LineRange } from "../places.ts";
import { lineOf, lineStarts } from "../places.ts";
import { MODULES, type OwnProgram, quoted, type SourceFiles } from "../source_files.ts";
import { substanceOf } from "../tokens.ts";
import { partsAround } from "./assemble.ts";
import { allTypes, findMethod, isCode, type Member, membersOf, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

export const javaFiles: SourceFiles = {
  hasCode: (file) => !/(?:^|\/)(?:package|module)-info\.java$/.test(file),
  functions,
  testLines,
  imports: (text) =>
    [...text.matchAll(/^\s*import\s+(static\s+)?([\w.]+)/gm)].map(([, isStatic, name = ""]) =>
      (isStatic === undefined ? name : name.replace(/\.\w*$/, "")).replace(/\.$/, "").replaceAll(".", "/"),
    ),
  substance: (text) => substanceOf(scan(text)),
  trace: { place: null, innermostLast: false },
  packageFolders: [MODULES],
  madeFolders: [".gradle"],
  sharedTestFiles: [],
  // Those that Surefire takes by default, and the names of other languages.
  testName: /(?:^|\/)(?:Tests?|Test[A-Z\d_][^/]*|[^/]+(?:Tests?|TestCase)|tests?|test[-_][^/]*|[^/]*[-_]tests?)\.java$/,
  settings: [/pom\.xml/, /(?:build|settings)\.gradle(?:\.kts)?/, /gradlew|mvnw/],
  testsOf: (stem, ending) => [`${stem}Test${ending}`, `Test${stem}${ending}`, `${stem}Tests${ending}`],
  usualTests: "mvn -o -q test",
  buildFiles: {
    "pom.xml": "mvn -o -q test",
    gradlew: "./gradlew test",
    "build.gradle": "gradle test",
    "build.gradle.kts": "gradle test",
  },
  alone,
  installer: "modules",
  outline: outlineByFunctions({ functions, partsAround }),
  syntaxProblem: syntaxProblemBy(scan),
};

/** Where JUnit's own console lies, as systems install it. */
const JARS = "/usr/share/java";

/** Tests of JUnit 5 beside it; else the `main` of a class. */
function alone({ file, text, tests }: OwnProgram): string | null {
  if (tests !== null && /\borg\.junit\.jupiter\b/.test(tests.text)) {
    if (!existsSync(`${JARS}/junit-platform-console.jar`)) return null;
    const build = `javac -d classes -cp '${JARS}/*' ${quoted(file)} ${quoted(tests.file)}`;
    const console = "org.junit.platform.console.ConsoleLauncher --scan-class-path classes";
    return `${build} && java -cp 'classes:${JARS}/*' ${console}`;
  }
  const found = findMethod(unitOf(text), "main");
  if (!found) return null;
  const within = /^\s*package\s+([\w.]+)\s*;/m.exec(text)?.[1];
  const name = within === undefined ? found.type.name : `${within}.${found.type.name}`;
  return `javac -d classes ${quoted(file)} && java -ea -cp classes ${name}`;
}

/** Methods and constructors of all types, `Shelf.put`, `Shop.Basket.put`; of a text without any its methods. */
function functions(text: string): FunctionPlace[] {
  const starts = lineStarts(text);
  const placesOf = (members: readonly Member[], around: readonly string[]) =>
    members.filter(isCode).map(({ name, start, end }) => ({
      name: [...around, name].join("."),
      start: lineOf(starts, start),
      end: lineOf(starts, end - 1),
    }));
  const { types } = unitOf(text);
  if (types.length === 0) return placesOf(membersOf(text), []);
  return [...allTypes(types)]
    .flatMap(({ around, name, members }) => placesOf(members, [...around, name]))
    .sort((a, b) => a.start - b.start);
}

/** `ShelfTest.put`, `ShelfTest#put` or `put()` of JUnit. */
function testLines(text: string, test: string): LineRange | null {
  const name = /([\p{L}\p{N}_$]+)(?:\(\))?(?:\[.*\])?$/u.exec(test)?.[1];
  return functions(text).find((one) => one.name.endsWith(`.${name}`)) ?? null;
}
