/** For tests: a repository that is prepared by a command, and its repair by a scripted model. */

import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import { parseSpec } from "../../agent/models/table.ts";
import type { Step } from "../../agent/run/trajectory.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { PYTEST_ENVIRONMENT } from "../../utils/testing/pytest_plugins.ts";
import { type PrepareOptions, prepareRepository } from "../attempts/prepare.ts";
import { type FixRequest, fixRepository } from "../fix.ts";

export const prepareForTests = async (path: string, test: string, more: Partial<PrepareOptions> = {}) =>
  await prepareRepository({
    ...{ box: await openCommandBox(), path, test, issue: "", environment: PYTEST_ENVIRONMENT, testSeconds: 60 },
    ...more,
  });

export const fixRequest = (path: string, more: Partial<FixRequest> = {}): FixRequest => ({
  path,
  test: "pytest tests",
  issue: "",
  samples: 1,
  write: false,
  environment: PYTEST_ENVIRONMENT,
  isInTestsAlone: true,
  maxIterations: 8,
  timeoutMs: 600_000,
  testSeconds: 60,
  ...more,
});

/** `spec` names the kind of model; one that replies says what the rules say. */
export function scriptedFix(wanted: FixRequest, rules: object[], spec = "script:rules") {
  const steps: Step[] = [];
  const said: string[] = [];
  const chat = new ScriptedChat("script", parseRules(JSON.stringify([...rules, { turn: 99, reply: "" }]), "rules"));
  const outcome = fixRepository(wanted, {
    openModel: async () => ({ kind: parseSpec(spec).kind, name: spec, chat, deterministic: false }),
    openSandbox: openForTests,
    openBox: () => openCommandBox(),
    say: (line) => said.push(line),
    onStep: (step) => steps.push(step),
  });
  return { outcome, steps, said };
}
