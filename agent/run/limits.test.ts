import { expect, test } from "vitest";
import { limitReached } from "./limits.ts";
import { Step } from "./trajectory.ts";

const answer = (iteration: number, text: string, result: string | null): Step => {
  const observation = { status: "1 test that passed before fails", output: "", durationMs: 0 };
  const reply = { kind: "answer" as const, thought: "", text };
  return Step.parse({
    ...{ iteration, reply, observation, usage: null, seconds: 0 },
    verification: { accepted: false, result, observation },
  });
};
const limits = { maxIterations: 12, maxRepeats: 2 };
const reached = (...steps: Step[]) => limitReached({ iterations: steps.length, malformedInARow: 0, steps }, limits);

test("a refused patch that is given again ends the run, in whatever words", () => {
  expect(reached(answer(1, "done", "patch"))).toBeNull();
  expect(reached(answer(1, "done", "patch"), answer(2, "that test pins the old text", "patch"))).toBe("tries");
});

test("another patch goes on, even with the same words", () => {
  expect(reached(answer(1, "done", "patch"), answer(2, "done", "another"))).toBeNull();
});

test("where no patch is known the words count", () => {
  expect(reached(answer(1, "done", null), answer(2, "done", null))).toBe("tries");
  expect(reached(answer(1, "done", null), answer(2, "no", null))).toBeNull();
});
