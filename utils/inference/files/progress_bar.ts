/** Shows a download on stderr: a bar that moves on a terminal, a line every tenth elsewhere. */

import type { OnProgress } from "./download.ts";

const BAR = 24;
const EVERY_MS = 100;

/** @param log takes whole lines where stderr is no terminal */
export function downloadProgress(model: string, log: (line: string) => void): OnProgress {
  const { stderr } = process;
  let shown = Number.NEGATIVE_INFINITY;
  let tenth = -1;
  let finished = false;
  return ({ path, doneBytes, totalBytes }) => {
    const share = totalBytes === 0 ? 1 : doneBytes / totalBytes;
    if (finished) return;
    finished = share >= 1;
    const text = `${model}: ${Math.floor(share * 100)}% of ${(totalBytes / 1e6).toFixed(0)} MB`;
    if (!stderr.isTTY) {
      if (Math.floor(share * 10) > tenth) log(`downloading ${text}`);
      tenth = Math.max(tenth, Math.floor(share * 10));
      return;
    }
    if (!finished && performance.now() - shown < EVERY_MS) return;
    shown = performance.now();
    const bar = "█".repeat(Math.round(share * BAR)).padEnd(BAR, "░");
    stderr.write(`\r\u001b[2K${bar} ${text}, ${path}${finished ? "\n" : ""}`);
  };
}
