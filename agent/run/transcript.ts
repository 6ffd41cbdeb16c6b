/** A turn as text for a person: thought, action or answer, observation. */

import { doing, plural } from "../../utils/base/text/format.ts";
import { headAndTail, printable } from "../../utils/base/text/text.ts";
import { describeEdit, type SearchResult, searchIn } from "../../utils/search/result.ts";
import { REPLY_LABELS, type Reply } from "../dialects/reply.ts";
import type { Step } from "./trajectory.ts";

/** Characters of one piece of code or output that are shown. */
const SHOWN_CHARS = 1200;

/** A step in a few lines; long code and output are shortened in the middle. */
export function renderStep({ iteration, reply, observation, seconds, finishReason }: Step): string {
  const lines = [`── ${titleOf(iteration)}${cut(finishReason)} · ${seconds.toFixed(2)} s ──`];
  if (reply.thought) lines.push(`${REPLY_LABELS.thought} ${printable(reply.thought)}`);
  const search = searchIn(observation.data);
  if (search) {
    const edits = search.best.map((edit) => `    ${printable(`${describeEdit(edit)} (${edit.operator})`)}`);
    return [...lines, `Search: ${triedInWords(search)}`, ...edits].join("\n");
  }
  const output = observation.output.trim() ? [indent(observation.output)] : [];
  return [...lines, ...didInWords(reply), `${REPLY_LABELS.observation} ${observation.status}`, ...output].join("\n");
}

function didInWords(reply: Reply): string[] {
  if (reply.kind === "malformed") return [`(the reply could not be read: ${reply.error})`];
  if (reply.kind === "answer") return [REPLY_LABELS.answer, indent(reply.text)];
  return [`${REPLY_LABELS.action} ${printable(reply.tool)}`, ...Object.entries(reply.input).map(argument)];
}

/** What happened before the model's first reply has no number. */
export const titleOf = (iteration: number): string => (iteration === 0 ? "given with the task" : `turn ${iteration}`);

/** What a search has tried. */
export const triedInWords = ({ tried, passing, untested, explanation }: SearchResult): string => {
  if (tried === 0 && explanation) return `no edit tried. ${explanation}`;
  return untested
    ? `${plural(tried, "edit")}, and no tests to try them with`
    : `${plural(tried, "edit")} tried, ${doing(passing, "pass")}`;
};

/** What says that a reply was cut off. */
export const cut = (finishReason: Step["finishReason"]): string =>
  finishReason === "length" ? ", cut off at its length limit" : "";

function argument([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.includes("\n") ? `  ${name}:\n${indent(text)}` : `  ${name}: ${printable(text)}`;
}

const indent = (text: string): string => printable(headAndTail(text.trimEnd(), SHOWN_CHARS)).replace(/^/gm, "    ");
