/**
 * The search in projects of languages that are compiled: many edits of a function are built into one program, and the
 * tests run once for each of them, without another build.
 */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { ownKnowledge } from "../../../agent/tools/knowledge.ts";
import { readJson } from "../../../utils/base/data/record.ts";
import { readForeignText } from "../../../utils/base/files/foreign_file.ts";
import { findPython, findSharedPython } from "../../../utils/base/host/python.ts";
import { SHORT_MESSAGES } from "../../../utils/frameworks/compiled/cargo_test.ts";
import { fromRoot } from "../../../utils/project/project.ts";
import { Facts } from "../../../utils/search/compiled/facts.ts";
import { editsOf, type PricedEdit } from "../../../utils/search/compiled/generate.ts";
import { functionIn, parse } from "../../../utils/search/compiled/grammar.ts";
import { COMPILED_SEARCHES } from "../../../utils/search/compiled/languages.ts";
import { SWITCH, switched } from "../../../utils/search/compiled/switched.ts";
import type { CompiledName } from "../../../utils/search/compiled/tables.ts";
import { toldIn } from "../../../utils/search/compiled/told.ts";
import type { Prepared } from "../../attempts/prepare.ts";
import { type FileChange, patched } from "../../project/patch.ts";
import { failingThenAll } from "../failing_then_all.ts";
import type { FileEdit } from "../findings.ts";

const SCRIPT = fileURLToPath(new URL("./run_versions.py", import.meta.url));
/** Edits in one program. */
const BATCH = 30;
const MOST_CHARS = 24_000;
/** Builds of one batch, from which edits that do not compile drop out. */
const ROUNDS = 6;
/** Processor time of the tests with one edit, beside what they take by themselves. */
const MORE_SECONDS = 2;
const OTHER_SECONDS = 60;
const MOST_SHOWN = 60;

const Line = z.union([
  z.object({ built: z.boolean(), said: z.string(), tail: z.string(), cpu: z.number() }),
  z.object({ version: z.number(), passes: z.boolean(), cpu: z.number() }),
]);

/** A function and what may be done in it. */
interface SwitchedPlace {
  file: string;
  name: string;
  start: number;
  end: number;
  seconds: number;
}

export interface SwitchedJob {
  prepared: Prepared;
  language: CompiledName;
  /** What was changed so far. */
  changes: readonly FileChange[];
  /** Folder with these. */
  tree: string;
  places: readonly SwitchedPlace[];
  instruction: string;
  /** Edits that pass, of one function; and how much more an edit may cost than the cheapest that does. */
  keep: number;
  margin: number;
  /** Gets rows as a process of a search writes them. */
  tell: (row: object) => void;
  /** Processor seconds that are left for all. */
  left: () => number;
  spend: (seconds: number) => void;
  signal?: AbortSignal | undefined;
}

/** Each function in turn; ends with a row `done`. */
export async function searchSwitched(job: SwitchedJob): Promise<void> {
  for (const place of job.places) {
    if (job.left() <= 0) break;
    await new FunctionSearch(job, place).run();
  }
  job.tell({ done: true });
}

class FunctionSearch {
  readonly #job: SwitchedJob;
  readonly #place: SwitchedPlace;
  readonly #file: string;
  readonly #text: string;
  #tried = 0;
  #found = 0;
  #cpu = 0;
  #limit = Number.POSITIVE_INFINITY;

  constructor(job: SwitchedJob, place: SwitchedPlace) {
    this.#job = job;
    this.#place = place;
    this.#file = fromRoot(job.prepared.suite.project, place.file);
    this.#text = readForeignText(job.tree, this.#file);
  }

