/**
 * The search by a command: the tests run once for each edit of a function. In languages that are compiled many edits are
 * built into one program, which is asked for one of them in each run; in others each edit is written into the file.
 */

import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { readForeignText } from "../../../utils/base/files/foreign_file.ts";
import { findPython, findSharedPython } from "../../../utils/base/host/python.ts";
import { SHORT_MESSAGES } from "../../../utils/frameworks/compiled/cargo_test.ts";
import { classAndTitle } from "../../../utils/frameworks/framework.ts";
import type { LanguageName } from "../../../utils/languages/language.ts";
import { fromRoot } from "../../../utils/project/project.ts";
import { SWITCH, switched } from "../../../utils/search/compiled/in_projects/switched.ts";
import { COMPILED_SEARCHES } from "../../../utils/search/compiled/languages.ts";
import { editsOf, type PricedEdit } from "../../../utils/search/edits/generate.ts";
import { toldIn } from "../../../utils/search/edits/told.ts";
import { javascriptGrammar } from "../../../utils/search/javascript/edits/grammar.ts";
import { pythonGrammar } from "../../../utils/search/python/edits/grammar.ts";
import { Facts } from "../../../utils/search/syntax/facts.ts";
import { functionIn, type Grammar, type Node, parse } from "../../../utils/search/syntax/grammar.ts";
import { type CompiledName, type CompiledTables, isCompiled } from "../../../utils/search/tables.ts";
import type { Preparation } from "../../attempts/prepare.ts";
import { type FileChange, patched } from "../../project/patch.ts";
import type { FileEdit } from "../findings.ts";
import { testCommands } from "./commands.ts";

const SCRIPTS = fileURLToPath(new URL(".", import.meta.url));
/**
 * Edits in the first program and in those after it. The first is small, so that what is likeliest is known soon; a
 * build of many edits takes little more time than one of few.
 */
const BATCHES = [30, 100, 300];
const MOST_CHARS = 24_000;
/** Edits for each of which a command starts: there is no time for more. */
const MOST_WRITTEN = 3000;
/** Processor time of the tests with one edit, beside what they take by themselves. */
const MORE_SECONDS = 2;
const OTHER_SECONDS = 60;
const MOST_SHOWN = 60;

const End = z.object({ left: z.number(), next: z.number().nullable(), possible: z.boolean(), cpu: z.number() });
const Line = z.union([z.object({ version: z.number(), passes: z.boolean(), cpu: z.number() }), End]);

/** A function and what may be done in it. */
interface VersionsPlace {
  file: string;
  name: string;
  start: number;
  end: number;
  seconds: number;
}

export interface VersionsJob {
  prepared: Preparation;
  language: LanguageName;
  /** What was changed so far. */
  changes: readonly FileChange[];
  /** Folder with these. */
  tree: string;
  places: readonly VersionsPlace[];
  instruction: string;
  /** Edits that pass, of one function; and how much more an edit may cost than the cheapest that does. */
  keep: number;
  margin: number;
  /** Edits that are tried in a function. */
  most: number;
  /** Gets rows as a process of a search writes them. */
  tell: (row: object) => void;
  /** Processor seconds that are left for all. */
  left: () => number;
  spend: (seconds: number) => void;
  /** Ends what it starts with a share of the time that the search has left; then it gives null. */
  inTime: <T>(work: (ends: AbortSignal | undefined) => Promise<T>, share: number) => Promise<T | null>;
}

/** Each function in turn, the likeliest first, with shares of the time that fall evenly; ends with a row `done`. */
export async function searchVersions(job: VersionsJob): Promise<void> {
  let seconds = job.places.reduce((sum, one) => sum + one.seconds, 0);
  for (const [i, place] of job.places.entries()) {
    const left = Math.min(seconds, job.left());
    if (left <= 0) break;
    const share = 2 / (job.places.length - i + 1);
    seconds -= await new FunctionSearch(job, place, { share, seconds: share * left }).run();
  }
  job.tell({ done: true });
}

/** Limits of one function: its share of the time on the clock, and processor time. */
interface Limits {
  share: number;
  seconds: number;
}

class FunctionSearch {
  readonly #job: VersionsJob;
  readonly #place: VersionsPlace;
  readonly #limits: Limits;
  readonly #file: string;
  readonly #text: string;
  #tried = 0;
  #cpu = 0;
  /** What its process said last; null where it did not come to its end. */
  #end: z.infer<typeof End> | null = null;
  /** What a process said that ended before it tried anything. */
  #died: string | null = null;

  constructor(job: VersionsJob, place: VersionsPlace, limits: Limits) {
    this.#job = job;
    this.#limits = limits;
    this.#place = place;
    this.#file = fromRoot(job.prepared.suite.project, place.file);
    this.#text = readForeignText(job.tree, this.#file);
  }

