/** For tests: tests that pass and fail by chance, as it is laid down, or by the number of their run. */

import type { TestResult } from "../../utils/frameworks/framework.ts";
import type { Command, CommandBox } from "../../utils/sandbox/command/command_box.ts";
import { Suite, type SuiteOptions, type SuiteRequest, type SuiteRun } from "../project/suite.ts";

/** How a test ends in one run after the other; the last one holds for all further runs. */
type Ends = Record<string, TestResult["status"][]>;

export class ByChance extends Suite {
  readonly #ends: Ends;

  constructor(options: SuiteOptions, ends: Ends) {
    super(options);
    this.#ends = ends;
  }

  override async run(tree: string, request?: SuiteRequest): Promise<SuiteRun> {
    const run = await super.run(tree, request);
    for (const [name, ends] of Object.entries(this.#ends)) {
      const test = run.tests.get(name);
      if (!test) continue;
      const status = ends.length > 1 ? ends.shift() : ends[0];
      if (status) run.tests.set(name, { ...test, status });
    }
    const fails = [...run.tests.values()].some(({ status }) => status === "failed");
    return { ...run, exitCode: fails ? 1 : 0 };
  }
}

/** A box in which tests find in RUN which of their runs this is. */
export function counting(box: CommandBox) {
  const seen = { runs: 0 };
  const start = (request: Command) => (at: (inside: string) => string) => {
    seen.runs += 1;
    const started = request.start(at);
    return { ...started, environment: { ...started.environment, RUN: String(seen.runs) } };
  };
  return { seen, box: { ...box, run: (request: Command) => box.run({ ...request, start: start(request) }) } };
}
