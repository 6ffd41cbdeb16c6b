/**
 * The search by a command: the tests run once for each edit of a function. In compiled languages many edits are built
 * into one program, which is asked for one of them in each run; in others each edit is written into the file.
 */

import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/search_edits.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { readForeignText } from "../../../utils/base/files/foreign_file.ts";
import { findPython, findSharedPython } from "../../../utils/base/host/python.ts";
import { SHORT_MESSAGES } from "../../../utils/frameworks/compiled/cargo_test.ts";
import { classAndTitle } from "../../../utils/frameworks/framework.ts";
import { isFail } from "../../../utils/frameworks/test_run.ts";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { fromFolder } from "../../../utils/project/project.ts";
import type { TestCommand } from "../../../utils/project/test_command.ts";
import { SWITCH, switched } from "../../../utils/search/compiled/in_projects/version_switch.ts";
import { COMPILED_SEARCHES } from "../../../utils/search/compiled/languages.ts";
import { editsOf, type PricedEdit } from "../../../utils/search/edits/generate.ts";
import { literalsIn } from "../../../utils/search/edits/literals.ts";
import { javascriptGrammar } from "../../../utils/search/javascript/edits/grammar.ts";
import { tablesOf } from "../../../utils/search/knowledge.ts";
import { pythonGrammar } from "../../../utils/search/python/edits/grammar.ts";
import { Facts } from "../../../utils/search/syntax/facts.ts";
import { functionIn, type Grammar, type Node, parse } from "../../../utils/search/syntax/grammar.ts";
import { type CompiledName, type CompiledTables, isCompiled } from "../../../utils/search/tables.ts";
import type { Preparation } from "../../attempts/prepare.ts";
import type { SearchTime } from "../../attempts/search_time.ts";
import type { PlaceInFile } from "../../project/functions.ts";
import { type FileChange, patched } from "../../project/patch.ts";
import type { FileEdit } from "../findings.ts";
import type { SearchReport } from "../search_report.ts";
import type { Searcher } from "../searchers.ts";

const SCRIPTS = fileURLToPath(new URL(".", import.meta.url));
/**
 * Edits in the first program and in those after it. The first is small, so that what is likeliest is known soon; a
 * build of many edits takes little more time than one of few.
 */
const BATCHES = [30, 100, 300];
const MOST_CHARS = 24_000;
/** Most edits of a function where each starts a command. */
const MOST_WRITTEN = 3000;
/** Processor time of the tests with one edit, beside what they take by themselves. */
const MORE_SECONDS = 2;
const OTHER_SECONDS = 60;
/** Matches nothing. */
const NEVER = "(?!)";

const End = z.object({ left: z.number(), next: z.number().nullable(), possible: z.boolean(), cpu: z.number() });
const Line = z.union([z.object({ version: z.number(), passes: z.boolean(), cpu: z.number() }), End]);

/** One search of some functions where the tests run. */
export interface SearchRun {
  prepared: Preparation;
  searcher: Searcher;
  /** What was changed so far, and a folder with it. */
  changes: readonly FileChange[];
  tree: string;
  places: readonly PlaceInFile[];
  /** Most edits of a function that pass. */
  keep: number;
  time: SearchTime | undefined;
  report: SearchReport;
  /** Ends what it starts with a share of the time that the search has left; then it gives null. */
  inTime: <T>(work: (ends: AbortSignal | undefined) => Promise<T>, share?: number) => Promise<T | null>;
}

/** Each function in turn, the likeliest first, with shares of the time that fall evenly; ends with a row `done`. */
export async function searchVersions(search: SearchRun, language: LanguageName): Promise<void> {
  const { places, searcher, time, report } = search;
  let seconds = places.length * searcher.functionSeconds;
  for (const [i, place] of places.entries()) {
    const left = Math.min(seconds, time?.left ?? seconds);
    if (left <= 0) break;
    const share = 2 / (places.length - i + 1);
    seconds -= await searchFunction(search, language, place, { share, seconds: share * left });
  }
  report.add({ done: true });
}

/** @param limits its share of the time on the clock, and processor time @returns the processor time that it took */
async function searchFunction(
  search: SearchRun,
  language: LanguageName,
  place: PlaceInFile,
  limits: { share: number; seconds: number },
): Promise<number> {
  const { tree, prepared, report } = search;
  const { name, start, file } = place;
  const { grammar, tables, only } = await knownOf(language, file);
  const text = readForeignText(tree, file);
  const found = functionIn(grammar, await parse(grammar, text), place);
  const row = { function: name, file };
  if (!found) {
    report.add({ ...row, why: `mend finds no function that starts in line ${start}`, tried: 0 });
    return 0;
  }
  const literals = literalsIn(`${prepared.issue}\n${prepared.evidence?.failure ?? ""}`);
  const all = editsOf(new Facts(grammar, text, found), tables, literals, ownKnowledge().priors, { only });
  const { edits, versions } = isCompiled(language)
    ? switchedVersions(language, text, found, all)
    : writtenVersions(text, found, all);
  let [tried, cpu] = [0, 0];
  let end: z.infer<typeof End> | null = null;
  const ran = await runVersions(search, language, { file, edits, versions, ...limits }, (line) => {
    cpu = line.cpu;
    const edit = "left" in line ? undefined : edits[line.version];
    if ("left" in line) end = line;
    if (!edit) return;
    tried += 1;
    report.add({ going: true, tried, cpu });
    if ("passes" in line && line.passes) report.add(lineEdit(text, edit, file));
  });
  cpu = ran?.cpuSeconds ?? cpu;
  search.time?.spend(cpu);
  const { left = edits.length, next = null, possible = true } = end ?? {};
  const died = ran && end === null && tried === 0 ? lastLine(ran.stderr) : undefined;
  const why = possible ? died : "it does not compile with the edits built in";
  report.add({ ...row, tried, untried: left, next, cpu, ...(why !== undefined && { why }) });
  return cpu;
}

