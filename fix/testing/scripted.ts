/** For tests: a repair of a repository by a scripted model. */

import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import { parseSpec } from "../../agent/models/table.ts";
import type { Step } from "../../agent/run/trajectory.ts";
import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { AgentSandbox } from "../../utils/sandbox/types.ts";
import { PYTEST_ENVIRONMENT } from "../../utils/testing/pytest_plugins.ts";
import { type FixRequest, fixRepository } from "../fix.ts";

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
export function scriptedFix(
  wanted: FixRequest,
  rules: object[],
  { box, sandbox, spec = "script:rules" }: { box: CommandBox; sandbox: AgentSandbox; spec?: string | undefined },
) {
  const steps: Step[] = [];
  const said: string[] = [];
  const chat = new ScriptedChat("script", parseRules(JSON.stringify([...rules, { turn: 99, reply: "" }]), "rules"));
  const outcome = fixRepository(wanted, {
    openModel: async () => ({ kind: parseSpec(spec).kind, name: spec, chat, deterministic: false }),
    openSandbox: async () => sandbox,
    openBox: async () => box,
    say: (line) => said.push(line),
    onStep: (step) => steps.push(step),
  });
  return { outcome, steps, said };
}
