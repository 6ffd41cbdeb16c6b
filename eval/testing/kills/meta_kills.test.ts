// @module-tag deep
import { test } from "vitest";
import { findBox } from "../../meta/testing/test_run.ts";
import { requireSameLogs } from "./meta_kills.ts";

test.skipIf(!(await findBox()))(
  "killed and resumed, a run's log is that of an undisturbed run, and nothing is measured twice",
  () => requireSameLogs({ lines: 12 }),
);
