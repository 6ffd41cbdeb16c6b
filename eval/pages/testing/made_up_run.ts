/** Writes made-up runs for tests of what looks at runs: any size, every outcome, hostile text where asked. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";
import { addUsage, noUsage } from "../../../agent/run/usage.ts";
import type { Manifest } from "../../run/manifest.ts";
import { type Result, sampleKey, trajectoryFile } from "../../run/results.ts";
import { manifestOf } from "../../testing/results.ts";
import { actStep, answerStep, type Manner, malformedStep, messagesOf, program, uniform } from "./made_up_steps.ts";

export interface MadeUpRun extends Manner {
  tasks: number;
  /** Ids of the first tasks, in place of `Python/0` and so on. */
  ids?: readonly string[];
  /** Most turns of a task. Default 3. */
  turns?: number;
  attempts?: number;
  /** Samples that are finished. Default all. */
  finished?: number;
  /** Every so-many-th sample ends with an error. Default none. */
  errorEvery?: number;
  /** Chance of a pass. Default 0.6. */
  skill?: number;
  /** Runs with another seed differ in what passes. Default 1. */
  seed?: number;
  decides?: Partial<Manifest["decides"]>;
}

const BUG_TYPES = [
  "value misuse",
  "missing logic",
  "excess logic",
  "operator misuse",
  "variable misuse",
  "function misuse",
];

/** Writes the run's files into `folder` and returns its results. The same request writes the same run. */
export function writeMadeUpRun(folder: string, request: MadeUpRun): Result[] {
  const { tasks, attempts = 1, finished = tasks * attempts, ids = [], decides } = request;
  mkdirSync(join(folder, "trajectories"), { recursive: true });
  const samples = Array.from({ length: tasks * attempts }, (_, i) => ({
    index: Math.floor(i / attempts),
    task_id: ids[Math.floor(i / attempts)] ?? `Python/${Math.floor(i / attempts)}`,
    attempt: i % attempts,
    bug_type: BUG_TYPES[Math.floor(i / attempts) % BUG_TYPES.length] ?? "",
  }));
  const manifest = manifestOf(samples.map(sampleKey), { ...MADE_UP, attempts, ...decides });
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  const results = samples.slice(0, finished).map((sample, i) => {
    const { result, trajectory } = madeUpSample(sample, i, request);
    writeFileSync(join(folder, "trajectories", trajectoryFile(sample)), JSON.stringify(trajectory));
    return result;
  });
  const tests = samples.map(({ task_id }) => [task_id, `assert f() == "hidden ${task_id}"`]);
  writeFileSync(join(folder, "hidden_tests.json"), JSON.stringify(Object.fromEntries(tests)));
  writeFileSync(join(folder, "results.jsonl"), results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  return results;
}

const MADE_UP: Partial<Manifest["decides"]> = {
  model: { name: "openai:made-up-7b", parameters: { temperature: 0.2 } },
  dataset: { name: "made-up.jsonl", sha256: "0".repeat(64), left_out: ["Python/8"] },
  few_shot: { from: "dataset", task_ids: ["Python/900", "Python/901", "Python/902"] },
};

type Sample = Pick<Result, "index" | "task_id" | "attempt" | "bug_type">;

function madeUpSample(sample: Sample, i: number, request: MadeUpRun): { result: Result; trajectory: Trajectory } {
  const { turns: mostTurns = 3, errorEvery = Infinity, skill = 0.6, seed = 1, hostile = "" } = request;
  const random = uniform(seed * 100_003 + i);
  const turns = mostTurns > 10 ? mostTurns : 1 + Math.floor(random() * mostTurns);
  const passed = random() < skill;
  const verified = passed || random() < 0.25;
  const failing = (i + 1) % errorEvery === 0;
  const buggy = program(random, "");
  const answer = `${hostile}${buggy.replace(" += ", " -= ")}`;
  const steps = Array.from({ length: turns + 1 }, (_, turn) => {
    if (turn > 0 && turn === turns && !failing) return answerStep(turn, answer, verified, random, request);
    return random() < 0.05 && turn > 0 ? malformedStep(turn, random, request) : actStep(turn, buggy, random, request);
  });
  const usage = steps.map((step) => step.usage ?? noUsage()).reduce(addUsage, noUsage());
  const stop = failing ? "error" : verified ? "answered" : "max_iterations";
  const error = { kind: "server" as const, message: `the server answered 503 ${hostile}`.trim() };
  return {
    trajectory: {
      taskId: sample.task_id,
      model: "openai:made-up-7b",
      stop,
      answer: failing ? null : answer,
      verified,
      iterations: turns,
      steps,
      messages: messagesOf(steps, buggy, hostile),
      usage,
      seconds: usage.seconds,
      error: failing ? { ...error, fatal: false } : undefined,
    },
    result: failing
      ? { ...sample, error }
      : {
          ...sample,
          passed,
          outcome: passed ? "passed" : i % 5 === 0 ? "timeout" : "failed",
          explanation: passed ? "" : `assert candidate([${i}]) == ${i + 1}\nreturned ${i}\n${hostile}`,
          verified,
          stop,
          iterations: turns,
          format_errors: countMalformed(steps),
          usage,
        },
  };
}

function countMalformed(steps: readonly Step[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reply } of steps) if (reply.kind === "malformed") counts[reply.error] = (counts[reply.error] ?? 0) + 1;
  return counts;
}
