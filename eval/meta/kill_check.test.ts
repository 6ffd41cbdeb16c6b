import { expect, test } from "vitest";
import { openBox } from "./box.ts";
import { checkKills } from "./kill_check.ts";

const hasBox = (() => {
  try {
    return openBox({ unsafe: false }).isolated;
  } catch {
    console.warn("bubblewrap does not work here: resuming a killed meta run is not tested");
    return false;
  }
})();

test.skipIf(!hasBox)(
  "killed and resumed, a run's log is that of an undisturbed run, and nothing is measured twice",
  async () => {
    const { kills, undisturbed, killed, repeated } = await checkKills({ lines: 12 });
    expect(kills).toBe(1);
    expect(repeated).toEqual([]);
    expect(killed).toEqual(undisturbed);
    expect(killed.at(-1)).toMatch(/"type":"sealed"/);
  },
);
