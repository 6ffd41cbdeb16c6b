/**
 * An editor that does to this agent what a language model did in "A Self-Improving Coding Agent" (Robeyns, Szummer,
 * Aitchison 2025): it adds a tool, a smarter way to edit and a sub-agent, and once it takes something away. Scripted: it
 * goes on only where the last observation shows that its action worked.
 */

import { act, ideas } from "./ideas.ts";

const LOST = "Thought: I am lost.";
const HAS_WORKED = /^Observation: (?!refused|bad input|unknown)/;

/** @param messages texts of the conversation, its system message first */
export function editorReply(messages: readonly string[]): string {
  const [, asked = ""] = messages;
  const last = messages.at(-1) ?? "";
  if (asked.includes("It was turned down:"))
    return "Thought: it was needed after all.\nFinal Answer: No change: what I took away was needed.";
  const idea = ideas.find(({ hypothesis }) => !asked.includes(hypothesis));
  if (!idea) return "Final Answer: No change: I have no further idea.";
  const turn = (messages.length - 2) / 2;
  const moves = [{ needs: "Improve it.", reply: act("hypothesis", { text: idea.hypothesis }) }, ...idea.moves];
  const move = moves[turn];
  if (!move || (turn > 0 && !HAS_WORKED.test(last))) return LOST;
  return (typeof move.needs === "string" ? last.includes(move.needs) : move.needs.test(last)) ? move.reply : LOST;
}
