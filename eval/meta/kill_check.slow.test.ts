import { expect, test } from "vitest";
import { checkKills } from "../lab/meta_kill_check.ts";
import { openBox } from "./child/box.ts";

const hasBox = await openBox({ unsafe: false }).then(
  ({ isolated }) => isolated,
  () => false,
);

test.skipIf(!hasBox)(
  "killed eight times at random moments and resumed, a run's log is that of an undisturbed run",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills({ kills: 8, seed: 7 });
    expect(kills).toBeGreaterThan(0);
    expect(repeated).toEqual([]);
    expect(killed).toEqual(undisturbed);
  },
);
