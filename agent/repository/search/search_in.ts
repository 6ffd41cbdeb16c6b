/** Runs the search engine in a repository's tests, in as many processes as that takes. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../../utils/data/record.ts";
import { defaultPriors } from "../../models/search/bundle.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { readPatch } from "../patch.ts";
import type { Prepared } from "../prepare.ts";
import type { Suite } from "../suite.ts";
import { patched } from "../verify.ts";
import { FoundEdit, Searched, type SearchFindings, withEdit } from "./findings.ts";
import type { Searcher } from "./searchers.ts";

/** A process that ended before its work did: where another one goes on, and what it had used for that function. */
const Stopped = z.object({
  stopped: z.enum(["hung", "memory"]),
  next: z.number(),
  tried: z.number(),
  cpu: z.number(),
  hungSeconds: z.number().default(0),
  /** Cost of the dearest edits that are still tried; null: any. */
  limit: z.number().nullable(),
});
/** Where a process begins. */
type Start = Pick<z.infer<typeof Stopped>, "tried" | "cpu" | "limit"> & { function: number; number: number };
const SearchLine = z.union([
  FoundEdit,
  Searched,
  z.object({ done: z.literal(true), why: z.string().optional() }),
  Stopped,
]);

export interface SearchPlace {
  file: string;
  start: number;
  end: number;
  name: string;
}

/** Edits that pass, of one function. */
const KEPT = 12;
/** How much more an edit may cost than the cheapest that passes before it is too unlikely to speak against that one. */
const MARGIN = 3;
/** Processor time for what comes before and after the search. */
const OTHER_SECONDS = 60;
/** Processes that take over from one that stopped. */
const MOST_RENEWED = 20;

/** @returns why there is no result, in one sentence */
export async function searchIn(
  prepared: Prepared,
  searcher: Searcher,
  workspace: Workspace,
  places: readonly SearchPlace[],
  signal?: AbortSignal,
): Promise<SearchFindings | string> {
  const { suite, base, baseline } = prepared;
  const patch = readPatch(base, workspace.root, workspace.changed);
  using tree = patched(base, patch.source);
  const job = jobOf(prepared, searcher, places, new Set(patch.source.map(({ file }) => file)));
  const found: FoundEdit[] = [];
  const functions: Searched[] = [];
  const hung = places.map(() => ({ hung: 0, hungSeconds: 0 }));
  let end: { why?: string | undefined } | undefined;
  let last = "";
  let renewed = 0;
  for (let from: Start = { function: 0, number: 0, tried: 0, cpu: 0, limit: null }; ; renewed++) {
    const ran = await suite.runCommand({
      tree: tree.path,
      command: (out) => searcher.command(prepared, join(out, "search"), join(out, "report")),
      stdin: JSON.stringify({ ...job, from }),
      seconds: searcher.functionSeconds * places.length + OTHER_SECONDS,
      signal,
    });
    const rows = (ran.report("search") ?? "").split("\n").flatMap((line) => readJson(line, SearchLine) ?? []);
    last = ran.explanation || lastWords(ran.stderr) || lastWords(ran.stdout);
    found.push(...rows.filter((row) => "text" in row));
    functions.push(...rows.filter((row) => "function" in row));
    end = rows.find((row) => "done" in row);
    const stopped = rows.find((row) => "stopped" in row);
    if (!stopped) break;
    const at = functions.length;
    const known = hung[at];
    if (known && stopped.stopped === "hung") {
      known.hung += 1;
      known.hungSeconds = Math.max(known.hungSeconds, stopped.hungSeconds);
    }
    from = { function: at, number: stopped.next, tried: stopped.tried, cpu: stopped.cpu, limit: stopped.limit };
    if (renewed < MOST_RENEWED) continue;
    const { tried, cpu } = stopped;
    functions.push(
      ...places
        .slice(at)
        .map(({ name, file }, i) =>
          Searched.parse({ function: name, file, untried: 1, ...(i === 0 ? { tried, cpu } : { tried: 0 }) }),
        ),
    );
    break;
  }
  const problem = ((): string | null => {
    if (end?.why !== undefined) return `Nothing was tried: ${end.why}.`;
    if (end || functions.length > 0 || found.length > 0) return null;
    return `The search ended before it tried anything: ${last || "it said nothing"}`;
  })();
  if (problem !== null)
    return searcher.otherwise ? await searchIn(prepared, searcher.otherwise, workspace, places, signal) : problem;
  const edits: FoundEdit[] = [];
  for (const edit of found)
    if (searcher.confirms || (await passes(suite, tree.path, baseline, edit, signal))) edits.push(edit);
  return {
    edits,
    functions: functions.map((one, i) => ({
      ...one,
      hung: one.hung + (hung[i]?.hung ?? 0),
      hungSeconds: Math.max(one.hungSeconds, hung[i]?.hungSeconds ?? 0),
    })),
    renewed,
  };
}

function jobOf(
  { baseline, issue, evidence }: Prepared,
  searcher: Searcher,
  places: readonly SearchPlace[],
  changed: ReadonlySet<string>,
) {
  const linesOf = (side: "failing" | "passing", file: string) =>
    changed.has(file) ? [] : [...new Set((evidence?.[side] ?? []).flatMap(({ lines }) => lines[file] ?? []))];
  return {
    engine: searcher.engine(),
    priors: defaultPriors(),
    instruction: `${issue}\n${evidence?.failure ?? ""}`,
    failing: baseline.failing.map(({ name }) => name),
    passing: baseline.passing.map(({ name }) => name),
    files: [...new Set(baseline.failing.flatMap(({ file }) => file ?? []))],
    keep: KEPT,
    most: searcher.functionEdits ?? Number.MAX_SAFE_INTEGER,
    margin: MARGIN,
    suiteSeconds: baseline.run.cpuSeconds,
    functions: places.map(({ file, start, end, name }) => {
      const failing = linesOf("failing", file);
      return {
        file,
        start,
        end,
        name,
        seconds: searcher.functionSeconds,
        lines: { failing, ran: [...failing, ...linesOf("passing", file)] },
      };
    }),
  };
}

/** Whether all tests agree with an edit in a process of their own. */
async function passes(
  suite: Suite,
  tree: string,
  { failing, passing }: Prepared["baseline"],
  edit: FoundEdit,
  signal?: AbortSignal,
): Promise<boolean> {
  const { file } = edit;
  const before = readFileSync(join(tree, file), "utf8");
  using edited = patched(tree, [{ file, before, after: withEdit(before, edit) }]);
  const { tests } = await suite.run(edited.path, { signal });
  return [...failing, ...passing].every(({ name }) => tests.get(name)?.status === "passed");
}

/** The line that says what went wrong: the last that names an error, else the last one. */
function lastWords(output: string): string {
  const lines = output.trim().split("\n");
  return lines.findLast((line) => /^\S*(?:Error|Exception)\b/.test(line)) ?? lines.at(-1) ?? "";
}
