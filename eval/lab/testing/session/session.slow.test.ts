import { expect, test } from "vitest";
import { findBox, temporaryFolder } from "../../../meta/testing/test_run.ts";
import { playSession } from "./session.ts";

const hasBox = (await findBox()) !== null;

test.skipIf(!hasBox)("each kind of change is accepted or refused for the right reason", async () => {
  using folder = temporaryFolder();
  const { exitCode, state, fates } = await playSession(folder.path, false);
  expect(exitCode).toBe(0);
  expect(fates.map(({ verdict, gate }) => `${verdict} at ${gate}`)).toEqual([
    "accepted at validation",
    "accepted at validation",
    "inconclusive at dev",
    "regressed at screen",
  ]);
  expect(fates[2]?.message).toContain("0 won, 0 lost on dev");
  // The compiler sent the second one back, and the overseer had nothing to say.
  const second = state.steps.find(({ iteration }) => iteration === 2);
  expect(second).toMatchObject({ stop: "answered", overseer: [] });
  expect(state.sealed).toMatchObject({ champion: 2, losses: 0 });
});