  async run(): Promise<void> {
    const { language, instruction, tell } = this.#job;
    const { name, start, end, file } = this.#place;
    const { grammar } = COMPILED_SEARCHES[language];
    const found = functionIn(grammar, await parse(grammar, this.#text), { start, end });
    const body = found?.childForFieldName("body");
    if (!found || !body) {
      tell({ function: name, file, why: `no function that begins in line ${start} is read`, tried: 0 });
      return;
    }
    const knowledge = ownKnowledge();
    const facts = new Facts(grammar, this.#text, found);
    const all = editsOf(facts, knowledge.compiled[language], toldIn(instruction), knowledge.priors, {});
    const inside = all.filter(
      ({ changes, program }) =>
        !changes.some((one) => one.start <= body.startIndex || one.end >= body.endIndex) &&
        (!returnsLast(this.#text, body) ||
          returnsLast(program, { ...body, endIndex: body.endIndex + program.length - this.#text.length })),
    );
    const left = await this.#inOrder(inside, body);
    const untried = left.filter(({ cost }) => cost <= this.#limit);
    const next = untried[0]?.cost ?? null;
    tell({
      ...{ function: name, file, start, tried: this.#tried, untried: untried.length, next },
      ...{ cpu: this.#cpu, none: [], hung: 0, hungSeconds: 0 },
    });
  }

  get #seconds(): number {
    return Math.min(this.#place.seconds - this.#cpu, this.#job.left());
  }

  /** @returns edits for which there was no time */
  async #inOrder(edits: readonly PricedEdit[], body: Body): Promise<readonly PricedEdit[]> {
    let at = 0;
    while (at < edits.length && this.#seconds > 0 && this.#found < this.#job.keep) {
      const batch: PricedEdit[] = [];
      let chars = 0;
      for (const one of edits.slice(at)) {
        chars += body.endIndex - body.startIndex;
        if (batch.length === BATCH || one.cost > this.#limit || (batch.length > 0 && chars > MOST_CHARS)) break;
        batch.push(one);
      }
      if (batch.length === 0) break;
      const done = await this.#tryAll(batch, body);
      at += done;
      if (done < batch.length) break;
    }
    return edits.slice(at);
  }

  /** @returns how many of them were decided on */
  async #tryAll(batch: readonly PricedEdit[], body: Body): Promise<number> {
    let kept = [...batch];
    for (let round = 0; round < ROUNDS && kept.length > 0 && this.#seconds > 0; round++) {
      const { text, lines } = switched(
        this.#job.language,
        this.#text,
        body,
        kept.map(({ program }) => program),
      );
      const ran = await this.#run(text, kept);
      if (ran === null || ran.built) return ran === null ? 0 : batch.length - (kept.length - ran.decided);
      const bad = new Set(
        linesIn(ran.said, this.#file).map((line) => lines.findIndex(([a, b]) => a <= line && line <= b)),
      );
      const left = kept.filter((_, at) => !bad.has(at));
      // Where no edit is to blame, a smaller program tells which one is.
      kept = left.length < kept.length ? left : kept.slice(0, Math.floor(kept.length / 2));
    }
    return batch.length;
  }

  /** Builds the file and runs the tests with each version in it. Null where nothing was said. */
  async #run(text: string, kept: readonly PricedEdit[]) {
    const { prepared, changes, signal } = this.#job;
    const { suite, baseline, base } = prepared;
    const others = changes.filter(({ file }) => file !== this.#file);
    const before = readForeignText(base, this.#file);
    using tree = patched(base, [...others, { file: this.#file, before, after: text }]);
    let built: { built: boolean; said: string } | null = null;
    let decided = 0;
    const began = this.#cpu;
    const each = baseline.run.cpuSeconds + MORE_SECONDS;
    const seconds = this.#seconds;
    const ran = await suite.runCommand({
      tree: tree.path,
      command: (out) => this.#command(out, kept.length, { seconds, each }),
      seconds: seconds + each + OTHER_SECONDS,
      onLine: (line) => {
        const row = readJson(line, Line);
        if (row === null) return;
        this.#cpu = began + row.cpu;
        if ("built" in row) built = row;
        else {
          decided = row.version;
          this.#decide(kept[row.version - 1], row.passes);
        }
      },
      signal,
    });
    this.#cpu = began + ran.cpuSeconds;
    this.#job.spend(ran.cpuSeconds);
    return built === null ? null : { ...(built as { built: boolean; said: string }), decided };
  }

  #decide(edit: PricedEdit | undefined, passes: boolean): void {
    if (!edit) return;
    this.#tried += 1;
    this.#job.tell({ going: true, tried: this.#tried, cpu: this.#cpu });
    if (!passes) return;
    this.#found += 1;
    this.#limit = Math.min(this.#limit, edit.cost + this.#job.margin);
    this.#job.tell(toldEdit(this.#text, edit, this.#place.file));
  }

  async #command(out: string, count: number, { seconds, each }: { seconds: number; each: number }) {
    const results = join(out, "report");
    const python = await findSharedPython(await findPython());
    const tests = await failingThenAll(this.#job.prepared, results);
    return {
      ...tests,
      env: { ...tests.env, [SHORT_MESSAGES]: "1" },
      argv: [
        ...[python.executable, "-S", "-B", "-c", readFileSync(SCRIPT, "utf8"), join(out, "lines"), results, SWITCH],
        ...[brokenIn(this.#file), String(count), String(seconds), String(each), ...tests.argv],
      ],
      readable: [...python.prefixes, ...tests.readable],
    };
  }
}

interface Body {
  startIndex: number;
  endIndex: number;
}

/** Without it a branch would end without a value, which a compiler tells of the whole function. */
const returnsLast = (text: string, { startIndex, endIndex }: Body): boolean =>
  /[;{}]\s*return\b[^;{}]*;\s*$/.test(text.slice(startIndex, endIndex - 1));

/** What g++, make, Maven and cargo say of a line of a file that does not compile. */
const brokenIn = (file: string): string =>
  `${basename(file).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?::\\d+:\\d+: (?:fatal )?error|:\\[\\d+,\\d+\\])`;

const linesIn = (said: string, file: string): number[] =>
  said.split("\n").flatMap((line) => {
    const [, rest = ""] = line.split(basename(file));
    const [, number] = /^:\[?(\d+)[:,]/.exec(rest) ?? [];
    return number === undefined ? [] : [Number(number)];
  });

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
  return {
    ...{ file, operator, cost, from: text.slice(0, first).split("\n").length },
    to: text.slice(0, end - 1).split("\n").length,
    old: text.slice(first, end),
    text: program.slice(first, program.length - (text.length - end)),
    before: shown(sorted.map(({ start, end: to }) => text.slice(start, to)).join(" … ")),
    after: shown(sorted.map((one) => one.text).join(" … ")),
    deletes: sorted.every((one) => /^[\s;{}]*$/.test(one.text)),
    repeats: null,
  };
}