  /** @returns processor seconds that it took */
  async run(): Promise<number> {
    const { language, instruction, tell } = this.#job;
    const { name, start, file } = this.#place;
    const { grammar, tables, only } = await knownOf(language, this.#file);
    const found = functionIn(grammar, await parse(grammar, this.#text), this.#place);
    if (!found) {
      tell({ function: name, file, why: `mend finds no function that starts in line ${start}`, tried: 0 });
      return 0;
    }
    const facts = new Facts(grammar, this.#text, found);
    const all = editsOf(facts, tables, toldIn(instruction), ownKnowledge().priors, { only });
    const { edits, versions } = isCompiled(language)
      ? switchedVersions(language, this.#text, found, all)
      : writtenVersions(this.#text, found, all);
    await this.#run(edits, versions);
    const end = this.#end;
    const whyNot = end?.possible === false ? "it does not compile with the edits built in" : this.#died;
    const why = whyNot === null ? {} : { why: whyNot };
    tell({
      ...{
        function: name,
        file,
        start,
        tried: this.#tried,
        untried: end?.left ?? edits.length,
        next: end?.next ?? null,
      },
      ...{ cpu: this.#cpu, none: [], hung: 0, hungSeconds: 0, ...why },
    });
    return this.#cpu;
  }

  async #run(edits: readonly PricedEdit[], versions: Versions) {
    const { prepared, changes, keep, margin, most, inTime } = this.#job;
    const { suite, baseline, base } = prepared;
    const { share, seconds } = this.#limits;
    const job = {
      ...versions,
      ...{
        file: this.#place.file,
        switch: SWITCH,
        broken: brokenIn(this.#file),
        unbuilt: this.#unbuilt,
        costs: edits.map(({ cost }) => cost),
      },
      ...{
        seconds,
        each: baseline.run.cpuSeconds + MORE_SECONDS,
        keep,
        margin,
        most,
        batches: BATCHES,
        chars: MOST_CHARS,
      },
      tests: { failing: baseline.failing.map(classAndTitle), passing: baseline.passing.map(classAndTitle) },
    };
    using tree = patched(base, changes);
    const ran = await inTime(
      (signal) =>
        suite.runCommand({
          tree: tree.path,
          command: (out) => this.#command(out),
          stdin: JSON.stringify(job),
          seconds: seconds + job.each + OTHER_SECONDS,
          onLine: (line) => {
            const row = readJson(line, Line);
            if (row === null) return;
            this.#cpu = row.cpu;
            if ("left" in row) this.#end = row;
            else this.#decide(edits[row.version], row.passes);
          },
          signal,
        }),
      share,
    );
    this.#cpu = ran?.cpuSeconds ?? this.#cpu;
    this.#job.spend(this.#cpu);
    if (ran && this.#end === null && this.#tried === 0) this.#died = lastLine(ran.stderr);
  }

  /** What a build that failed says; nothing where the tests print such words themselves. */
  get #unbuilt(): string {
    const { language, prepared } = this.#job;
    const pattern = isCompiled(language) ? UNBUILT[language] : "(?!)";
    return new RegExp(pattern, "m").test(prepared.baseline.run.output) ? "(?!)" : pattern;
  }

  #decide(edit: PricedEdit | undefined, passes: boolean): void {
    if (!edit) return;
    this.#tried += 1;
    this.#job.tell({ going: true, tried: this.#tried, cpu: this.#cpu });
    if (!passes) return;
    this.#job.tell(toldEdit(this.#text, edit, this.#place.file));
  }

  async #command(out: string) {
    const python = await findSharedPython(await findPython());
    const { prepared, language } = this.#job;
    const tests = await testCommands(prepared, out, { isBuiltOnce: isCompiled(language) });
    return {
      ...tests,
      env: { ...tests.env, [SHORT_MESSAGES]: "1", ...(language === "go" ? ALL_MISTAKES : {}) },
      argv: [
        python.executable,
        "-S",
        "-B",
        join(SCRIPTS, "run_versions.py"),
        join(out, "lines"),
        join(out, "report"),
        ...tests.argv,
      ],
      readable: [...python.prefixes, ...tests.readable, SCRIPTS],
    };
  }
}

const lastLine = (text: string): string =>
  `the search broke off: ${text.trim().split("\n").at(-1) || "no reason given"}`;

/** What the search knows of a language and its edits. */
async function knownOf(
  language: LanguageName,
  file: string,
): Promise<{ grammar: Grammar; tables: CompiledTables; only?: readonly string[] | undefined }> {
  const { python, javascript, compiled } = ownKnowledge();
  if (language === "python") return { grammar: pythonGrammar, tables: python, only: python.only };
  if (language === "javascript") {
    const wasm = /\.[cm]?ts$/.test(file) ? "tree-sitter-typescript.wasm" : javascriptGrammar.wasm;
    return { grammar: { ...javascriptGrammar, wasm }, tables: javascript };
  }
  return { grammar: await COMPILED_SEARCHES[language].loadGrammar(), tables: compiled[language] };
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

/** By default Go's compiler reports only ten errors. */
const ALL_MISTAKES = { GOFLAGS: "-gcflags=-e" };

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

/** As whole lines, which is how findings have it. */
function toldEdit(
  text: string,
  { changes, operator, cost, program }: PricedEdit,
  file: string,
): Omit<FileEdit, "behaviour"> {
  const sorted = changes.toSorted((a, b) => a.start - b.start);
  const starts = sorted.map(({ start }) => start);
  const ends = sorted.map(({ end }) => end);
  const first = text.lastIndexOf("\n", Math.min(...starts) - 1) + 1;
  const end = text.indexOf("\n", Math.max(...ends)) + 1 || text.length;
  const shown = (part: string) => part.replace(/\s+/g, " ").trim().slice(0, MOST_SHOWN) || "(nothing)";
  const now = program.slice(first, program.length - (text.length - end));
  return {
    ...{ file, operator, cost, from: text.slice(0, first).split("\n").length },
    to: text.slice(0, end - 1).split("\n").length,
    old: text.slice(first, end),
    text: now.trim() === "" ? "" : now,
    before: shown(sorted.map(({ start, end: to }) => text.slice(start, to)).join(" … ")),
    after: shown(sorted.map((one) => one.text).join(" … ")),
    repeats: null,
  };
}
