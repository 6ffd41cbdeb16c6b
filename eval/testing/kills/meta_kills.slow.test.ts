import { test } from "vitest";
import { findBox } from "../../meta/testing/test_run.ts";
import { requireSameLogs } from "./meta_kills.ts";

test.skipIf(!(await findBox()))(
  "killed twenty times at random moments and resumed, a run's log is that of an undisturbed run",
  () => requireSameLogs({ kills: 20, seed: 3 }),
);
