/** Runs the search engine in a repository's tests, in as many processes as that takes. */

import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ownKnowledge } from "../../agent/tools/search_edits.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { fromFolder, fromRoot } from "../../utils/project/project.ts";
import { BoxFailure } from "../../utils/project/repository_box.ts";
import { AskedList, type ListedEdit, listEdits } from "../../utils/search/python/edits/lists.ts";
import type { Preparation } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import type { PlaceInFile } from "../project/functions.ts";
import { patched, readPatch } from "../project/patch.ts";
import { Confirmation } from "./confirmation.ts";
import type { FoundEdits } from "./findings.ts";
import { SearchReport } from "./search_report.ts";
import type { LiveSearch, Searcher } from "./searchers.ts";
import { type SearchRun, searchVersions } from "./versions/search_versions.ts";

/** Edits that pass, of one function. */
const KEPT = 12;
/** Edits of one function that are listed for Python: its time is enough for fewer. */
const MOST_LISTED = 6000;
/** Processor time for what comes before and after the search. */
const OTHER_SECONDS = 120;
/** Processes that take over from one that stopped. */
const MOST_RENEWED = 20;

interface SearchOptions {
  /** Gets what is known each time an edit has passed: it stays known whatever becomes of the search. */
  onFound: (found: FoundEdits) => void;
  /** Gets a line on how far the search has come. */
  onGoing?: (text: string) => void;
  /** For all that is run, the search and what confirms and compares its edits; what is used is taken off. */
  time?: SearchTime | undefined;
  /** Cost of an edit that passes already: what costs far more is not tried. */
  passingCost?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** @returns why there is no result, in one sentence */
export async function searchIn(
  prepared: Preparation,
  searcher: Searcher,
  workspace: Workspace,
  places: readonly PlaceInFile[],
  options: SearchOptions,
): Promise<FoundEdits | string> {
  const { onFound, time, signal } = options;
  const { suite, base, baseline } = prepared;
  const patch = readPatch(base, workspace.root, workspace.changed, baseline.kinds);
  using tree = patched(base, patch.source);
  // The search writes edits into these files, which their owner may have made read-only.
  for (const { file } of places) chmodSync(join(tree.path, file), statSync(join(tree.path, file)).mode | 0o600);
  const confirmation = new Confirmation({
    ...{ prepared, searcher, tree: tree.path, time, kept: searcher.functionSeconds * places.length, signal },
    onConfirmed: (edit) => {
      report.confirm(edit);
      onFound(report.findings());
    },
    onLeft: (edit) => report.leaveOut(edit),
  });
  const report = new SearchReport({
    ...{ places, margin: searcher.margin, passingCost: options.passingCost, onGoing: options.onGoing },
    onEdit: (edit) => void confirmation.add(edit),
    named: (file) => fromRoot(suite.project, file),
  });
  const inTime = <T>(work: (ends: AbortSignal | undefined) => Promise<T>, share?: number): Promise<T | null> =>
    time ? time.within(work, signal, share) : work(signal);
  const search = {
    prepared,
    searcher,
    places,
    report,
    time,
    inTime,
    tree: tree.path,
    changes: patch.source,
    keep: KEPT,
  };
  let last = "";
  try {
    if (typeof searcher.by === "string") await searchVersions(search, searcher.by);
    else last = await searchLive(searcher.by, search);
  } finally {
    await confirmation.end().catch(() => {});
  }
  await confirmation.end();
  const { why } = report.done ?? {};
  if (why === undefined && (report.done || report.hasBegun || time?.isOver)) return report.findings();
  if (searcher.otherwise) return await searchIn(prepared, searcher.otherwise, workspace, places, options);
  return why === undefined
    ? `The search ended before it tried anything: ${last || "it printed nothing"}`
    : `Nothing was tried: ${why}.`;
}

/** In as many processes as it takes. @returns what the last of them said */
async function searchLive(live: LiveSearch, search: SearchRun): Promise<string> {
  const { prepared, searcher, places, report, time, tree, inTime } = search;
  const job = jobOf(live, search);
  const start = (more: object, onLine: (line: string) => void) =>
    inTime((signal) =>
      prepared.suite.runCommand({
        tree,
        command: (out) => live.command(prepared, join(out, "lines"), join(out, "report")),
        stdin: JSON.stringify({ ...job, ...more }),
        seconds: searcher.functionSeconds * places.length + OTHER_SECONDS,
        onLine,
        signal,
      }),
    );
  let given: object = {};
  if (live.asksForLists) {
    const asked = new Map<number, AskedList>();
    const ran = await start({ asks: true }, (line) => {
      const row = readJson(line, Asks);
      if (row) asked.set(row.number, row.asks);
    });
    time?.spend(ran?.cpuSeconds ?? 0);
    given = { lists: await Promise.all(places.map((_, number) => listFor(asked.get(number)))) };
  }
  while (true) {
    const from = report.next();
    const ran = await start({ ...given, from }, (line) => report.read(line)).catch((error: unknown) => {
      if (error instanceof BoxFailure && report.hasBegun) return null;
      throw error;
    });
    if (time?.isOver) return "";
    time?.spend(ran?.cpuSeconds ?? 0);
    const last = ran ? ran.explanation || lastWords(ran.stderr) || lastWords(ran.stdout) : "";
    if (report.done || !(report.stopped || report.hasBegun) || ran?.ending === "cpu") return last;
    const isLast = report.renewed === MOST_RENEWED;
    if ((isLast || !report.stopped) && !report.leave()) return last;
    if (isLast) return last;
    report.renewed += 1;
  }
}

/** What a first run in Python asks for: it says what values there are, and the lists of edits are made here. */
const Asks = z.object({ asks: AskedList, number: z.number().int() });

/** The edits of one function; null where nothing was asked, or an expression is nested too deeply. */
async function listFor(asked: AskedList | undefined): Promise<ListedEdit[] | null> {
  const { python, priors } = ownKnowledge();
  try {
    return asked ? await listEdits(asked, python, priors, {}, MOST_LISTED) : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function jobOf({ engine }: LiveSearch, { prepared, searcher, places, changes, keep }: SearchRun) {
  const { baseline, issue, evidence, suite } = prepared;
  // A changed file has other lines than those that tests ran.
  const linesOf = (side: "failing" | "passing", file: string) =>
    changes.some((one) => one.file === file)
      ? []
      : [...new Set((evidence?.[side] ?? []).flatMap(({ lines }) => lines[file] ?? []))];
  return {
    engine: engine(),
    priors: ownKnowledge().priors,
    instruction: `${issue}\n${evidence?.failure ?? ""}`,
    failing: baseline.failing.map(({ name }) => name),
    passing: baseline.passing.map(({ name }) => name),
    files: [...new Set(baseline.failing.flatMap(({ file }) => file ?? []))],
    keep,
    most: searcher.functionEdits ?? Number.MAX_SAFE_INTEGER,
    margin: searcher.margin,
    suiteSeconds: baseline.run.cpuSeconds,
    functions: places.map(({ file, start, end, name }) => {
      const failing = linesOf("failing", file);
      return {
        file: fromFolder(suite.project, file),
        start,
        end,
        name,
        // A function inside another one is searched by itself where it is among them.
        without: places
          .filter((one) => one.file === file && isInside(one, { start, end }))
          .map((one) => [one.start, one.end]),
        seconds: searcher.functionSeconds,
        lines: { failing, ran: [...failing, ...linesOf("passing", file)] },
      };
    }),
  };
}

type Lines = Pick<PlaceInFile, "start" | "end">;
const isInside = (one: Lines, other: Lines): boolean =>
  other.start <= one.start && one.end <= other.end && one.end - one.start < other.end - other.start;

/** The line that says what went wrong: the last that names an error, else the last one. */
function lastWords(output: string): string {
  const lines = output.trim().split("\n");
  return lines.findLast((line) => /^\S*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? "";
}
