/**
 * Reads what programs print that speak the Test Anything Protocol (testanything.org, versions 12 to 14): tests within
 * tests, and titles in comments as tape prints them. The one place where it is read.
 */

import { smallest } from "../base/data/extremes.ts";
import { oneOf } from "../base/text/patterns.ts";
import type { TestReport, TestResult, TestStatus } from "./framework.ts";

export interface TapReport {
  /** A test within others is `OUTER > INNER`; where a name occurs again ` (2)` follows, and so on. */
  tests: (TestResult & { title: string })[];
  /** Why not all of them ran: it was given up (`Bail out!`), or fewer ran than were planned. */
  fatal: string | null;
  /** The test that was under way when the text ended, where nothing of it failed. */
  underWay: { name: string; title: string } | null;
  /** Whether it told how many tests there are: a text without was cut off. */
  isPlanned: boolean;
  /** Whether it is surely this protocol: it says so, or it has a plan and results. */
  isSure: boolean;
}

/** A line `ok 1 - title` or `not ok 1 - title`, and what was printed of the test that it ends. */
interface Point {
  title: string;
  ok: boolean;
  /** It is to do, or was skipped. */
  isIdle: boolean;
  /** It was announced, or has points of its own; another one is what a test asserts, or outermost a test. */
  isTest: boolean;
  /** It is a comment, which later points are of. */
  isComment: boolean;
  within: Point[];
  diagnostic: string;
}

/** Lines of one indentation, between two of less. */
interface Level {
  points: Point[];
  /** By `# Subtest: title`, until its point comes. */
  announced: string | null;
  /** Of a point that stands before those within it: `ok 1 - title {`, until its `}`. */
  begun: { ok: boolean; rest: string } | null;
  planned: number | null;
}

const INDENT = 4;
/** Deeper is nothing that a person wrote. */
const MOST_DEPTH = 32;
const MESSAGE_CHARS = 600;
const POINT = /^(not )?ok\b(?: +\d+\b)?(?: +- | *)(.*)$/;
const PLAN = /^1\.\.(\d+)\s*(?:#.*)?$/;
/** Summary lines of runners: these are not test titles. */
const SUMMARY = new RegExp(
  `^${oneOf(
    /(?:tests|suites|pass|fail|ok|skip|skipped|todo|cancelled|duration_ms|time)\b[\s:=]*[\d.]*(?:ms)?\s*$/,
    /failed \d+ |No coverage|\{ total/,
  )}`,
);

/** @param files true where the outermost tests are files, and what they assert outside of tests are tests of its own */
export function parseTap(text: string, files = false): TapReport {
  const reader = new TapReader();
  for (const line of text.split(/\r?\n/)) reader.read(line);
  return reader.report(files);
}

/**
 * The same with what the exit code of the program says of it: where it failed and no test did, the test under way
 * failed.
 * @param why the program failed, in words
 */
export function settled({ tests, fatal, underWay }: TapReport, failed: boolean, why: string): TestReport {
  if (!failed || tests.some(({ status }) => status === "failed")) return { tests, fatal };
  if (!underWay) return { tests, fatal: fatal ?? why };
  const ended = { ...underWay, status: "failed", message: why } as const;
  return { tests: [...tests.filter(({ name }) => name !== ended.name), ended], fatal };
}

class TapReader {
  /** By depth. */
  readonly #levels: [Level, ...Level[]] = [emptyLevel()];
  #says = false;
  #fatal: string | null = null;
  #last: Point | null = null;
  /** Of a diagnostic under way: its indentation and lines. */
  #block: { indent: number; lines: string[] } | null = null;

  read(line: string): void {
    const said = line.trim();
    const indent = line.length - line.trimStart().length;
    if (this.#block) {
      if (said !== "..." || indent !== this.#block.indent) return void this.#block.lines.push(line);
      if (this.#last) this.#last.diagnostic = telling(this.#block.lines);
      this.#block = null;
    } else if (said === "---" && indent > 0) this.#block = { indent, lines: [] };
    else if (indent % INDENT === 0 && indent / INDENT < MOST_DEPTH) this.#readLine(said, indent / INDENT);
  }

  #readLine(said: string, depth: number): void {
    const [, not, rest] = POINT.exec(said) ?? [];
    const [, planned] = PLAN.exec(said) ?? [];
    if (/^TAP version \d+$/.test(said)) this.#says = true;
    else if (said.startsWith("Bail out!")) this.#fatal ??= said;
    else if (said.startsWith("# Subtest: ")) this.#at(depth).announced = said.slice("# Subtest: ".length);
    else if (said.startsWith("# ") && depth === 0) this.#readComment(said.slice(2));
    else if (planned !== undefined) this.#at(depth).planned = (this.#at(depth).planned ?? 0) + Number(planned);
    else if (rest?.endsWith(" {")) this.#at(depth).begun = { ok: not === undefined, rest: rest.slice(0, -2) };
    else if (rest !== undefined) this.#readPoint(not === undefined, rest, depth);
    else if (said === "}" && this.#levels[depth]?.begun) {
      const { ok, rest } = this.#levels[depth].begun;
      this.#levels[depth].begun = null;
      this.#readPoint(ok, rest, depth);
    }
  }

  /** What is printed beside tests of a runner that prints no titles comes after a point. */
  #readComment(said: string): void {
    const [{ points }] = this.#levels;
    if (SUMMARY.test(said) || (points.length > 0 && !points[0]?.isComment)) return;
    points.push({ ...point(said.replace(/^SKIP /, ""), true), isTest: true, isComment: true });
  }

  #readPoint(ok: boolean, rest: string, depth: number): void {
    this.#closeBelow(depth);
    const at = this.#at(depth);
    const inner = this.#levels[depth + 1];
    this.#levels.length = depth + 1;
    const title = titleIn(rest);
    const announced = at.announced === null ? null : titleIn(at.announced);
    const made = {
      ...point(title || (announced ?? ""), ok),
      isIdle: /(?:^|\s)#\s*(?:TODO|SKIP)/i.test(rest),
      isTest: inner !== undefined || announced === title,
      within: inner?.points ?? [],
    };
    at.announced = null;
    const { isComment, within } = at.points.at(-1) ?? point("", true);
    (isComment ? within : at.points).push(made);
    this.#last = made;
  }

  #at(depth: number): Level {
    while (this.#levels.length <= depth) this.#levels.push(emptyLevel());
    return this.#levels[depth] ?? this.#levels[0];
  }

  /** Ends the tests at `depth + 1` and below that are still under way. @returns the innermost and those around it */
  #closeBelow(depth: number): Point[] {
    const open: Point[] = [];
    for (let at = this.#levels.length - 1; at > depth + 1; at -= 1) this.#close(at, open);
    return open;
  }

  #close(at: number, open: Point[]): void {
    const outer = this.#levels[at - 1];
    const { points = [] } = this.#levels.splice(at, 1)[0] ?? {};
    if (!outer || (points.length === 0 && outer.announced === null)) return;
    const made = { ...point(titleIn(outer.announced ?? ""), true), isTest: true, within: points };
    outer.announced = null;
    outer.points.push(made);
    open.push(made);
  }

  report(files: boolean): TapReport {
    const [outermost] = this.#levels;
    const inner = this.#levels.at(-1);
    // Announced, and nothing of it came.
    if (inner && inner.announced !== null) this.#levels.push(emptyLevel());
    const [open] = this.#closeBelow(-1);
    const { points, planned } = outermost;
    const ran = points.reduce((sum, { isComment, within }) => sum + (isComment ? within.length : 1), 0);
    const last = points.at(-1);
    const current = open ?? (last?.isComment ? last : null);
    const { tests, names } = tell(points, files);
    const name = current && names.get(current);
    const lacking = planned !== null && ran < planned ? `only ${ran} of ${planned} tests ran` : null;
    return {
      tests,
      fatal: this.#fatal ?? lacking,
      underWay: name && !fails(current) ? { name, title: current.title } : null,
      isPlanned: planned !== null,
      isSure: ran > 0 ? this.#says || planned !== null : planned === 0 && this.#says,
    };
  }
}

