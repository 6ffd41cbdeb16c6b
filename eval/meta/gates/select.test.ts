import { describe, expect, test } from "vitest";
import { type AgentAdded, type Ruling, RunState } from "../log.ts";
import { agentAdded, judged, measuredLine } from "../testing/events.ts";
import { describeNoise, noiseOf } from "./noise.ts";
import { type ParentRule, selectParent } from "./select.ts";
import { PAPER_UTILITY } from "./utility.ts";

/** Scores by agent; null: not measured on all of dev. */
function pick(by: ParentRule, children: [Ruling["verdict"], number[] | null][], first = [1, 0, 0, 0]) {
  const state = new RunState();
  const scores = [first, ...children.map(([, own]) => own)];
  state.add(agentAdded(0));
  for (const [i, [what]] of children.entries()) {
    state.add(agentAdded(i + 1));
    state.add(judged(i + 1, what));
  }
  const measuredOf = ({ n }: AgentAdded) =>
    scores[n]?.map((score, task) => measuredLine("", `${task}`, { score })) ?? null;
  return selectParent(state, children.length + 1, { by, options: PAPER_UTILITY, measuredOf }).n;
}

describe("the next parent", () => {
  test("argmax takes the best on dev, accepted or not", () => {
    expect(
      pick("argmax", [
        ["accepted", [1, 1, 0, 0]],
        ["inconclusive", [1, 1, 1, 0]],
      ]),
    ).toBe(2);
  });
  test("an agent that is not sound is no parent, whatever it scored", () => {
    for (const what of ["regressed", "broken", "tampered"] as const)
      expect(pick("argmax", [[what, [1, 1, 1, 1]]])).toBe(0);
  });
  test("one that was not measured on all of dev is no parent", () => {
    expect(pick("argmax", [["inconclusive", null]])).toBe(0);
  });
  test("champion takes what was accepted last", () => {
    expect(
      pick("champion", [
        ["accepted", [1, 0, 0, 0]],
        ["inconclusive", [1, 1, 1, 1]],
      ]),
    ).toBe(1);
  });
  test("of equals the older one stays", () => {
    expect(pick("argmax", [["inconclusive", [1, 0, 0, 0]]])).toBe(0);
  });
});

test("the noise of the baseline is described with the gain that can be found in it", () => {
  const attempt = (flips: number) => new Map(Array.from({ length: 100 }, (_, i) => [`${i}`, i < flips ? 1 : 0]));
  const noise = noiseOf([attempt(0), attempt(8)], 50, 0.05);
  expect(noise).toMatchObject({ tasks: 100, flips: 8, rate: 0.08, detectable: { leastWins: 5 } });
  expect(describeNoise(noise)).toMatch(
    /^The first agent, run twice, differs on 8 of 100 tasks \(8\.0% \[4\.1%–15\.0%\]\); .*a true gain of \d+\.\d% is found/,
  );
});
