import { expect, test } from "vitest";
import { type BatchLimits, type RunningReplies, Scheduler, type Waiting } from "./scheduler.ts";

interface Asked extends Waiting {
  name: string;
}

const idsOf = (tokens: number): number[] => Array.from({ length: tokens }, (_, i) => i);
const job = (name: string, tokens: number): Asked => ({ name, ids: idsOf(tokens), overtaken: 0 });

/** A scheduler with these jobs. `prompts`: tokens of the prompts that run, which begin as the waiting ones do. */
function schedulerOf(
  jobs: Asked[],
  { prompts = [], drafts = true, ...limits }: { prompts?: number[]; drafts?: boolean } & Partial<BatchLimits> = {},
): Scheduler<Asked> {
  const running: RunningReplies = {
    all: prompts.map((tokens) => ({ ids: idsOf(tokens) })),
    longest: Math.max(0, ...prompts),
    draftGain: { beatsNeighbours: drafts },
  };
  const scheduler = new Scheduler<Asked>(running, { maxBatch: 4, maxTokens: 100, speculate: true, ...limits });
  for (const waiting of jobs) scheduler.add(waiting);
  return scheduler;
}

const nothing = (): number => 0;

test("beside a reply with drafts only samples of its prompt begin; where drafts gain little, all do", () => {
  const jobs = () => [job("other", 9), job("sample", 10)];
  const beside = schedulerOf(jobs(), { prompts: [10] });
  expect([beside.next(nothing)?.name, beside.next(nothing), beside.size]).toEqual(["sample", undefined, 1]);
  expect(schedulerOf(jobs(), { prompts: [10], drafts: false }).next(nothing)?.name).toBe("other");
  expect(schedulerOf(jobs(), { prompts: [10], speculate: false }).next(nothing)?.name).toBe("other");
});

test("side by side is bounded in replies and in memory; a request that is alone always begins", () => {
  const next = (tokens: number, prompts: number[], limits: Partial<BatchLimits>): string | undefined =>
    schedulerOf([job("it", tokens)], { prompts, drafts: false, ...limits }).next(nothing)?.name;
  expect(next(10, [10, 10], { maxBatch: 3 })).toBe("it");
  expect(next(10, [10, 10], { maxBatch: 2 })).toBeUndefined();
  expect(next(30, [20], { maxTokens: 60 })).toBe("it");
  expect(next(31, [20], { maxTokens: 60 })).toBeUndefined();
  expect(next(20, [31], { maxTokens: 60 })).toBeUndefined();
  expect(next(500, [], { maxBatch: 1, maxTokens: 0 })).toBe("it");
});

test("after eight others have overtaken a request, no other goes before it", () => {
  const jobs = [job("patient", 10), ...Array.from({ length: 9 }, () => job("short", 1))];
  const scheduler = schedulerOf(jobs);
  for (let i = 0; i < 8; i++) expect(scheduler.next(nothing)?.name).toBe("short");
  expect(scheduler.next(nothing)?.name).toBe("patient");
  expect(scheduler.next(nothing)?.name).toBe("short");
  const beside = schedulerOf([{ ...job("patient", 10), overtaken: 8 }, job("sample", 9)], { prompts: [9] });
  expect(beside.next(nothing)).toBeUndefined();
});
