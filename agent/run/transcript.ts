/** A turn as text for a person: thought, action or answer, observation. */

import { appendTo } from "../../utils/base/data/extremes.ts";
import { doing, plural } from "../../utils/base/text/format.ts";
import { headAndTail, printable } from "../../utils/base/text/text.ts";
import { describeEdit, type SearchResult, searchIn } from "../../utils/search/result.ts";
import { REPLY_LABELS } from "../dialects/reply.ts";
import type { Step } from "./trajectory.ts";

/** Characters of one piece of code or output that are shown. */
const SHOWN_CHARS = 1200;

/** A step in a few lines; long code and output are shortened in the middle. */
export function renderStep({ iteration, reply, observation, seconds, finishReason }: Step): string {
  const title = `${titleOf(iteration)}${cut(finishReason)}`;
  const lines = [`── ${title} · ${seconds.toFixed(2)} s ──`];
  if (reply.thought) lines.push(`${REPLY_LABELS.thought} ${printable(reply.thought)}`);
  const search = searchIn(observation.data);
  if (search) {
    lines.push(`Search: ${triedInWords(search)}`);
    return [
      ...lines,
      ...search.best.map((edit) => `    ${printable(`${describeEdit(edit)} (${edit.operator})`)}`),
    ].join("\n");
  }
  switch (reply.kind) {
    case "act":
      lines.push(`${REPLY_LABELS.action} ${printable(reply.tool)}`);
      appendTo(lines, Object.entries(reply.input).map(argument));
      break;
    case "answer":
      lines.push(REPLY_LABELS.answer, indent(reply.text));
      break;
    case "malformed":
      lines.push(`(the reply could not be read: ${reply.error})`);
      break;
  }
  lines.push(`${REPLY_LABELS.observation} ${observation.status}`);
  if (observation.output.trim()) lines.push(indent(observation.output));
  return lines.join("\n");
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
