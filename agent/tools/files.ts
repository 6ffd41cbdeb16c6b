/** Tools that read the work folder: `view` for files and folders, `search` for lines. */

import { createContext, runInContext } from "node:vm";
import { z } from "zod";
import { plural } from "../../utils/base/text/format.ts";
import { symbolIn } from "../../utils/project/symbols.ts";
import type { Observation } from "../dialects/reply.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

/** Lines that `view` shows. */
const MOST_LINES = 400;
/** The same where no end is given and more are left. */
const WINDOW_LINES = 150;
const MAX_HITS = 50;
const MAX_LISTED = 200;
const MOST_CONTEXT = 20;
const SHOWN_LINE_CHARS = 240;
/** Characters of a line that are searched. */
const SEARCHED_CHARS = 2000;
const SEARCH_LIMIT_MS = 3000;

export const ok = (output: string): Observation => ({ status: "ok", output, durationMs: 0 });
export const refused = (output: string): Observation => ({ status: "refused", output, durationMs: 0 });

export const line = z.coerce.number().int().positive();

export const viewTool = (workspace: Workspace): Tool =>
  defineTool({
    name: "view",
    description: "Lines of a file, a function or class (`symbol`) of it, or a folder.",
    input: z.object({
      path: z.string().default("."),
      start: line.default(1),
      end: line.optional(),
      symbol: z.string().optional(),
    }),
    otherNames: {
      ...{ line: "start", from: "start", start_line: "start", offset: "start", to: "end", end_line: "end" },
      ...{ view_range: ["start", "end"], lines: ["start", "end"], name: "symbol", function: "symbol" },
    },
    run: async ({ path: file, start: first, end: asked, symbol }) => {
      if (workspace.isFolder(file)) return listed(workspace, file);
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const lines = read.text.replace(/\n$/, "").split("\n");
      const asLines = { start: first, end: asked, others: [] };
      const place = symbol === undefined ? asLines : symbolIn(read.name, read.text, symbol);
      if ("problem" in place) return refused(place.problem);
      const { start, end, others } = place;
      if (start > lines.length) return refused(`${read.name} has ${plural(lines.length, "line")}.`);
      const window = lines.length - start < MOST_LINES ? MOST_LINES : WINDOW_LINES;
      const wanted = end === undefined ? start + window - 1 : Math.min(end, start + MOST_LINES - 1);
      const last = Math.max(start, Math.min(lines.length, wanted));
      const rest = last < lines.length && (end === undefined || last < end);
      const head = `${read.name}, lines ${start} to ${last} of ${lines.length}`;
      const more = rest ? [`(start ${last + 1} shows what follows)`] : [];
      if (others.length > 0) more.push(`(others of that name: ${others.join(", ")})`);
      return ok([head, numbered(lines.slice(start - 1, last), start), ...more].join("\n"));
    },
  });

function listed(workspace: Workspace, folder: string): Observation {
  const files = workspace.files(folder);
  if (files.length === 0) return refused(`There are no files under ${folder}.`);
  const more = files.length > MAX_LISTED ? [`… and ${files.length - MAX_LISTED} more: name a folder`] : [];
  return ok([...files.slice(0, MAX_LISTED), ...more].join("\n"));
}

export const searchTool = (workspace: Workspace, limitMs = SEARCH_LIMIT_MS): Tool =>
  defineTool({
    name: "search",
    description: "Lines that match a JavaScript regex.",
    input: z.object({
      pattern: z.string().min(1).max(200),
      path: z.string().default("."),
      context: z.coerce.number().int().min(0).default(0),
    }),
    otherNames: { query: "pattern", regex: "pattern", text: "pattern", find: "pattern" },
    run: async ({ pattern, path: file, context: asked }) => {
      const context = Math.min(asked, MOST_CONTEXT);
      if (!isExpression(pattern))
        return refused(`"${pattern}" is not a regular expression: escape brackets and the like with \\.`);
      const files = workspace.files(file);
      if (files.length === 0) return refused(workspace.missing(file));
      const found = matchingLines(workspace, files, pattern, limitMs);
      if (found === null) return refused("The expression took too long: repeat nothing that is repeated inside.");
      if (found.length === 0) return refused(`Nothing matches "${pattern}" under ${file}.`);
      const hits = found.slice(0, MAX_HITS);
      const more = found.length > MAX_HITS ? [`… more than ${MAX_HITS}: narrow the pattern or the folder`] : [];
      if (asked > MOST_CONTEXT) more.push(`… at most ${MOST_CONTEXT} lines around each: view shows the rest`);
      return ok([...withContext(workspace, hits, context), ...more].join("\n"));
    },
  });

interface Hit {
  name: string;
  line: number;
}

/**
 * The first lines that match, one more than are shown; null where the time is up. A model's expression may run for
 * ever, so it runs where it can be stopped.
 */
function matchingLines(workspace: Workspace, names: readonly string[], pattern: string, limitMs: number): Hit[] | null {
  const hits: Hit[] = [];
  const context = createContext({ expression: new RegExp(pattern) });
  const ends = performance.now() + limitMs;
  for (const name of names) {
    const read = workspace.read(name);
    if ("problem" in read) continue;
    const lines = read.text.split("\n").map((text) => text.slice(0, SEARCHED_CHARS));
    const timeout = Math.max(1, Math.ceil(ends - performance.now()));
    try {
      const found: unknown = runInContext(MATCHING, Object.assign(context, { lines }), { timeout });
      for (const at of z.array(z.number()).parse(found)) hits.push({ name, line: at + 1 });
    } catch (error) {
      if (Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
      throw error;
    }
    if (hits.length > MAX_HITS) break;
  }
  return hits;
}

const MATCHING = "lines.flatMap((line, at) => (expression.test(line) ? at : []))";

/** Hits with lines around them, as numbered pieces of their files, marked as grep marks them: `12:`, `11-`. */
function withContext(workspace: Workspace, hits: readonly Hit[], context: number): string[] {
  const names = [...new Set(hits.map(({ name }) => name))];
  const between = context === 0 ? "\n" : "\n…\n";
  return names.flatMap((name) => {
    const inFile = hits.filter((hit) => hit.name === name);
    const read = workspace.read(name);
    if ("problem" in read) return [];
    const lines = read.text.replace(/\n$/, "").split("\n");
    const matched = new Set(inFile.map(({ line }) => line));
    const pieces: { start: number; end: number }[] = [];
    for (const { line } of inFile) {
      const [start, end] = [Math.max(1, line - context), Math.min(lines.length, line + context)];
      const last = pieces.at(-1);
      if (last && start <= last.end + 1) last.end = Math.max(last.end, end);
      else pieces.push({ start, end });
    }
    const mark = (line: number) => (matched.has(line) ? ":" : "-");
    return [name, pieces.map(({ start, end }) => numbered(lines.slice(start - 1, end), start, mark)).join(between)];
  });
}

/** Lines with their numbers, as every tool shows them. @param mark one character behind a number. Default: a space */
export const numbered = (lines: readonly string[], first: number, mark = (_line: number): string => " "): string =>
  lines
    .map((line, i) => `${String(first + i).padStart(4)}${mark(first + i)} ${line.slice(0, SHOWN_LINE_CHARS)}`)
    .join("\n");

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
