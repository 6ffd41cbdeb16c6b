/** Finds lines by a model's regular expression, in a thread that can be ended: an expression may run for ever. */

import { Worker } from "node:worker_threads";

export interface Hit {
  name: string;
  /** 1-based. */
  line: number;
  text: string;
}

/** The hits, or why there are none to show. */
type Matching = { hits: Hit[] } | { problem: string };

export const LIMIT_MS = 10_000;
/** How many characters of a line are looked at. */
const LINE_CHARS = 2000;
const MOST_BYTES = 1024 * 1024;

const LOOK = `
const { readFileSync, statSync } = require("node:fs");
const { parentPort, workerData: { pattern, files, most, lineChars, mostBytes } } = require("node:worker_threads");
const expression = new RegExp(pattern);
const hits = [];
for (const { name, path } of files) {
  if (hits.length > most) break;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found || found.size > mostBytes) continue;
  const lines = readFileSync(path, "utf8").split("\\n");
  for (let i = 0; i < lines.length && hits.length <= most; i++)
    if (expression.test(lines[i].slice(0, lineChars)))
      hits.push({ name, line: i + 1, text: lines[i].slice(0, lineChars) });
}
parentPort.postMessage(hits);
`;

/**
 * Looks through files line by line.
 * @param most the search ends after this many hits and one more, which tells that there are more
 */
export function matchingLines(
  pattern: string,
  files: readonly { name: string; path: string }[],
  most: number,
  limitMs: number,
): Promise<Matching> {
  const worker = new Worker(LOOK, {
    eval: true,
    workerData: { pattern, files, most, lineChars: LINE_CHARS, mostBytes: MOST_BYTES },
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve({ problem: "the expression took too long: write one without repetitions inside of repetitions" });
      void worker.terminate();
    }, limitMs);
    const end = (result: Matching) => {
      clearTimeout(timer);
      resolve(result);
    };
    worker.once("message", (hits: Hit[]) => end({ hits }));
    worker.once("error", (error) => end({ problem: String(error) }));
    worker.once("exit", () => end({ problem: "the search ended early" }));
  });
}
