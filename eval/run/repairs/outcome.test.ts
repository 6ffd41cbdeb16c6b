import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { noOutcome } from "../../../fix/outcome/outcome.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { OUTCOME_FILE, readOutcome } from "./outcome.ts";

const KEPT = {
  ...noOutcome,
  ...{ root: "/project", file: "half.py", function: "half", test_command: "pytest", framework: "pytest" },
};

test.each([
  ["nothing_to_fix", false, "nothing_to_repair"],
  ["fixed", true, "suggestion"],
  ["fixed", false, "fixed"],
  ["partly_fixed", true, "partly_fixed"],
])("a run that version 0.2 kept as %s (suggestion: %s) is read as %s", (outcome, is_suggestion, today) => {
  using folder = temporaryFolder();
  writeFileSync(`${folder.path}/${OUTCOME_FILE}`, JSON.stringify({ ...KEPT, outcome, is_suggestion }));
  expect(readOutcome(folder.path)).toMatchObject({ outcome: today });
});

test("a run of today is read as it was written", () => {
  using folder = temporaryFolder();
  writeFileSync(`${folder.path}/${OUTCOME_FILE}`, JSON.stringify({ ...KEPT, outcome: "suggestion" }));
  expect(readOutcome(folder.path)).toMatchObject({ outcome: "suggestion" });
});
