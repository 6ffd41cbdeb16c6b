/** The turns of made-up samples: programs, thoughts and outputs that no other turn has. */

import type { Step, Trajectory } from "../../../agent/run/trajectory.ts";
import { noUsage, type Usage } from "../../../agent/run/usage.ts";
import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";

/** What a model writes into everything, and what it costs. */
export interface Manner {
  /** Put into every place a model can write to. */
  hostile?: string;
  /** US dollars a thousand tokens; default unknown. */
  price?: number;
}

const WORDS =
  "count total value index left right result items number string limit offset prefix depth current best".split(" ");

export const uniform = (seed: number) => {
  const next = randomUint32(seed);
  return () => next() / 2 ** 32;
};
const word = (random: () => number) => WORDS[Math.floor(random() * WORDS.length)] ?? "x";

/** About 25 lines that no other call gives. */
export function program(random: () => number, hostile: string): string {
  const line = () =>
    `    ${word(random)}_${Math.floor(random() * 90)} += ${word(random)}[${Math.floor(random() * 99)}] * len("${word(random)}")  # ${word(random)}`;
  const loop = () => `    for ${word(random)} in range(${Math.floor(random() * 50)}):\n    ${line()}`;
  const body = Array.from({ length: 12 }, () => (random() < 0.3 ? loop() : line())).join("\n");
  return `from typing import List\n\n\ndef ${word(random)}_of(${word(random)}: List[int], limit=0x1F) -> int:\n    """ Return the ${word(random)} of ${word(random)}.\n    >>> f([1, 2])\n    3\n    """\n${hostile}${body}\n    return ${word(random)}\n`;
}

const thought = (random: () => number) =>
  `The ${word(random)} of line ${Math.floor(random() * 20)} is compared with ${word(random)}, but it should be ${word(random)}; I test that with ${Math.floor(random() * 1000)}.`;

function used(random: () => number, { price }: Manner): Usage {
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

export function actStep(turn: number, buggy: string, random: () => number, request: Manner): Step {
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

export function malformedStep(turn: number, random: () => number, request: Manner): Step {
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
    finishReason: "length",
    seconds: 1 + random(),
  };
}

export function answerStep(
  turn: number,
  answer: string,
  accepted: boolean,
  random: () => number,
  request: Manner,
): Step {
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
    finishReason: "stop",
    reasoning: `Wait: line ${Math.floor(random() * 20)}.${request.hostile ?? ""}`,
    seconds: 2 + random(),
  };
}

/** The conversation as the graph leaves it: prompt, examples, task, then a reply and what came back for each step. */
export function messagesOf(steps: readonly Step[], buggy: string, hostile: string): Trajectory["messages"] {
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
    ...(steps.at(-1)?.verification?.accepted ? turns.slice(0, -1) : turns),
  ];
}
