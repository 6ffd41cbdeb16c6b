/**
 * QuixBugs in Java from the same folder: `java_programs/NAME.java`, `correct_java_programs/NAME.java` and JUnit's
 * tests,
 * `java_testcases/junit/NAME_TEST.java`. A task is a file to repair. Source of the format: Lin et al. 2017, "QuixBugs".
 */

import { existsSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { tryForeignText } from "../../../utils/base/files/foreign_file.ts";
import type { Exercise } from "../polyglot/exercise.ts";
import { leftOut, type Remark } from "../remarks.ts";
import type { OtherRow } from "../row.ts";

const [BUGGY, CORRECT, TESTS] = ["java_programs", "correct_java_programs", "java_testcases/junit"];

export const quixBugsJava: OtherRow = {
  name: "quixbugs-java",
  about: {
    task: "a file to repair, in Java (QuixBugs)",
    size: "40",
    shown: "the buggy file; one try",
    scores: "its own JUnit tests",
    licence: "MIT",
    source: "github.com/jkoppel/QuixBugs",
    dataset: "a clone, with --format quixbugs-java where it has the Python programs too",
  },
  known: { place: { what: "QuixBugs in Java (java_programs)", is: (path) => existsSync(join(path, BUGGY)) } },
  hasTries: true,
  open: async (folder, { openBox, ...options }) => {
    const { exercises, remarks } = readQuixBugsJava(folder);
    if (exercises.length === 0) throw new UserError(`${folder} holds no program of ${BUGGY} with tests in ${TESTS}.`);
    const { exerciseBenchmark } = await import("../polyglot/benchmark.ts");
    const given = { name: basename(resolve(folder)), stub: "the buggy file", tries: 1 };
    return exerciseBenchmark(exercises, remarks, given, { ...options, box: await openBox() });
  },
};

/** Every program that has tests, in the order of the names. */
function readQuixBugsJava(folder: string): { exercises: Exercise[]; remarks: Remark[] } {
  const sources = new Map(
    [BUGGY, CORRECT, TESTS].map((part) => [part, new Map(namesIn(folder, part).map((name) => [name, ""]))]),
  );
  for (const [part, names] of sources)
    for (const name of names.keys()) names.set(name, tryForeignText(folder, `${part}/${name}.java`).text ?? "");
  const named = (part: string) => sources.get(part) ?? new Map<string, string>();
  const [exercises, remarks]: [Exercise[], Remark[]] = [[], []];
  for (const [name, buggy] of named(BUGGY)) {
    const [correct, test] = [named(CORRECT).get(name), named(TESTS).get(`${name}_TEST`)];
    const id = `QuixBugs-Java/${name}`;
    // A class that others use, such as the node of a graph, has no test.
    if (test === undefined) continue;
    if (correct === undefined) {
      remarks.push(leftOut(id, `there is no ${CORRECT}/${name}.java`));
      continue;
    }
    const given = { [`${BUGGY}/${name}.java`]: buggy, ...usedBy([buggy, correct, test], named(BUGGY), BUGGY, [name]) };
    const tests = { [`${TESTS}/${name}_TEST.java`]: test, ...usedBy([test], named(TESTS), TESTS, [`${name}_TEST`]) };
    exercises.push({
      ...{ id, name, track: "junit4", given, tests, solution: [`${BUGGY}/${name}.java`] },
      instructions: `${BUGGY}/${name}.java has a bug on one line. Repair it.`,
      reference: { [`${BUGGY}/${name}.java`]: correct.replaceAll(CORRECT, BUGGY) },
    });
  }
  return { exercises, remarks };
}

/** The other classes of a folder that texts name, and those that these name. */
function usedBy(
  texts: readonly string[],
  sources: ReadonlyMap<string, string>,
  part: string,
  known: readonly string[],
): Record<string, string> {
  const found = [...sources].filter(
    ([name]) => !known.includes(name) && texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
  );
  if (found.length === 0) return {};
  const more = usedBy(
    found.map(([, text]) => text),
    sources,
    part,
    [...known, ...found.map(([name]) => name)],
  );
  return { ...Object.fromEntries(found.map(([name, text]) => [`${part}/${name}.java`, text])), ...more };
}

function namesIn(folder: string, part: string): string[] {
  const path = join(folder, part);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .flatMap((file) => (/^[A-Za-z_]\w*\.java$/.test(file) ? file.slice(0, -5) : []))
    .sort();
}