interface Built {
  file: string;
  edits: readonly PricedEdit[];
  versions: Versions;
  share: number;
  seconds: number;
}

/** Runs the tests for each version. @returns null where its time was over */
async function runVersions(
  { prepared, searcher, changes, keep, inTime }: SearchRun,
  language: LanguageName,
  { file, edits, versions, share, seconds }: Built,
  onLine: (line: z.infer<typeof Line>) => void,
) {
  const { suite, baseline, base } = prepared;
  const unbuilt = isCompiled(language) ? UNBUILT[language] : NEVER;
  const each = baseline.run.cpuSeconds + MORE_SECONDS;
  const job = {
    ...versions,
    ...{ file: fromFolder(suite.project, file), switch: SWITCH, costs: edits.map(({ cost }) => cost) },
    broken: brokenIn(file),
    // Tests may print such words themselves.
    unbuilt: new RegExp(unbuilt, "m").test(baseline.run.output) ? NEVER : unbuilt,
    ...{ seconds, each, keep, margin: searcher.margin, most: searcher.functionEdits ?? Number.MAX_SAFE_INTEGER },
    ...{ batches: BATCHES, chars: MOST_CHARS },
    tests: { failing: baseline.failing.map(classAndTitle), passing: baseline.passing.map(classAndTitle) },
  };
  using tree = patched(base, changes);
  return await inTime(
    (signal) =>
      suite.runCommand({
        tree: tree.path,
        command: (out) => versionsCommand(prepared, language, out),
        stdin: JSON.stringify(job),
        seconds: seconds + each + OTHER_SECONDS,
        onLine: (text) => {
          const line = readJson(text, Line);
          if (line) onLine(line);
        },
        signal,
      }),
    share,
  );
}

/** What builds and tests versions, with the build of the first run where the tests keep one. */
export async function versionsCommand(
  prepared: Preparation,
  language: LanguageName,
  out: string,
): Promise<TestCommand> {
  const { executable, prefixes } = await findSharedPython(await findPython());
  const tests = await testCommands(prepared, out, { isBuiltOnce: isCompiled(language) });
  const script = join(SCRIPTS, "run_versions.py");
  return {
    ...tests,
    argv: [executable, "-S", "-B", script, join(out, "lines"), join(out, "report"), ...tests.argv],
    env: { ...tests.env, [SHORT_MESSAGES]: "1", ...ALL_MISTAKES[language] },
    readable: [...prefixes, ...tests.readable, SCRIPTS],
  };
}

/**
 * Three commands as one list of words; the number of words stands before the first two. The first builds and runs the
 * failing tests, the second runs them again, the third runs all tests except those that fail and need not pass.
 * @param out absolute path of the folder to which each writes `report`
 * @param isBuiltOnce omits the build from the second and the third command where possible
 */
async function testCommands(
  { suite, baseline }: Preparation,
  out: string,
  { isBuiltOnce }: { isBuiltOnce: boolean },
): Promise<TestCommand> {
  const behind = isBuiltOnce ? { isBuilt: true, round: "next" as const } : {};
  const { failing, passing, run } = baseline;
  const meant = new Set([...failing, ...passing].map(({ name }) => name));
  const isAside = [...run.tests.values()].some((test) => isFail(test) && !meant.has(test.name));
  const named = isAside ? { only: [...failing, ...passing] } : {};
  // A command that is not of a framework may test in any of its parts.
  const all = await suite.testCommand(out, suite.plan.framework === null ? {} : { ...behind, ...named });
  const only = await suite.testCommand(out, { only: failing, ...behind });
  const first = isBuiltOnce ? await suite.testCommand(out, { only: failing, round: "first" }) : only;
  return {
    ...all,
    argv: [...[first, only].flatMap(({ argv }) => [String(argv.length), ...argv]), ...all.argv],
    env: { ...first.env, ...all.env },
    readable: [first, only, all].flatMap(({ readable }) => readable),
  };
}

const lastLine = (text: string): string =>
  `the search broke off: ${text.trim().split("\n").at(-1) || "no reason given"}`;

