/** Tools that change files. A change whose result does not parse is refused, and the file stays as it was. */

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { z } from "zod";
import { messageOf } from "../../utils/base/data/errors.ts";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { plural } from "../../utils/base/text/format.ts";
import { headAndTail } from "../../utils/base/text/text.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import type { SyntaxProblem } from "../../utils/languages/source_files.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { Observation } from "../dialects/reply.ts";
import { line, numbered, ok, refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const SHOWN_DIFF_CHARS = 6000;
const LINES_AROUND = 3;

const path = z.string();

const EDIT_NAMES = {
  ...{ old_str: "old", old_string: "old", old_text: "old", find: "old", search: "old" },
  ...{ text: "new", new_str: "new", new_string: "new", new_text: "new", replace: "new", replacement: "new" },
  ...{ line: "from", start: "from", start_line: "from", end: "to", end_line: "to" },
};

export const editTool = (workspace: Workspace, sandbox: AgentSandbox): Tool =>
  defineTool({
    name: "edit",
    description: "Replaces `old` (occurs once) or lines `from` to `to` (inclusive) by `new`.",
    input: z.object({ path, old: z.string().optional(), from: line.optional(), to: line.optional(), new: z.string() }),
    otherNames: EDIT_NAMES,
    run: async ({ path: file, old, from, to = from, new: text }) => {
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const edited =
        old !== undefined && old !== ""
          ? withText(read, old, text)
          : from !== undefined && to !== undefined
            ? withLines(read, from, to, text)
            : { problem: "Say what is replaced: `old`, or `from` and `to`." };
      return "problem" in edited ? refused(edited.problem) : change(workspace, sandbox, file, edited.text);
    },
  });

type EditResult = { text: string } | { problem: string };
type ReadFile = { name: string; text: string };

function withText({ name, text }: ReadFile, old: string, now: string): EditResult {
  const parts = text.split(old);
  if (parts.length === 2) return { text: parts.join(now) };
  if (parts.length > 2) return { problem: `\`old\` occurs ${parts.length - 1} times in ${name}: take in more lines.` };
  return { problem: `\`old\` does not occur in ${name}. ${nearestText(text, old)}` };
}

function withLines({ name, text }: ReadFile, from: number, to: number, now: string): EditResult {
  const lines = text.split("\n");
  const count = lines.length - (text.endsWith("\n") ? 1 : 0);
  if (from > to || to > count)
    return { problem: `${name} has lines 1 to ${count}; ${from} to ${to} are not among them.` };
  const replacement = now === "" ? [] : now.replace(/\n$/, "").split("\n");
  return { text: [...lines.slice(0, from - 1), ...replacement, ...lines.slice(to)].join("\n") };
}

/** The lines of `text` that share most words with `old`, so that the model can copy them. */
function nearestText(text: string, old: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const wanted = old.replace(/^\n+|\n+$/g, "").split("\n");
  const words = wanted.map(wordsOf);
  const likeness = lines.map((line) => {
    const own = wordsOf(line);
    return Math.max(...words.map((other) => likenessOf(own, other)));
  });
  let best = { start: 0, score: 0 };
  for (let start = 0; start < lines.length; start += 1) {
    const score = likeness.slice(start, start + wanted.length).reduce((sum, one) => sum + one, 0);
    if (score > best.score) best = { start, score };
  }
  if (best.score < wanted.length / 3) return "View the file and copy the text exactly.";
  const shown = lines.slice(best.start, best.start + wanted.length);
  return `The nearest text is:\n${numbered(shown, best.start + 1)}`;
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/\w+|[^\w\s]/g) ?? []);

/** Share of the words that two lines have in common, from 0 to 1. */
function likenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

export const createTool = (workspace: Workspace, sandbox: AgentSandbox): Tool =>
  defineTool({
    name: "create",
    description: "Writes a new file.",
    input: z.object({ path, text: z.string() }),
    otherNames: { content: "text", contents: "text", file_text: "text" },
    run: async ({ path: file, text }) => {
      const located = workspace.locateToEdit(file);
      if ("problem" in located) return refused(located.problem);
      if (existsSync(located.path)) return refused(`${file} exists: use edit.`);
      const changed = await change(workspace, sandbox, file, text);
      if (changed.status !== "ok") return changed;
      return ok(`${located.name}: ${plural(text.replace(/\n$/, "").split("\n").length, "line")}`);
    },
  });

export const diffTool = (workspace: Workspace): Tool =>
  defineTool({
    name: "diff",
    description: "Your changes.",
    input: z.object({}),
    run: async () => ok(headAndTail(workspace.diff(), SHOWN_DIFF_CHARS) || "Nothing is changed."),
  });

export const undoTool = (workspace: Workspace): Tool =>
  defineTool({
    name: "undo",
    description: "Undoes your last change.",
    input: z.object({}),
    run: async () => {
      const names = workspace.undo();
      return names.length === 0
        ? refused("There is nothing to take back.")
        : ok(`As before the last change: ${names.join(", ")}`);
    },
  });

/** Writes the file if it parses, and returns the difference. */
async function change(workspace: Workspace, sandbox: AgentSandbox, file: string, text: string): Promise<Observation> {
  const located = workspace.locateToEdit(file);
  if ("problem" in located) return refused(located.problem);
  const read = workspace.read(file);
  const before = "problem" in read ? "" : read.text;
  if (before === text) return refused(`${file} would stay as it is.`);
  const problem = await syntaxProblem(file, text, sandbox);
  if (problem) {
    const lines = text.split("\n");
    const first = Math.max(1, problem.line - LINES_AROUND);
    const around = numbered(lines.slice(first - 1, problem.line + LINES_AROUND), first);
    return refused(
      `${file} was not changed: with this edit it does not parse (line ${problem.line}: ` +
        `${problem.message}).\n${around}`,
    );
  }
  workspace.write(located, text);
  const more = text.split("\n").length - before.split("\n").length;
  const moved = before === "" || more === 0 ? "" : `\n(lines below: ${more > 0 ? "+" : "−"}${Math.abs(more)})`;
  return ok(`${headAndTail(unifiedDiff(located.name, before, text), SHOWN_DIFF_CHARS)}${moved}`);
}

/** Why the text does not parse; null where it does, or where files of its kind are not parsed. */
async function syntaxProblem(file: string, text: string, sandbox: AgentSandbox): Promise<SyntaxProblem | null> {
  const language = languageOf(file);
  if (!language) return extname(file) === ".json" ? json(text) : null;
  const { name, files } = language;
  return files.syntaxProblem(file, text, (job) => sandbox.run({ ...job, language: name }));
}

function json(text: string): SyntaxProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = messageOf(error);
    const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    return { line: text.slice(0, position).split("\n").length, message };
  }
}
