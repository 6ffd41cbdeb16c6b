import { expect, test } from "vitest";
import { checkKills } from "./kill_check.ts";
import { findBox } from "./testing.ts";

const hasBox = (await findBox()) !== null;

test.skipIf(!hasBox)(
  "killed and resumed, a run's log is that of an undisturbed run, and nothing is measured twice",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills(1, 7);
    expect(kills).toBe(1);
    expect(repeated).toEqual([]);
    expect(killed).toEqual(undisturbed);
    expect(killed.at(-1)).toMatch(/"type":"sealed"/);
  },
  300_000,
);
