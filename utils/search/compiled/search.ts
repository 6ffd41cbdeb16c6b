/**
 * The search in a language that is compiled: many edits in one program, compiled once, and what passes is judged alone.
 */

import { setImmediate } from "node:timers/promises";
import { plural } from "../../base/text/format.ts";
import { type AgentSandbox, MOST_OUTPUT_BYTES } from "../../sandbox/types.ts";
import { buggyProgram, type VisibleTask } from "../../task/task.ts";
import { type Behaviours, readBehaviours } from "../choice/behaviour.ts";
import {
  type Comparison,
  foundEdit,
  otherEdits,
  type PassingEdit,
  type RankedEdit,
  ranked,
  splicesOf,
} from "../choice/choose.ts";
import { proseOf } from "../choice/score.ts";
import { editsOf, type PricedEdit, pairsOf } from "../edits/generate.ts";
import { literalsIn } from "../edits/literals.ts";
import type { EditKnowledge, Priors } from "../knowledge.ts";
import type { SearchRequest } from "../request.ts";
import type { SearchResult } from "../result.ts";
import { Facts } from "../syntax/facts.ts";
import { parse } from "../syntax/grammar.ts";
import { isCompiled } from "../tables.ts";
import { type Clones, readResults, type VersionResult } from "./clones.ts";
import { COMPILED_SEARCHES } from "./languages.ts";

/** Versions in the first program, and in those after it. */
const FIRST = 120;
const MORE = 400;
/** Characters of versions in one program. */
const MOST_CHARS = 200_000;
/** Limits on the characters of all single edits, and of all pairs, in a call: compile time grows with them. */
const MOST_SINGLE_CHARS = 500_000;
const MOST_PAIRED_CHARS = 250_000;
const ROUNDS = 6;
/** Processor time of one version, and of one that was late where nothing passed. */
const SHORT_MS = 20;
const LONG_MS = 300;
const MOST_LATE = 60;
/** Times that a version ends all others, or uses its time in a way that only an end stops. */
const MOST_RESTARTS = 12;
const MOST_PAIRS = 3000;
const RUN_TIMEOUT_MS = 110_000;
const JUDGE_TIMEOUT_MS = 10_000;
/** Edits that pass here and are judged alone. */
const MOST_JUDGED = 12;
const KEEP = 4;
/** Passing edits whose behaviour is compared. */
const MOST_COMPARED = 40;
const MOST_NUMBERS = 4;
/** If the program itself passes: limits on the edits that are tried in any case, and on those that are compared. */
const MOST_BLIND = 300;
const MOST_BLIND_COMPARED = 120;

/** In a program of many; null for the program as it is. */
type Version = PricedEdit | null;

/** Its message says why a program cannot be searched. */
class Unreadable extends Error {}

interface Attempt {
  edit: PricedEdit;
  seen: VersionResult;
}

/** @throws Error where the sandbox fails */
export async function searchCompiled(
  request: SearchRequest,
  { knowledge, task }: { knowledge: EditKnowledge; task: VisibleTask },
  sandbox: AgentSandbox,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { language } = request;
  if (!isCompiled(language)) throw new Error(`nothing searches programs in ${language}`);
  const { loadGrammar, loadClones } = COMPILED_SEARCHES[language];
  const [grammar, clonesOf] = await Promise.all([loadGrammar(), loadClones()]);
  const { priors } = knowledge;
  const tables = knowledge.compiled[language];
  const { program, entry, tests, instruction } = request;
  const clones = clonesOf(program, entry, tests);
  if (typeof clones === "string") return unreadable(clones);
  const found = grammar.findFunction(await parse(grammar, program), entry);
  if (!found) return unreadable(`no function \`${entry}\` is read in the program`);
  const facts = new Facts(grammar, program, found);
  const edits = editsOf(facts, tables, literalsIn(instruction), priors, request).filter((one) =>
    staysWithin(one, clones),
  );
  const run = new Run(request, clones, priors, sandbox, signal);
  try {
    await run.all(edits);
  } catch (error) {
    if (error instanceof Unreadable) return unreadable(error.message);
    throw error;
  }
  return await run.result(task);
}

/** Whether the versions of a task's function can stand in one program; of methods many cannot. */
export async function canBeTakenApart(task: VisibleTask): Promise<boolean> {
  if (!isCompiled(task.language)) return true;
  const clonesOf = await COMPILED_SEARCHES[task.language].loadClones();
  return typeof clonesOf(buggyProgram(task), task.entryPoint, task.exampleTest) !== "string";
}

/** True where nothing but the function changes. */
const staysWithin = ({ program }: PricedEdit, { around: [before, behind] }: Clones): boolean =>
  program.startsWith(before) && program.endsWith(behind);

