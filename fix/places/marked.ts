/** Which functions run in each test, for languages whose tools report no lines: marks in the functions report it. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readJson } from "../../utils/base/data/record.ts";
import { tryForeignText } from "../../utils/base/files/foreign_file.ts";
import { findPython, findSharedPython } from "../../utils/base/host/python.ts";
import { type Coverage, classAndTitle, type TestResult } from "../../utils/frameworks/framework.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import { fromFolder } from "../../utils/project/project.ts";
import { canMark, type MarkedFile, RAN, withMarks } from "../../utils/search/compiled/in_projects/call_marks.ts";
import { SWITCH } from "../../utils/search/compiled/in_projects/version_switch.ts";
import { type CompiledName, isCompiled } from "../../utils/search/tables.ts";
import type { Baseline } from "../project/baseline.ts";
import { type FileChange, patched } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";

const SCRIPTS = fileURLToPath(new URL("../search/versions", import.meta.url));
/** Projects that are larger are not marked. */
const MOST_FILES = 400;
const MOST_CHARS = 4_000_000;
const MOST_BYTES = 1_000_000;
/** Processor time: for the build, for all tests, and for one beside what all take together. */
const BUILD_SECONDS = 60;
const ALL_SECONDS = 30;
const MORE_SECONDS = 2;

const Line = z.object({ test: z.number(), ran: z.array(z.number()) });

/** The language of a suite whose functions have to be marked; null where tests are watched otherwise, or cannot be. */
export function markedLanguage({ plan: { framework } }: Suite): CompiledName | null {
  if (framework === null || framework.hooks || framework.language === null) return null;
  return isCompiled(framework.language) && canMark(framework.language) ? framework.language : null;
}

interface MarkedJob {
  suite: Suite;
  tree: string;
  language: CompiledName;
  baseline: Pick<Baseline, "kinds" | "run">;
  /** Files that may be at fault. */
  files: readonly string[];
  /** Tests to run, those that failed first. */
  tests: readonly TestResult[];
  failing: readonly TestResult[];
  signal?: AbortSignal | undefined;
}

/** For each test, the first body lines of the functions that ran in it, and of those that could not be marked. */
export async function markedCoverage(job: MarkedJob): Promise<Coverage[]> {
  const { suite, tree, tests, baseline, signal } = job;
  const marked = await markAll(job);
  if (marked.size === 0) return [];
  const changes = [...marked].map(([file, { before, text }]): FileChange => ({ file, before, after: text }));
  using changed = patched(tree, changes);
  const [first = ""] = marked.keys();
  const all = ALL_SECONDS + BUILD_SECONDS;
  const request = {
    ...{ ran: RAN, switch: SWITCH, tests: tests.map(classAndTitle) },
    ...{ files: [fromFolder(suite.project, first)], each: baseline.run.cpuSeconds + MORE_SECONDS },
    ...{ seconds: ALL_SECONDS, buildSeconds: BUILD_SECONDS },
  };
  const covered: Coverage[] = [];
  await suite.runCommand({
    tree: changed.path,
    command: (out) => commandFor(job, out),
    stdin: JSON.stringify(request),
    seconds: all,
    onLine: (line) => {
      const told = readJson(line, Line);
      const test = told && tests[told.test];
      if (test && told.ran.length > 0) covered.push({ test: test.name, lines: linesOf(marked, new Set(told.ran)) });
    },
    signal,
  });
  return covered;
}

type MarkedFiles = Map<string, MarkedFile & { before: string }>;

async function markAll({ tree, files, language, baseline }: MarkedJob): Promise<MarkedFiles> {
  const own = files.filter((file) => languageOf(file)?.name === language && !baseline.kinds.isTest(file));
  const marked: MarkedFiles = new Map();
  if (own.length > MOST_FILES) return marked;
  const texts = own.map((file) => [file, tryForeignText(tree, file, MOST_BYTES).text ?? ""] as const);
  if (texts.reduce((sum, [, text]) => sum + text.length, 0) > MOST_CHARS) return marked;
  let number = 1;
  for (const [file, before] of texts) {
    const one = await withMarks(language, file, before, number);
    number += one.marked.size;
    if (one.marked.size + one.unmarked.length > 0) marked.set(file, { ...one, before });
  }
  return marked;
}

function linesOf(marked: MarkedFiles, ran: ReadonlySet<number>): Record<string, number[]> {
  const found = [...marked].map(([file, one]): [string, number[]] => [
    file,
    [...[...one.marked].flatMap(([number, line]) => (ran.has(number) ? [line] : [])), ...one.unmarked],
  ]);
  return Object.fromEntries(found.filter(([, lines]) => lines.length > 0));
}

/** Tests of Java need no command each: see `run_marked.py`. */
async function commandFor({ suite, language, tests, failing }: MarkedJob, out: string) {
  const python = await findSharedPython(await findPython());
  const first = await suite.testCommand(out, { only: failing, round: "first" });
  const commands = [first];
  for (const test of language === "java" ? [] : tests)
    commands.push(await suite.testCommand(out, { only: [test], isBuilt: true, round: "next" }));
  const words = language === "java" ? [] : commands.flatMap(({ argv }) => [String(argv.length), ...argv]);
  const script = join(SCRIPTS, "run_marked.py");
  return {
    ...first,
    argv: [python.executable, "-S", "-B", script, join(out, "lines"), join(out, "report"), ...words],
    readable: [...python.prefixes, ...commands.flatMap(({ readable }) => readable), SCRIPTS],
  };
}
