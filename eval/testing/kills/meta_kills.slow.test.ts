import { expect, test } from "vitest";
import { openBox } from "../../meta/child/box.ts";
import { checkKills } from "./meta_kills.ts";

const hasBox = await openBox({ unsafe: false }).then(
  ({ isolated }) => isolated,
  () => false,
);

test.skipIf(!hasBox)(
  "killed twenty times at random moments and resumed, a run's log is that of an undisturbed run",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills({ when: { kills: 20, seed: 3 } });
    expect(kills).toBe(20);
    expect(repeated).toEqual([]);
    for (const log of killed) expect(log).toEqual(undisturbed);
  },
);
