// @module-tag deep
import { expect, test } from "vitest";
import { findBox } from "../../meta/testing/test_run.ts";
import { checkKills, withoutTimes } from "./meta_kills.ts";

const hasBox = (await findBox()) !== null;

test.skipIf(!hasBox)(
  "killed and resumed, a run's log is that of an undisturbed run, and nothing is measured twice",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills({ when: { lines: 12 } });
    expect(kills).toBe(1);
    expect(repeated).toEqual([]);
    expect(killed).toEqual([undisturbed]);
    expect(undisturbed.at(-1)).toMatch(/"type":"sealed"/);
  },
);

test("lines that differ only in times are the same, also in an editor's task; others are not", () => {
  const step = (agent: number, seconds: number) => ({
    type: "step",
    seconds,
    calls: [{ task: `The workspace holds the code of agent ${agent}.\n\n## Archive\nagent 0: ${seconds} s`, seconds }],
  });
  expect(withoutTimes(step(0, 1.2))).toBe(withoutTimes(step(0, 5.5)));
  expect(withoutTimes(step(0, 1.2))).not.toBe(withoutTimes(step(1, 1.2)));
  expect(withoutTimes({ type: "measured", task: "Signs/1" })).toContain("Signs/1");
});