const unreadable = (why: string): SearchResult => ({
  status: "unreadable",
  tried: 0,
  passing: 0,
  lines: 0,
  best: [],
  cursor: null,
  explanation: `Nothing can be tried: ${why}.`,
});

/** One call of the search. */
class Run {
  readonly #request: SearchRequest;
  #clones: Clones;
  readonly #priors: Priors;
  readonly #sandbox: AgentSandbox;
  readonly #signal: AbortSignal | undefined;
  readonly #passing: Attempt[] = [];
  readonly #late: Attempt[] = [];
  readonly #tried: Attempt[] = [];
  #base: VersionResult = { reached: 0, passed: 0, ended: false, late: false };
  #count = 0;
  #chars = 0;
  #uncompiled = 0;
  /** The compiler's message for the first version that does not compile. */
  #complaint = "";
  /** A program of many versions did not end. */
  #isHung = false;
  /** The time was up before all was tried. */
  #isLate = false;
  readonly #began = performance.now();
  /** Whether the unchanged program compiles; undefined before that was tried. */
  #compiles: boolean | undefined;
  #restarts = MOST_RESTARTS;
  /** Number of edits of the whole list that are decided. */
  #at = 0;
  #isExhausted = false;

  constructor(
    request: SearchRequest,
    clones: Clones,
    priors: Priors,
    sandbox: AgentSandbox,
    signal: AbortSignal | undefined,
  ) {
    this.#request = request;
    this.#clones = clones;
    this.#priors = priors;
    this.#sandbox = sandbox;
    this.#signal = signal;
  }

