/** `search_edits` in a repository: small edits of the likeliest functions, tried in live tests. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { defaultPriors } from "../../models/search/bundle.ts";
import { SEARCH_EDITS } from "../../tools/search_edits.ts";
import { defineTool, type Observation, type Tool } from "../../tools/tool.ts";
import type { Workspace } from "../../tools/workspace.ts";
import { isTestFile, readPatch } from "../patch.ts";
import { functionAt, functionsOf } from "../places/functions.ts";
import { TOP_LEVEL } from "../places/localise.ts";
import type { Prepared } from "../prepare.ts";
import type { Suite } from "../suite.ts";
import { patched } from "../verify.ts";
import { SEARCHERS, type Searcher } from "./searchers.ts";

/** An edit that passes: lines of a file and what stands in their place. */
const FoundEdit = z.object({
  file: z.string(),
  from: z.number(),
  to: z.number(),
  old: z.string(),
  text: z.string(),
  operator: z.string(),
  before: z.string(),
  after: z.string(),
  /** True where it only takes something away. */
  deletes: z.boolean(),
});
export type FoundEdit = z.infer<typeof FoundEdit>;

const Searched = z.object({
  function: z.string(),
  file: z.string(),
  tried: z.number(),
  /** Candidates for which there was no time. */
  untried: z.number().optional(),
  cpu: z.number().optional(),
  why: z.string().optional(),
});
const SearchLine = z.union([
  FoundEdit,
  Searched,
  z.object({ done: z.literal(true), why: z.string().optional() }),
  /** A candidate that took the process along: its number among those of the function that was searched. */
  z.object({ hung: z.number() }),
]);

export interface SearchFindings {
  edits: FoundEdit[];
  functions: z.infer<typeof Searched>[];
}

const FUNCTIONS = 5;
const KEPT = 8;
/** Processor time for one function, and for what comes before and after the search. */
const FUNCTION_SECONDS = 10;
const OTHER_SECONDS = 60;
/** Candidates that may take the process along before the search ends. */
const MOST_HUNG = 5;
const MARK = "FOUND ";

const Input = z.object({ file: z.string().optional(), line: z.coerce.number().int().positive().optional() });

export interface SearchPlace {
  file: string;
  start: number;
  end: number;
  name: string;
}

/** Who searches tests of this kind; null where nobody can. */
const searcherOf = ({ suite: { plan } }: Pick<Prepared, "suite">): Searcher | null =>
  plan.setup === "" ? (SEARCHERS[plan.framework?.name ?? ""] ?? null) : null;

/** Whether the tests are of a kind that can be searched. */
export const canSearch = (prepared: Prepared): boolean =>
  searcherOf(prepared) !== null && prepared.baseline.failing.length > 0;

/** @param found is told of what each search found */
export const repositorySearchTool = (
  prepared: Prepared,
  workspace: Workspace,
  found: (findings: SearchFindings) => void,
): Tool =>
  defineTool({
    name: SEARCH_EDITS,
    description: `${SEARCH_EDITS}: tries many small edits of a function and tells which make the failing tests pass. Input: {"file": "...", "line": a line of the function} (optional; the likeliest functions).`,
    input: Input,
    run: async ({ file, line }, signal) => {
      const searcher = searcherOf(prepared);
      if (!searcher) return { status: "nothing was tried", output: "These tests cannot be searched.", durationMs: 0 };
      const places = file === undefined ? likeliest(prepared, searcher) : placeAt(workspace, searcher, file, line ?? 1);
      if (places.length === 0) {
        return {
          status: "nothing was tried",
          output: `${file === undefined ? "No function that can be searched stands out" : `${file} has none that can be searched there`}: name file and line of another.`,
          durationMs: 0,
        };
      }
      const began = performance.now();
      const findings = await searchIn(prepared, searcher, workspace, places, signal);
      if (typeof findings === "string")
        return { status: "no result", output: findings, durationMs: performance.now() - began };
      found(findings);
      return { ...describe(findings), durationMs: performance.now() - began };
    },
  });

const likeliest = ({ suspects }: Prepared, searcher: Searcher): SearchPlace[] =>
  suspects.filter(({ file, name }) => searcher.edits(file) && name !== TOP_LEVEL).slice(0, FUNCTIONS);

function placeAt(workspace: Workspace, searcher: Searcher, file: string, line: number): SearchPlace[] {
  const read = workspace.read(file);
  if ("problem" in read || !searcher.edits(file) || isTestFile(file)) return [];
  const place = functionAt(functionsOf(file, read.text), line);
  return place ? [{ file: read.name, ...place }] : [];
}

