/** Writes made-up runs for tests of what looks at runs: any size, every outcome, hostile text where asked. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomUint32 } from "../../utils/bootstrap.ts";
import { addUsage, noUsage, type Usage } from "../../utils/usage.ts";
import type { StoredStep, StoredTrajectory } from "../load_run.ts";
import { type Manifest, RUN_FORMAT } from "../manifest.ts";
import { type Result, sampleKey } from "../results.ts";
import { trajectoryFile } from "../store.ts";

export interface MadeUpRun {
  tasks: number;
  /** Most turns of a task. Default 3. */
  turns?: number;
  attempts?: number;
  /** Samples that are finished. Default all. */
  finished?: number;
  /** Every so-many-th sample ends with an error. Default none. */
  errorEvery?: number;
  /** Chance of a pass. Default 0.6. */
  skill?: number;
  /** US dollars a thousand tokens; default unknown. */
  price?: number;
  /** Put into every place a model can write to. */
  hostile?: string;
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
const WORDS =
  "count total value index left right result items number string limit offset prefix depth current best".split(" ");

/** Writes the run's files into `folder` and returns its results. The same request writes the same run. */
export function writeMadeUpRun(folder: string, request: MadeUpRun): Result[] {
  const { tasks, attempts = 1, finished = tasks * attempts } = request;
  mkdirSync(join(folder, "trajectories"), { recursive: true });
  const samples = Array.from({ length: tasks * attempts }, (_, i) => ({
    index: Math.floor(i / attempts),
    task_id: `Python/${Math.floor(i / attempts)}`,
    attempt: i % attempts,
    bug_type: BUG_TYPES[Math.floor(i / attempts) % BUG_TYPES.length] ?? "",
  }));
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifestOf(samples.map(sampleKey), request)));
  const results = samples.slice(0, finished).map((sample, i) => {
    const { result, trajectory } = madeUpSample(sample, i, request);
    writeFileSync(
      join(folder, "trajectories", trajectoryFile(sample.task_id, sample.attempt)),
      JSON.stringify(trajectory),
    );
    return result;
  });
  writeFileSync(join(folder, "results.jsonl"), results.map((result) => `${JSON.stringify(result)}\n`).join(""));
  return results;
}

function manifestOf(samples: string[], { decides }: MadeUpRun): Manifest {
  return {
    v: RUN_FORMAT,
    decides: {
      protocol: "example",
      shown: "instruction, buggy code, example test",
      model: { name: "openai:made-up-7b", parameters: { temperature: 0.2 } },
      dataset: { name: "made-up.jsonl", sha256: "0".repeat(64) },
      few_shot: { from: "dataset", task_ids: ["Python/900", "Python/901", "Python/902"] },
      limits: { max_iterations: 15, timeout_ms: 600_000 },
      seed: null,
      sandbox: { layer: "plain", python: "3.11.7" },
      code: "0".repeat(64),
      samples,
      ...decides,
    },
    git_commit: null,
    started_at: "2026-01-02T03:04:05.000Z",
  };
}

type Sample = Pick<Result, "index" | "task_id" | "attempt" | "bug_type">;