  /** Goes on where an earlier call stopped. */
  get #start(): number {
    const { cursor } = this.#request;
    return typeof cursor === "object" && cursor && "at" in cursor && typeof cursor.at === "number" ? cursor.at : 0;
  }

  async all(edits: readonly PricedEdit[]): Promise<void> {
    this.#at = this.#start;
    if (this.#at < edits.length) await this.#inOrder(edits, MOST_SINGLE_CHARS);
    const isDone = this.#passing.length > 0 || this.#isCutOff || this.#count >= this.#request.steps;
    if (!isDone && this.#late.length > 0) await this.#again();
    if (this.#passing.length > 0 || this.#isCutOff || this.#request.only) return;
    const nearer = this.#likeliest(edits);
    const pairs = pairsOf(this.#request.program, nearer, Math.min(MOST_PAIRS, this.#request.steps));
    this.#at = Math.max(0, this.#at - edits.length);
    await this.#inOrder(
      pairs.filter((one) => staysWithin(one, this.#clones)),
      this.#chars + MOST_PAIRED_CHARS,
    );
    this.#at += edits.length;
    this.#isExhausted = this.#passing.length === 0;
  }

  /**
   * Single edits that compile and end, in the order in which pairs are made of them: more checks that hold come first.
   */
  #likeliest(edits: readonly PricedEdit[]): PricedEdit[] {
    const seen = new Map(this.#tried.map(({ edit, seen }) => [edit, seen]));
    const gain = (one: PricedEdit) => (seen.get(one)?.passed ?? 0) - this.#base.passed;
    // One that does not end seldom does with another, and costs most of the time.
    const isUsable = (one: PricedEdit) => seen.has(one) && (this.#base.late || !seen.get(one)?.late || gain(one) > 0);
    const compiled = this.#tried.length > 0 ? edits.filter(isUsable) : edits;
    return compiled
      .map((one) => ({ ...one, cost: one.cost - Math.sign(gain(one)) * (gain(one) > 0 ? 2 : 0.5) }))
      .toSorted((a, b) => a.cost - b.cost);
  }

  async #inOrder(edits: readonly PricedEdit[], mostChars: number): Promise<void> {
    while (this.#at < edits.length && this.#chars < mostChars && this.#count < this.#request.steps && !this.#ends()) {
      const best = Math.min(...this.#passing.map(({ edit }) => edit.cost));
      // Where the tests see no mistake, what passes says little: more is tried, for what changes something.
      const isBlind = this.#isPassing && this.#count < MOST_BLIND;
      const batch = this.#batch(edits, isBlind ? Number.POSITIVE_INFINITY : best + this.#priors.margin);
      if (batch.length === 0) break;
      this.#at += batch.length;
      await this.#tryAll(batch, SHORT_MS);
      await setImmediate();
    }
  }

  /** The next edits, as many as one program holds. */
  #batch(edits: readonly PricedEdit[], mostCost: number): PricedEdit[] {
    const most = this.#count === 0 ? FIRST : MORE;
    const { around } = this.#clones;
    const outside = around[0].length + around[1].length;
    const found: PricedEdit[] = [];
    let chars = 0;
    for (let at = this.#at; at < edits.length && found.length < most; at++) {
      const one = edits[at];
      if (!one || one.cost > mostCost) break;
      chars += one.program.length - outside;
      if (chars > MOST_CHARS) break;
      found.push(one);
    }
    this.#chars += chars;
    return found;
  }

  /** Compiles versions until no more drop out, and runs what is left. The program as it is comes first. */
  async #tryAll(batch: readonly PricedEdit[], limitMs: number): Promise<void> {
    const base = this.#compiles === false ? [] : [null];
    let kept: Version[] = [...base, ...batch];
    for (let round = 0; round < ROUNDS && kept.some((one) => one !== null) && !this.#ends(); round++) {
      const { lines, ran } = await this.#run(kept, limitMs);
      if (ran.status === "syntax_error") {
        const bad = new Set(
          (ran.problems ?? []).map(({ line }) => lines.findIndex(([a, b]) => a <= line && line <= b)),
        );
        const left = kept.filter((_, at) => !bad.has(at));
        if (kept.includes(null) && !left.includes(null)) this.#compiles = false;
        this.#uncompiled += kept.length - left.length;
        this.#complaint ||= ran.problems?.[0]?.text ?? ran.explanation;
        // Where no version is to blame, halves are tried: one of them compiles, or each edit is alone.
        if (left.length === kept.length) return await this.#halves(kept, limitMs);
        kept = left;
        continue;
      }
      this.#take(kept, readResults(ran.stdout));
      return await this.#goOn(kept, readResults(ran.stdout), limitMs);
    }
    await this.#halves(kept, limitMs);
  }

  async #run(kept: readonly Version[], limitMs: number) {
    const { program, language } = this.#request;
    const versions = kept.map((one) => one?.program ?? program);
    const { code, lines } = this.#clones.make(
      versions,
      kept.map((one) => (one === null ? LONG_MS : limitMs)),
    );
    const ran = await this.#sandbox.run({
      ...{ code, language, timeoutMs: RUN_TIMEOUT_MS, outputBytes: MOST_OUTPUT_BYTES },
      everyProblem: true,
      ...(this.#signal && { signal: this.#signal }),
    });
    if (ran.status === "sandbox_error") throw new Error(ran.explanation);
    if (ran.status === "timeout") this.#isHung = true;
    return { lines, ran };
  }

  /** Whether what is left stays untried. The first program is tried whatever it takes. */
  #ends(): boolean {
    const { cpuSeconds = Number.POSITIVE_INFINITY } = this.#request;
    if (this.#count > 0 && this.#seconds > cpuSeconds) this.#isLate = true;
    return this.#isCutOff;
  }

  get #isCutOff(): boolean {
    return this.#isHung || this.#isLate;
  }

  /** Since the call began: compilers run in other processes, so the clock stands for processor time. */
  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  /** Behind a version that ended the whole program. */
  async #goOn(kept: readonly Version[], seen: ReadonlyMap<number, VersionResult>, limitMs: number): Promise<void> {
    const late = [...seen].findLast(([, { late }]) => late)?.[0] ?? -1;
    const ended = kept.findIndex((_, at) => !seen.has(at));
    const from = ended === -1 ? kept.length : late === ended - 1 ? ended : ended + 1;
    const rest = kept.slice(from).flatMap((one) => one ?? []);
    if (rest.length === 0 || this.#ends() || this.#restarts === 0) return;
    this.#restarts -= 1;
    await this.#tryAll(rest, limitMs);
  }

  /** @throws Unreadable where the program does not even compile with no edit in it */
  async #halves(kept: readonly Version[], limitMs: number): Promise<void> {
    await this.#readable();
    const edits = kept.flatMap((one) => one ?? []);
    if (this.#ends()) return;
    if (edits.length < 2) {
      this.#uncompiled += edits.length;
      return;
    }
    const middle = Math.ceil(edits.length / 2);
    await this.#tryAll(edits.slice(0, middle), limitMs);
    await this.#tryAll(edits.slice(middle), limitMs);
  }

  /** What is around the versions has to compile. Where only the program's own function does not, its edits may. */
  async #readable(): Promise<void> {
    if (this.#compiles !== undefined) return;
    const { lines, ran } = await this.#run([null], LONG_MS);
    const [[first, last] = [0, 0]] = lines;
    const outside = (ran.problems ?? []).filter(({ line }) => line < first || last < line);
    this.#compiles = ran.status !== "syntax_error";
    if (this.#compiles || outside.length < (ran.problems ?? []).length) return;
    const other = this.#clones.otherwise?.();
    if (other === undefined || typeof other === "string")
      throw new Unreadable(`the program does not compile with its tests: ${outside[0]?.text ?? ran.explanation}`);
    this.#clones = other;
    this.#compiles = undefined;
    await this.#readable();
  }

  #take(kept: readonly Version[], found: ReadonlyMap<number, VersionResult>): void {
    for (const [at, edit] of kept.entries()) {
      const seen = found.get(at);
      if (!seen) continue;
      if (edit === null) {
        this.#base = seen;
        continue;
      }
      this.#count += 1;
      const one = { edit, seen };
      this.#tried.push(one);
      if (seen.late) this.#late.push(one);
      if (seen.ended && seen.passed === seen.reached && seen.reached >= this.#base.passed) this.#passing.push(one);
    }
  }

  async #again(): Promise<void> {
    const late = this.#late.splice(0).map(({ edit }) => edit);
    await this.#tryAll(late.slice(0, MOST_LATE), LONG_MS);
  }

  async result(task: VisibleTask): Promise<SearchResult> {
    const { program, keep = KEEP, rejected = [] } = this.#request;
    const refused = new Set(rejected.map((splices) => JSON.stringify(splices)));
    const behaviours = await this.#compared();
    const compared = this.#comparedWith(behaviours);
    const edits = this.#toCompare().map(({ edit }, at) => ({ ...edit, behaviour: behaviours?.of[at + 1] ?? [] }));
    const best: RankedEdit<PassingEdit>[] = [];
    for (const one of ranked(edits, compared).slice(0, MOST_JUDGED)) {
      if (best.length === keep) break;
      if (refused.has(JSON.stringify(splicesOf(program, one)))) continue;
      const verdict = await this.#sandbox.judgeVisible({
        ...{ task, program: one.program, timeoutMs: JUDGE_TIMEOUT_MS },
        ...(this.#signal && { signal: this.#signal }),
      });
      if (verdict.passed) best.push(one);
    }
    const closest = this.#closest();
    return {
      status: best.length > 0 ? "found" : this.#isExhausted ? "exhausted" : "none",
      tried: this.#count,
      passing: this.#passing.length,
      lines: 0,
      best: best.map((one) => foundEdit(one, compared)),
      ...(behaviours && { others: otherEdits(best, compared) }),
      ...(best.length === 0 && closest && { closest }),
      ...(this.#count === 0 && this.#uncompiled > 0 && { explanation: this.#nothingCompiles }),
      cursor: { at: this.#at },
      ...(this.#request.tellsCpu && { cpu: this.#seconds }),
      ...(this.#isCutOff && { cutOff: true }),
    };
  }

  get #nothingCompiles(): string {
    return `None of ${plural(this.#uncompiled, "edit")} compiles: ${this.#complaint}.`;
  }

  /** Results of the likeliest passing edits on inputs near those of the tests; null if unknown. */
  async #compared(): Promise<Behaviours | null> {
    const { program, language } = this.#request;
    const compare = this.#clones.compare;
    const versions = this.#toCompare().map(({ edit }) => edit.program);
    if (!compare || versions.length === 0 || this.#isHung) return null;
    const ran = await this.#sandbox.run({
      ...{ code: compare([program, ...versions], numbersIn(program)), language },
      ...{ timeoutMs: RUN_TIMEOUT_MS, outputBytes: MOST_OUTPUT_BYTES },
      ...(this.#signal && { signal: this.#signal }),
    });
    return readBehaviours(ran.stdout, versions.length + 1);
  }

  #comparedWith(behaviours: Behaviours | null): Comparison {
    const { program } = this.#request;
    const { inputs = [], of: [unchanged = []] = [] } = behaviours ?? {};
    const isPassing = this.#isPassing;
    return { program, priors: this.#priors, prose: proseOf(this.#request), inputs, unchanged, isPassing };
  }

  #toCompare(): Attempt[] {
    const most = this.#isPassing ? MOST_BLIND_COMPARED : MOST_COMPARED;
    return this.#passing.toSorted((a, b) => a.edit.cost - b.edit.cost).slice(0, most);
  }

  /** Whether the program passes as it is: then what changes nothing repairs nothing. */
  get #isPassing(): boolean {
    return this.#base.ended && this.#base.passed === this.#base.reached;
  }

  #closest(): SearchResult["closest"] {
    const [first] = this.#tried.toSorted((a, b) => b.seen.passed - a.seen.passed || a.edit.cost - b.edit.cost);
    if (!first || first.seen.passed <= this.#base.passed) return null;
    const of = Math.max(...this.#tried.map(({ seen }) => seen.reached));
    return { splices: splicesOf(this.#request.program, first.edit), passes: first.seen.passed, of };
  }
}

/** Whole numbers of the program, each once. */
const numbersIn = (program: string): string[] =>
  [...new Set(program.match(/(?<![\w.])\d{1,8}(?![\w.])/g) ?? [])].slice(0, MOST_NUMBERS);
