import { expect, test } from "vitest";
import { findBox } from "../../meta/testing/test_run.ts";
import { checkKills } from "./meta_kills.ts";

const hasBox = (await findBox()) !== null;

test.skipIf(!hasBox)(
  "killed and resumed, a run's log is that of an undisturbed run, and nothing is measured twice",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills({ when: { lines: 12 } });
    expect(kills).toBe(1);
    expect(repeated).toEqual([]);
    expect(killed).toEqual(undisturbed);
    expect(killed.at(-1)).toMatch(/"type":"sealed"/);
  },
);
