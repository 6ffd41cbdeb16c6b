/**
 * The model that solves in the recorded session: it repairs what is plain, uses a tool where the prompt offers one, and
 * gives up where none helps. It never counts lines, so of several equal ones it cannot name one with the usual tools.
 */

import { act } from "./ideas.ts";

const GIVES_UP = "Thought: no tool of mine does that.\nFinal Answer: I could not.";

/** @param messages texts of the conversation, its system message first */
export function solverReply(messages: readonly string[]): string {
  const [system = "", asked = ""] = messages;
  const last = messages.at(-1) ?? "";
  const offers = (tool: string) => system.includes(`- ${tool}:`);
  if (asked.startsWith("Repair this function.")) return repairReply(asked, last, offers);
  return asked.startsWith("Edit ") ? editReply(asked, last, offers) : GIVES_UP;
}

type Offers = (tool: string) => boolean;

function repairReply(asked: string, last: string, offers: Offers): string {
  const answer = (program: string) => `Thought: one sign is wrong.\nFinal Answer:\n\`\`\`python\n${program}\n\`\`\``;
  const tried = /^Observation: it passes\n([\s\S]+)/.exec(last)?.[1];
  if (tried !== undefined) return answer(tried.trimEnd());
  const program = /```python\n([\s\S]*?)\n```/.exec(asked)?.[1] ?? "";
  const signs = program.match(/[+-]/g) ?? [];
  if (signs.length === 1) return answer(program.replace(/[+-]/, (sign) => (sign === "+" ? "-" : "+")));
  return offers("try_operators") ? act("try_operators", {}) : answer(program);
}

function editReply(asked: string, last: string, offers: Offers): string {
  const [, file = "", wanted = ""] = /^Edit (\S+) so that[^\n]*\n\n([\s\S]*)$/.exec(asked) ?? [];
  if (last === asked) return act("view", { file });
  const shown = /^Observation: ok\n\S+, lines 1 to \d+ of \d+\n([\s\S]*)$/.exec(last)?.[1];
  if (shown === undefined)
    return /^Observation: ok\n---/.test(last) ? "Thought: done.\nFinal Answer: I changed the line." : GIVES_UP;
  const lines = shown.split("\n").map((line) => line.replace(/^ *\d+ {2}/, ""));
  const at = wanted.split("\n").findIndex((line, i) => line !== lines[i]);
  const change = { file, old: lines[at], new: wanted.split("\n")[at] };
  return offers("replace_near") ? act("replace_near", { ...change, line: at + 1 }) : act("edit", change);
}