/** @returns why there is no result, in one sentence */
async function searchIn(
  { suite, base, baseline, issue, evidence }: Prepared,
  searcher: Searcher,
  workspace: Workspace,
  places: readonly SearchPlace[],
  signal?: AbortSignal,
): Promise<SearchFindings | string> {
  const patch = readPatch(base, workspace.root, workspace.changed);
  using tree = patched(base, patch.source);
  const changed = new Set(patch.source.map(({ file }) => file));
  const linesOf = (side: "failing" | "passing", file: string) =>
    changed.has(file) ? [] : [...new Set((evidence?.[side] ?? []).flatMap(({ lines }) => lines[file] ?? []))];
  const job = {
    engine: searcher.engine(),
    priors: defaultPriors(),
    instruction: `${issue}\n${evidence?.failure ?? ""}`,
    failing: baseline.failing.map(({ name }) => name),
    passing: baseline.passing.map(({ name }) => name),
    files: [...new Set(baseline.failing.flatMap(({ file }) => file ?? []))],
    keep: KEPT,
    functions: places.map(({ file, start, end, name }) => {
      const failing = linesOf("failing", file);
      return {
        file,
        start,
        end,
        name,
        seconds: FUNCTION_SECONDS,
        lines: { failing, ran: [...failing, ...linesOf("passing", file)] },
      };
    }),
  };
  const rows: z.infer<typeof SearchLine>[] = [];
  let last = "";
  for (let from = { function: 0, number: 0 }, hung = 0; hung < MOST_HUNG; ) {
    const ran = await suite.runCommand({
      tree: tree.path,
      command: (out) => searcher.command(suite, join(out, "search")),
      stdin: JSON.stringify({ ...job, from }),
      seconds: FUNCTION_SECONDS * places.length + OTHER_SECONDS,
      signal,
    });
    const now = rowsIn(ran.report("search") ?? "");
    rows.push(...now);
    last = ran.explanation || ran.stderr.trim().split("\n").at(-1) || ran.stdout.trim().split("\n").at(-1) || "";
    const lost = now.find((row) => "hung" in row);
    if (!lost) break;
    // The next process goes on behind the candidate that ended this one.
    hung++;
    const searched = rows.filter((row) => "tried" in row).length;
    from = { function: searched, number: lost.hung + 1 };
    const place = places[searched];
    if (hung === MOST_HUNG && place)
      rows.push({ function: place.name, file: place.file, tried: lost.hung, untried: 1 });
  }
  const end = rows.find((row) => "done" in row);
  const found = rows.filter((row) => "text" in row);
  const functions = rows.filter((row) => "tried" in row);
  if (!end && functions.length === 0 && found.length === 0) {
    return `The search ended before it tried anything: ${last || "it said nothing"}`;
  }
  if (end?.why !== undefined) return `Nothing was tried: ${end.why}.`;
  const edits: FoundEdit[] = [];
  for (const edit of found)
    if (searcher.confirms || (await passes(suite, tree.path, baseline, edit, signal))) edits.push(edit);
  return { edits, functions };
}

const rowsIn = (text: string) =>
  text.split("\n").flatMap((line) => {
    const row = line === "" ? null : SearchLine.safeParse(parsed(line));
    return row?.success ? [row.data] : [];
  });

/** Whether all tests agree with an edit in a process of their own. */
async function passes(
  suite: Suite,
  tree: string,
  { failing, passing }: Prepared["baseline"],
  { file, from, old, text }: FoundEdit,
  signal?: AbortSignal,
): Promise<boolean> {
  const before = readFileSync(join(tree, file), "utf8");
  const lines = before.split(/(?<=\n)/);
  const start = lines.slice(0, from - 1).join("").length;
  const after = before.slice(0, start) + text + before.slice(start + old.length);
  using edited = patched(tree, [{ file, before, after }]);
  const { tests } = await suite.run(edited.path, { signal });
  return [...failing, ...passing].every(({ name }) => tests.get(name)?.status === "passed");
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function describe({ edits, functions }: SearchFindings): Omit<Observation, "durationMs"> {
  const tried = functions.map(({ function: name, file, tried, untried = 0, cpu = 0, why }) =>
    why === undefined
      ? `${file} ${name}: ${tried} edits tried in ${cpu} s of processor time${untried > 0 ? `, ${untried} left for want of time` : ""}`
      : `${file} ${name}: ${why}`,
  );
  const list = edits.map(({ file, from, before, after }, i) => `${i + 1}. ${file}, line ${from}: ${before} → ${after}`);
  const told = `${MARK}${JSON.stringify({ edits, isComplete: functions.every(({ untried = 0 }) => untried === 0) })}`;
  return {
    status: edits.length === 0 ? "no edit passes" : `${edits.length} edits pass`,
    output: [...tried, ...list, told].join("\n"),
  };
}

const Told = z.object({ edits: z.array(FoundEdit), isComplete: z.boolean() });

/** What an Observation of the tool says; null for any other text. */
export function readFindings(text: string): z.infer<typeof Told> | null {
  const line = text.split("\n").find((one) => one.startsWith(MARK));
  if (line === undefined) return null;
  const told = Told.safeParse(parsed(line.slice(MARK.length)));
  return told.success ? told.data : null;
}
