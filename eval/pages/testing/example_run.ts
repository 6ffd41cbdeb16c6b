/** For tests and for a look at the page: a run with every kind of verdict, made by an editor that writes markup. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffFile, editorRecording, openLog, VERDICTS } from "../../meta/log.ts";
import { writeGoal } from "../../meta/manifest.ts";
import { agentAdded, judged, measuredLine, stepDone } from "../../meta/testing/events.ts";

const HOSTILE = `<script>alert("x")</script><img src=x onerror=alert(1)>\u202E`;
const at = "2026-01-01T00:00:00Z";
const splits = [["d1", "d2"], ["v1"], ["s1"]];

/** A run with a child for each verdict, the second of them made by a hostile editor. */
export function writeExampleRun(folder: string): void {
  mkdirSync(join(folder, "diffs"), { recursive: true });
  const decides = { splits, model: ["search", {}], metaModel: ["tune", {}], utility: [10, 300] };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify({ v: 1, decides, git_commit: null, started_at: at }));
  writeGoal(folder, { iterations: VERDICTS.length + 2 });
  mkdirSync(join(folder, "recordings"), { recursive: true });
  const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 9, seconds: 2 };
  const reply = { content: `Thought: I shorten the prompt. ${HOSTILE}`, toolCalls: [], usage };
  writeFileSync(join(folder, editorRecording({ iteration: 1, round: 1 })), `${JSON.stringify({ key: "1", reply })}\n`);
  mkdirSync(join(folder, "traces"), { recursive: true });
  writeFileSync(
    join(folder, "traces/1 d2.txt"),
    "Thought: I look.\n\nThought: line 1: 0 → 1 (learned_0_5).\nFinal Answer: …",
  );
  const log = openLog(folder);
  const measured = (n: number, task: string, score: number) =>
    measuredLine(`t${n}`, task, { key: `${n} ${task}`, score, outcome: score ? "passed" : "failed", seconds: 12 });
  log.append(agentAdded(0));
  for (const task of ["d1", "d2"]) log.append(measured(0, task, Number(task === "d1")));
  for (const [i, verdict] of VERDICTS.entries()) {
    const n = i + 1;
    log.append(stepDone(n));
    log.append(agentAdded(n, { parent: n === 1 ? 0 : 1, hypothesis: `Idea ${n} ${HOSTILE}`, changes: "Did it." }));
    for (const task of ["d1", "d2"]) log.append(measured(n, task, 1));
    writeFileSync(
      join(folder, diffFile(n)),
      `--- a/prompts/p.md\n+++ b/prompts/p.md\n@@ -1 +1 @@\n-old\n+new ${HOSTILE}\n`,
    );
    log.append(judged(n, verdict, { message: HOSTILE }));
  }
  log.append(judged(6, "tampered", { agent: null, gate: "surface", message: "eval is outside" }));
  log.append({ type: "sealed", champion: 1, wins: 1, losses: 0, p: 0.5, first: 0, last: 1, tasks: 1, at });
}
