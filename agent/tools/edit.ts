/** Tools that change files. A change whose result does not parse is refused, and the file stays as it was. */

import { existsSync } from "node:fs";
import { extname } from "node:path";
import { z } from "zod";
import { messageOf } from "../../utils/base/data/errors.ts";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { headAndTail } from "../../utils/base/text/text.ts";
import { languageOf } from "../../utils/languages/registry.ts";
import type { SyntaxProblem } from "../../utils/languages/source_files.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import type { Observation } from "../dialects/reply.ts";
import { numbered, ok, refused } from "./files.ts";
import { defineTool, type Tool } from "./tool.ts";
import type { Workspace } from "./workspace.ts";

const SHOWN_DIFF_CHARS = 6000;
const LINES_AROUND = 3;

const file = z.string();
const line = z.coerce.number().int().positive();

export function replaceTextTool(workspace: Workspace, sandbox: AgentSandbox): Tool {
  return defineTool({
    name: "replace_text",
    description:
      'replace_text: replaces a text that occurs exactly once in a file. Input: {"file": "...", "old": ' +
      '"exact text", "new": "..."}.',
    input: z.object({ file, old: z.string().min(1), new: z.string() }),
    run: async ({ file, old, new: text }) => {
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const parts = read.text.split(old);
      if (parts.length === 1)
        return refused(`\`old\` does not occur in ${file}: view the file and copy the text exactly.`);
      if (parts.length > 2) return refused(`\`old\` occurs ${parts.length - 1} times in ${file}: take in more lines.`);
      return change(workspace, sandbox, file, parts.join(text));
    },
  });
}

export function replaceLinesTool(workspace: Workspace, sandbox: AgentSandbox): Tool {
  return defineTool({
    name: "replace_lines",
    description:
      "replace_lines: replaces lines of a file, both ends included; an empty text deletes them. Input: " +
      '{"file": "...", "from": 10, "to": 12, "text": "..."}.',
    input: z.object({ file, from: line, to: line, text: z.string() }),
    run: async ({ file, from, to, text }) => {
      const read = workspace.read(file);
      if ("problem" in read) return refused(read.problem);
      const lines = read.text.split("\n");
      const count = lines.length - (read.text.endsWith("\n") ? 1 : 0);
      if (from > to || to > count)
        return refused(`${file} has lines 1 to ${count}; ${from} to ${to} are none of them.`);
      const replacement = text === "" ? [] : text.replace(/\n$/, "").split("\n");
      return change(
        workspace,
        sandbox,
        file,
        [...lines.slice(0, from - 1), ...replacement, ...lines.slice(to)].join("\n"),
      );
    },
  });
}

export function createTool(workspace: Workspace, sandbox: AgentSandbox): Tool {
  return defineTool({
    name: "create",
    description: 'create: writes a new file. Input: {"file": "agent/tools/new.ts", "text": "..."}.',
    input: z.object({ file, text: z.string() }),
    run: async ({ file, text }) => {
      const located = workspace.locateToEdit(file);
      if ("problem" in located) return refused(located.problem);
      if (existsSync(located.path)) return refused(`${file} exists: use replace_text or replace_lines.`);
      return change(workspace, sandbox, file, text);
    },
  });
}

/** Writes the file if it parses. Only the diff is returned, so the conversation grows at its end alone. */
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
  return ok(headAndTail(unifiedDiff(located.name, before, text), SHOWN_DIFF_CHARS));
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
