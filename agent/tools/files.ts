/** Tools to look at files: `list`, `view` in windows, `search` with a bounded number of hits. */

import { z } from "zod";
import type { Observation } from "../dialects/reply.ts";
import { LIMIT_MS, matchingLines } from "./matching.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const WINDOW_LINES = 100;
const MAX_HITS = 50;
const MAX_LISTED = 200;
const SHOWN_LINE_CHARS = 240;

export const ok = (output: string): Observation => ({ status: "ok", output, durationMs: 0 });
export const refused = (output: string): Observation => ({ status: "refused", output, durationMs: 0 });

const folder = z.string().default(".");

export function listTool(workspace: Workspace): Tool {
  return defineTool({
    name: "list",
    description: 'list: the files under a folder with their number of lines. Input: {"folder": "agent" (optional)}.',
    input: z.object({ folder }),
    run: async ({ folder }) => {
      const files = workspace.files(folder);
      if (files.length === 0) return refused(`There are no files under ${folder}.`);
      const shown = files.slice(0, MAX_LISTED).map((name) => `${name} (${countLines(workspace, name)})`);
      const more = files.length > MAX_LISTED ? [`… and ${files.length - MAX_LISTED} more: name a folder`] : [];
      return ok([...shown, ...more].join("\n"));
    },
  });
}

export function viewTool(workspace: Workspace): Tool {
  return defineTool({
    name: "view",
    description:
      `view: ${WINDOW_LINES} lines of a file with their numbers. Input: {"file": "agent/repair.ts", ` +
      `"line": first line to show (optional, 1)}.`,
    input: z.object({ file: z.string(), line: z.coerce.number().int().positive().default(1) }),
    run: async ({ file, line }) => {
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const lines = read.text.replace(/\n$/, "").split("\n");
      if (line > lines.length) return refused(`${read.name} has ${lines.length} lines.`);
      const end = Math.min(lines.length, line + WINDOW_LINES - 1);
      const more = end < lines.length ? `\n(view line ${end + 1} to go on)` : "";
      return ok(
        `${read.name}, lines ${line} to ${end} of ` +
          `${lines.length}\n${numbered(lines.slice(line - 1, end), line)}${more}`,
      );
    },
  });
}

export function searchTool(workspace: Workspace, limitMs = LIMIT_MS): Tool {
  return defineTool({
    name: "search",
    description:
      `search: lines that match a regular expression, at most ${MAX_HITS}. Input: {"pattern": ` +
      `"maxIterations", "folder": "agent" (optional)}.`,
    input: z.object({ pattern: z.string().min(1).max(200), folder }),
    run: async ({ pattern, folder }) => {
      if (!isExpression(pattern))
        return refused(`"${pattern}" is no regular expression: escape brackets and the like with \\.`);
      const files = workspace.files(folder).flatMap((name) => {
        const located = workspace.locate(name);
        return "path" in located ? [located] : [];
      });
      const found = await matchingLines(pattern, files, MAX_HITS, limitMs);
      if ("problem" in found) return refused(`The search gave nothing: ${found.problem}.`);
      const hits = found.hits
        .slice(0, MAX_HITS)
        .map(({ name, line, text }) => `${name}:${line}: ${text.trim().slice(0, SHOWN_LINE_CHARS)}`);
      if (found.hits.length > MAX_HITS)
        return ok([...hits, `… more than ${MAX_HITS}: narrow the pattern or the folder`].join("\n"));
      return hits.length > 0 ? ok(hits.join("\n")) : refused(`Nothing matches "${pattern}" under ${folder}.`);
    },
  });
}

/** Lines with their numbers, as every tool shows them. */
export const numbered = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${String(first + i).padStart(4)}  ${line.slice(0, SHOWN_LINE_CHARS)}`).join("\n");

function countLines(workspace: Workspace, name: string): string {
  const read = workspace.read(name);
  return "problem" in read ? "not shown" : `${read.text.split("\n").length - 1} lines`;
}

function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