const emptyLevel = (): Level => ({ points: [], announced: null, begun: null, planned: null });
const point = (title: string, ok: boolean): Point => ({
  ...{ title, ok, isIdle: false, isTest: false, isComment: false },
  ...{ within: [], diagnostic: "" },
});

const fails = ({ ok, isIdle, within }: Point): boolean => (!ok && !isIdle) || within.some(fails);

/** Tests of points, and the names of all points that are tests. */
function tell(points: readonly Point[], files: boolean) {
  const tests: TapReport["tests"] = [];
  const names = new Map<Point, string>();
  const taken = new Map<string, number>();
  const nameOf = (named: Point, outer: string): string => {
    const name = outer === "" ? named.title : `${outer} > ${named.title}`;
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    return before === 0 ? name : `${name} (${before + 1})`;
  };
  const add = (one: Point, outer: string, depth: number): void => {
    const name = nameOf(one, outer);
    names.set(one, name);
    const isTest = (inner: Point) => inner.isTest || (files && depth === 0);
    const [inner, asserted] = [one.within.filter(isTest), one.within.filter((each) => !isTest(each))];
    for (const each of inner) add(each, name, depth + 1);
    const isBad = !one.ok && !one.isIdle;
    // What only holds others says nothing itself, unless it fails by itself.
    const isSaid = asserted.length > 0 || (inner.length === 0 && !one.isComment) || (isBad && !one.within.some(fails));
    if (isSaid)
      tests.push({ name, title: one.title, ...titlesOf(asserted), ...outcome(asserted.length > 0 ? asserted : [one]) });
  };
  for (const one of points) add(one, "", 0);
  return { tests, names };
}

function titlesOf(asserted: readonly Point[]): Pick<TestResult, "within"> {
  const within = [...new Set(asserted.map(({ title }) => title))].filter((title) => title !== "");
  return within.length > 0 ? { within } : {};
}

function outcome(points: readonly Point[]): { status: TestStatus; message: string } {
  const bad = points.find(({ ok, isIdle }) => !ok && !isIdle);
  if (bad) return { status: "failed", message: [bad.title, bad.diagnostic].filter(Boolean).join("\n") };
  return { status: points.every(({ isIdle }) => isIdle) ? "skipped" : "passed", message: "" };
}

/** Without what follows the title: how long it took, what it is to do, where its own tests begin. */
const titleIn = (rest: string): string =>
  rest
    .replace(/\s*\{$/, "")
    .replace(/(?:^|\s)#\s*(?:time=|(?:TODO|SKIP)\b).*$/i, "")
    .replaceAll("\\#", "#")
    .trim();

/** Keys of a diagnostic whose lines tell what went wrong. */
const TELLING = /^(?:expected|actual|wanted|found|diff|error|message|reason|at|stack)$/;

/** As far as it tells why, each line without its indentation. */
function telling(lines: readonly string[]): string {
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const outer = smallest(lines.filter((line) => line.trim() !== "").map(indentOf));
  let isTold = false;
  const kept = lines.filter((line) => {
    const [, key] = indentOf(line) === outer ? (/^\s*(\w+):/.exec(line) ?? []) : [];
    if (key !== undefined) isTold = TELLING.test(key);
    return isTold && line.trim() !== "";
  });
  return kept
    .map((line) => line.trim())
    .join("\n")
    .slice(0, MESSAGE_CHARS);
}
