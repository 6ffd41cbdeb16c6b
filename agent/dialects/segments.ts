/** Cuts a reply at its labels. What stands inside a fence, JSON, a call or a thinking block is never taken for a label. */
import { lineEnd } from "../../utils/languages/python/scan.ts";
import { readBlock, readPayload } from "./blocks.ts";
import { Cutter, type Segment } from "./cutter.ts";
import { LineReader } from "./in_line.ts";
import { labelAt } from "./labels.ts";

/** What follows so many is part of the last: a reply with more labels is noise. */
const MAX_SEGMENTS = 1000;

/**
 * The segments of `text` in order. With `answerIsText` a final answer runs to the end of the text; otherwise it is code,
 * and other labels may follow it.
 */
export function readSegments(text: string, tools: readonly string[], answerIsText: boolean): Segment[] {
  const cutter = new Cutter(text, tools, answerIsText);
  const line = new LineReader(cutter);
  let isLineStart = true;
  let end = -1;
  while (cutter.at < text.length && cutter.done.length < MAX_SEGMENTS) {
    if (isLineStart) cutter.at = line.skipPlainLines();
    if (cutter.at >= text.length) break;
    // Asked once a line: one that holds many things may be as long as the text.
    if (cutter.at > end) end = lineEnd(text, cutter.at);
    if (isLineStart) cutter.lineStart = cutter.at;
    if ((isLineStart && readLabel(cutter, end)) || readBlock(cutter, end)) {
      if (cutter.current.label === "answer" && answerIsText) break;
      isLineStart = false;
      continue;
    }
    const next = line.read(end);
    if (next === "end") return cutter.done;
    isLineStart = next === "next line";
  }
  cutter.close(text.length);
  return cutter.done;
}

/** A label at the start of the line that ends at `end`. */
function readLabel(cutter: Cutter, end: number): boolean {
  const found = labelAt(cutter.text.slice(cutter.at, end), cutter.current.label === "action");
  if (found === null || (found.isPlain && isInRawCode(cutter))) return false;
  cutter.begin(found.label, cutter.at, cutter.at + found.end);
  readPayload(cutter);
  return true;
}

/** In code without a fence, `action: str = "x"` is a statement. */
function isInRawCode({ text, at, current }: Cutter): boolean {
  const { label, start, fences, json } = current;
  return (
    (label === "answer" || label === "input") &&
    fences.length === 0 &&
    json === null &&
    text.slice(start, at).trim() !== ""
  );
}
