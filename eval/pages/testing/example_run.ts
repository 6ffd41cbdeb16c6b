/** For tests and for a look at the page: a run with every kind of verdict, made by an editor that writes markup. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffFile, type Event, editorRecording, openLog, VERDICTS } from "../../meta/log.ts";
import { writeGoal } from "../../meta/manifest.ts";

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
  const measured = (n: number, task: string, split: "dev" | "validation" | "sealed", score: number): Event => ({
    type: "measured",
    key: `${n} ${task}`,
    tree: `t${n}`,
    task,
    split,
    attempt: 0,
    score,
    outcome: score ? "passed" : "failed",
    status: "ok",
    costUsd: 0.5,
    inputTokens: 100,
    outputTokens: 10,
    modelCalls: 1,
    seconds: 12,
    at,
  });
  const agent = (n: number, parent: number | null): Event => ({
    type: "agent",
    n,
    sha: `c${n}`,
    tree: `t${n}`,
    parent,
    iteration: n,
    round: 1,
    hypothesis: n === 0 ? "" : `Idea ${n} ${HOSTILE}`,
    changes: "Did it.",
    at,
  });
  log.append(agent(0, null));
  for (const task of ["d1", "d2"]) log.append(measured(0, task, "dev", Number(task === "d1")));
  for (const [i, verdict] of VERDICTS.entries()) {
    const n = i + 1;
    log.append({
      type: "step",
      iteration: n,
      round: 1,
      editor: 0,
      stop: "answered",
      problem: "",
      modelCalls: 6,
      inputTokens: 900,
      outputTokens: 90,
      costUsd: 0.1,
      seconds: 41,
      overseer: n === 1 ? [{ kind: "notice", text: `You repeat yourself. ${HOSTILE}`, seconds: 12 }] : [],
      at,
    });
    log.append(agent(n, n === 1 ? 0 : 1));
    for (const task of ["d1", "d2"]) log.append(measured(n, task, "dev", 1));
    writeFileSync(
      join(folder, diffFile(n)),
      `--- a/prompts/p.md\n+++ b/prompts/p.md\n@@ -1 +1 @@\n-old\n+new ${HOSTILE}\n`,
    );
    log.append({
      type: "verdict",
      iteration: n,
      round: 1,
      agent: n,
      verdict,
      gate: "dev",
      message: HOSTILE,
      test: null,
      again: false,
      at,
    });
  }
  log.append({
    type: "verdict",
    iteration: 6,
    round: 1,
    agent: null,
    verdict: "tampered",
    gate: "surface",
    message: "eval is outside",
    test: null,
    again: false,
    at,
  });
  log.append({ type: "sealed", champion: 1, wins: 1, losses: 0, p: 0.5, first: 0, last: 1, tasks: 1, at });
}