/** What the search knows of a language and its edits. */
async function knownOf(
  language: LanguageName,
  file: string,
): Promise<{ grammar: Grammar; tables: CompiledTables; only?: readonly string[] | undefined }> {
  const knowledge = ownKnowledge();
  const tables = tablesOf(knowledge, language);
  if (language === "python") return { grammar: pythonGrammar, tables, only: knowledge.python.only };
  if (language === "javascript") {
    const wasm = /\.[cm]?ts$/.test(file) ? "tree-sitter-typescript.wasm" : javascriptGrammar.wasm;
    return { grammar: { ...javascriptGrammar, wasm }, tables };
  }
  return { grammar: await COMPILED_SEARCHES[language].loadGrammar(), tables };
}

/** A file as `head`, one or several versions of a part, and `tail`. */
interface Versions {
  head: string;
  versions: string[];
  tail: string;
  /** The part as it is, where each version takes its place; where there is none a program holds many at once. */
  original?: string;
}

type WithEdits = { edits: readonly PricedEdit[]; versions: Versions };

/** Edits inside the body, all in one program. */
function switchedVersions(
  language: CompiledName,
  text: string,
  definition: Node,
  all: readonly PricedEdit[],
): WithEdits {
  const body = definition.childForFieldName("body") ?? definition;
  const edits = all.filter(
    ({ changes, program }) =>
      !changes.some((one) => one.start <= body.startIndex || one.end >= body.endIndex) &&
      (!returnsLast(text, body) ||
        returnsLast(program, {
          startIndex: body.startIndex,
          endIndex: body.endIndex + program.length - text.length,
        })),
  );
  const programs = edits.map(({ program }) => program);
  return { edits, versions: switched(language, text, body, programs) };
}

/** Edits of the function, each in its place. */
function writtenVersions(text: string, { startIndex, endIndex }: Node, all: readonly PricedEdit[]): WithEdits {
  const edits = all
    .filter(({ changes }) => changes.every((one) => startIndex <= one.start && one.end <= endIndex))
    .slice(0, MOST_WRITTEN);
  return {
    edits,
    versions: {
      head: text.slice(0, startIndex),
      versions: edits.map(({ program }) => program.slice(startIndex, program.length - (text.length - endIndex))),
      tail: text.slice(endIndex),
      original: text.slice(startIndex, endIndex),
    },
  };
}

type Body = Pick<Node, "startIndex" | "endIndex">;

/**
 * Settings with which compilers report every error at once. Go reports ten; javac stops at the first of its stages that
 * finds one, so that what does not parse hides wrong types.
 */
const ALL_MISTAKES: Partial<Record<LanguageName, Readonly<Record<string, string>>>> = {
  go: { GOFLAGS: "-gcflags=-e" },
  java: { JDK_JAVAC_OPTIONS: "-XDshould-stop.ifError=FLOW -Xmaxerrs 1000" },
};

/** Without it a branch would end without a value, which a compiler reports for the whole function. */
const returnsLast = (text: string, { startIndex, endIndex }: Body): boolean =>
  /(?:[;{}]|\n)\s*return\b[^;{}]*;?\s*$/.test(text.slice(startIndex, endIndex - 1));

/**
 * What compilers and what starts them say of a line of a file that does not compile: g++, javac, Maven, cargo; rustc
 * over several lines; Go without a word for it.
 */
const brokenIn = (file: string): string => {
  const name = basename(file).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const where = file.endsWith(".go") ? ":\\d+:\\d+: " : ":\\d+(?::\\d+)?: (?:fatal )?error|:\\[\\d+,\\d+\\]";
  return `(?:^|[/\\s"\\]])${name}(?:${where})|--> (?:\\S*/)?${name}:\\d+:\\d+`;
};

/** Output of compilers, linkers and build tools when a build fails, in any file. */
const UNBUILT: Readonly<Record<CompiledName, string>> = {
  cpp: ":\\d+:\\d+: (?:fatal )?error: |^collect2: (?:fatal )?error|: undefined reference to ",
  java: "\\.java:\\d+: error: |\\.java:\\[\\d+,\\d+\\]|COMPILATION ERROR|Compilation failed",
  go: "\\[(?:build|setup) failed\\]|^# command-line-arguments$",
  rust: "error: could not compile|^error\\[E\\d+\\]|error: aborting due to",
};

/** An edit of whole lines, which is how findings have it. */
function lineEdit(
  text: string,
  { changes, operator, cost, program }: PricedEdit,
  file: string,
): Omit<FileEdit, "behaviour"> {
  const starts = changes.map(({ start }) => start);
  const ends = changes.map((one) => one.end);
  const first = text.lastIndexOf("\n", Math.min(...starts) - 1) + 1;
  const end = text.indexOf("\n", Math.max(...ends)) + 1 || text.length;
  const now = program.slice(first, program.length - (text.length - end));
  return {
    ...{ file, operator, cost, from: text.slice(0, first).split("\n").length },
    to: text.slice(0, end - 1).split("\n").length,
    old: text.slice(first, end),
    text: now.trim() === "" ? "" : now,
    repeats: null,
  };
}
