/** Files of Java in a project. */

import { existsSync } from "node:fs";
import { compiledFiles } from "../compiled_files.ts";
import type { LineRange } from "../places.ts";
import { MODULES, type OwnProgram, quoted, type SourceFiles } from "../source_files.ts";
import { findMethod, functions, partsAround, unitOf } from "./members.ts";
import { scan } from "./scan.ts";

export const javaFiles: SourceFiles = {
  ...compiledFiles(scan, { functions, partsAround }),
  hasCode: (file) => !/(?:^|\/)(?:package|module)-info\.java$/.test(file),
  testLines,
  imports: (text) =>
    [...text.matchAll(/^\s*import\s+(static\s+)?([\w.]+)/gm)].map(([, isStatic, name = ""]) =>
      (isStatic === undefined ? name : name.replace(/\.\w*$/, "")).replace(/\.$/, "").replaceAll(".", "/"),
    ),
  packageFolders: [MODULES],
  madeFolders: [".gradle"],
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
};

/** Where JUnit's own console lies, as systems install it. */
const JARS = "/usr/share/java";

/** Tests of JUnit 5 beside it; else the `main` of the tests, or that of the file where there are none. */
function alone({ file, text, tests }: OwnProgram): string | null {
  if (tests !== null && /\borg\.junit\.jupiter\b/.test(tests.text)) {
    if (!existsSync(`${JARS}/junit-platform-console.jar`)) return null;
    const build = `javac -d classes -cp '${JARS}/*' ${quoted(file)} ${quoted(tests.file)}`;
    const console = "org.junit.platform.console.ConsoleLauncher --scan-class-path classes";
    return `${build} && java -cp 'classes:${JARS}/*' ${console}`;
  }
  const program = tests ?? { file, text };
  const found = findMethod(unitOf(program.text), "main");
  if (!found) return null;
  const within = /^\s*package\s+([\w.]+)\s*;/m.exec(program.text)?.[1];
  const name = within === undefined ? found.type.name : `${within}.${found.type.name}`;
  const files = [...new Set([file, program.file])].map(quoted).join(" ");
  return `javac -d classes ${files} && java -ea -cp classes ${name}`;
}

/** `ShelfTest.put`, `ShelfTest#put` or `put()` of JUnit. */
function testLines(text: string, test: string): LineRange | null {
  const name = /([\p{L}\p{N}_$]+)(?:\(\))?(?:\[.*\])?$/u.exec(test)?.[1];
  return functions(text).find((one) => one.name.endsWith(`.${name}`)) ?? null;
}
