/** What the benchmark of local models asks: prompts as token ids, in the sizes that repairs have. */

import { exampleMessages } from "../../../agent/prompts.ts";
import type { Task } from "../../../utils/task/task.ts";

export interface Sizes {
  /** System message and few-shot examples. */
  prefix: number;
  /** A task, and each later turn of the user. */
  turn: number;
  reply: number;
  /** What several samples are drawn for. */
  prompt: number;
  turns: number;
  tasks: number;
  /** Tasks whose repair is recited: the tiny vocabulary has ids for one. */
  repairs: number;
}

export const FULL: Sizes = { prefix: 2500, turn: 200, reply: 100, prompt: 1000, turns: 5, tasks: 5, repairs: 5 };
export const SMALL: Sizes = { prefix: 300, turn: 40, reply: 20, prompt: 200, turns: 3, tasks: 3, repairs: 1 };

/** Ids without a pattern, the same for the same seed. */
export function someIds(count: number, seed: number, vocabulary: number): number[] {
  let state = seed * 2654435761;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % vocabulary;
  });
}

/** Answers one prompt: the ids of the reply. */
export type Answering = (ids: number[], maxNewTokens: number) => Promise<readonly number[]>;

/** One repair: every turn holds the whole conversation so far. */
export async function oneRepair(answer: Answering, sizes: Sizes, vocabulary: number): Promise<number[][]> {
  const replies: number[][] = [];
  let prompt = someIds(sizes.prefix, 1, vocabulary);
  for (let turn = 0; turn < sizes.turns; turn++) {
    prompt = [...prompt, ...someIds(sizes.turn, 100 + turn, vocabulary)];
    const reply = [...(await answer(prompt, sizes.reply))];
    replies.push(reply);
    prompt = [...prompt, ...reply];
  }
  return replies;
}

/** First turns of several tasks that share a prefix. */
export async function severalTasks(answer: Answering, sizes: Sizes, vocabulary: number): Promise<number[][]> {
  const prefix = someIds(sizes.prefix, 1, vocabulary);
  const replies: number[][] = [];
  for (let task = 0; task < sizes.tasks; task++) {
    const prompt = [...prefix, ...someIds(sizes.turn, 200 + task, vocabulary)];
    replies.push([...(await answer(prompt, sizes.reply))]);
  }
  return replies;
}

/** A repair as real text has it: the answer repeats most of the function that stood in the prompt. */
const BUGGY = `def merge_intervals(intervals):
    """Merge overlapping intervals given as (start, end) pairs."""
    ordered = sorted(intervals, key=lambda pair: pair[0])
    merged = []
    for start, end in ordered:
        if merged and start < merged[-1][1]:
            previous_start, previous_end = merged.pop()
            merged.append((previous_start, max(previous_end, end)))
        else:
            merged.append((start, end))
    return merged
`;
const QUESTION = `Instruction: intervals that touch must be merged, too.
Program:
${BUGGY}
The tests call merge_intervals.
`;
const ANSWER = `Thought: intervals that touch share a point, so the comparison has to include equality.
Final Answer:
\`\`\`python
${BUGGY.replace("start < merged", "start <= merged")}\`\`\``;

/** A prompt and the reply to it. */
export interface Repair {
  prompt: number[];
  reply: number[];
}

/** Gives pieces about as long as real tokens ids from `first` on, in the order they come. */
class Pieces {
  readonly #ids = new Map<string, number>();
  readonly #first: number;

  constructor(first: number) {
    this.#first = first;
  }

  /** The first id that is not given yet. */
  get next(): number {
    return this.#first + this.#ids.size;
  }

  encode(text: string): number[] {
    return (text.match(/ ?\w{1,8}|\n +|\s|[^\w\s]+/g) ?? []).map((piece) => {
      const id = this.#ids.get(piece) ?? this.next;
      this.#ids.set(piece, id);
      return id;
    });
  }
}

/** One repair after a prefix of noise, with ids from `first` on; the noise is below. */
export function repairText(prefix: number, first: number): Repair {
  const pieces = new Pieces(first);
  return { prompt: [...someIds(prefix, 1, first), ...pieces.encode(QUESTION)], reply: pieces.encode(ANSWER) };
}

/**
 * Tasks as the agent words them, each with the answer that holds, after a prefix of noise that they share. No two use
 * the same ids, so that the model that recites them can tell by any token which one it is in.
 */
export function repairsOf(tasks: readonly Task[], prefix: number, first: number): Repair[] {
  let free = first;
  return tasks.map((task) => {
    const pieces = new Pieces(free);
    const messages = exampleMessages(task, { status: "", output: "", durationMs: 0 });
    const [question, answer] = [messages.at(0), messages.at(-1)].map((message) => pieces.encode(message?.text ?? ""));
    free = pieces.next;
    return { prompt: [...someIds(prefix, 1, first), ...(question ?? [])], reply: answer ?? [] };
  });
}