function madeUpSample(sample: Sample, i: number, request: MadeUpRun): { result: Result; trajectory: StoredTrajectory } {
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
  const error = { kind: "server", message: `the server answered 503 ${hostile}`.trim() };
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
      ...(failing ? { error } : {}),
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

const uniform = (seed: number) => {
  const next = randomUint32(seed);
  return () => next() / 2 ** 32;
};
const word = (random: () => number) => WORDS[Math.floor(random() * WORDS.length)] ?? "x";

/** About 25 lines of Python that no other call gives. */
function program(random: () => number, hostile: string): string {
  const line = () =>
    `    ${word(random)}_${Math.floor(random() * 90)} += ${word(random)}[${Math.floor(random() * 99)}] * len("${word(random)}")  # ${word(random)}`;
  const loop = () => `    for ${word(random)} in range(${Math.floor(random() * 50)}):\n    ${line()}`;
  const body = Array.from({ length: 12 }, () => (random() < 0.3 ? loop() : line())).join("\n");
  return `from typing import List\n\n\ndef ${word(random)}_of(${word(random)}: List[int], limit=0x1F) -> int:\n    """ Return the ${word(random)} of ${word(random)}.\n    >>> f([1, 2])\n    3\n    """\n${hostile}${body}\n    return ${word(random)}\n`;
}

const thought = (random: () => number) =>
  `The ${word(random)} of line ${Math.floor(random() * 20)} is compared with ${word(random)}, but it should be ${word(random)}; I test that with ${Math.floor(random() * 1000)}.`;

function used(random: () => number, { price }: MadeUpRun): Usage {
  const inputTokens = 1500 + Math.floor(random() * 4000);
  const outputTokens = 80 + Math.floor(random() * 400);
  const costUsd = price === undefined ? null : ((inputTokens + outputTokens) / 1000) * price;
  return {
    ...noUsage(),
    inputTokens,
    cachedInputTokens: Math.floor(inputTokens / 2),
    outputTokens,
    modelCalls: 1,
    seconds: 1 + random() * 5,
    costUsd,
  };
}

function actStep(turn: number, buggy: string, random: () => number, request: MadeUpRun): StoredStep {
  const hostile = turn > 0 ? (request.hostile ?? "") : "";
  const code = turn === 0 ? buggy : program(random, hostile);
  const ok = random() < 0.5;
  const trace = `Traceback (most recent call last):\n  File "program.py", line ${Math.floor(random() * 30)}, in <module>\nAssertionError: ${thought(random)}`;
  return {
    iteration: turn,
    reply: {
      kind: "act",
      tool: "code_interpreter",
      input: { code, harness: `assert f([1]) == 1${hostile}` },
      thought: `${turn === 0 ? "I run the program first." : thought(random)}${hostile}`,
    },
    observation: {
      status: ok ? "ok" : "exit code 1",
      output: `${ok ? `${word(random)} ${Math.floor(random() * 1e9)}` : trace}${hostile}`,
      durationMs: 40,
    },
    usage: turn === 0 ? null : used(random, request),
    seconds: 1 + random() * 4,
  };
}

function malformedStep(turn: number, random: () => number, request: MadeUpRun): StoredStep {
  const problem = 'Write "Action:" with the name of a tool, or "Final Answer:".';
  return {
    iteration: turn,
    reply: {
      kind: "malformed",
      problem,
      error: random() < 0.7 ? "no_action" : "bad_input",
      thought: request.hostile ?? "",
    },
    observation: { status: "malformed", output: problem, durationMs: 0 },
    usage: used(random, request),
    seconds: 1 + random(),
  };
}

function answerStep(
  turn: number,
  answer: string,
  accepted: boolean,
  random: () => number,
  request: MadeUpRun,
): StoredStep {
  const observation = {
    status: accepted ? "accepted" : "failed",
    output: accepted ? "" : "assert f([1]) == 1",
    durationMs: 12,
  };
  return {
    iteration: turn,
    reply: { kind: "answer", text: answer, thought: thought(random) },
    observation,
    verification: { accepted, result: answer, observation },
    usage: used(random, request),
    seconds: 2 + random(),
  };
}

/** The conversation as the graph leaves it: prompt, examples, task, then a reply and what came back for each step. */
function messagesOf(steps: readonly StoredStep[], buggy: string, hostile: string): StoredTrajectory["messages"] {
  const example = ["user", "assistant", "user", "assistant"].map((role, i) => ({
    role,
    content: `Example part ${i}. `.repeat(30),
  }));
  const turns = steps.flatMap(({ reply, observation }) => [
    {
      role: "assistant",
      content: `Thought: ${reply.thought}\n${reply.kind === "act" ? `Action: ${reply.tool}\nAction Input: ${JSON.stringify(reply.input)}` : reply.kind === "answer" ? `Final Answer:\n${reply.text}` : `what is this ${hostile}`}`,
    },
    { role: "user", content: `Observation: ${observation.status}\n${observation.output}` },
  ]);
  return [
    { role: "system", content: "You repair Python functions. ".repeat(40) },
    ...example,
    ...example,
    { role: "user", content: `Repair this function.\n\n${buggy}` },
    ...(steps.at(-1)?.reply.kind === "answer" ? turns.slice(0, -1) : turns),
  ];
}

function countMalformed(steps: readonly StoredStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reply } of steps) if (reply.kind === "malformed") counts[reply.error] = (counts[reply.error] ?? 0) + 1;
  return counts;
}
