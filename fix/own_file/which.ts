/** Which function of a file is to be repaired, where the user names none: what the failing tests run is looked at first. */

import { relative } from "node:path";
import { UserError } from "../../utils/data/errors.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import { prepareProject } from "../prepare.ts";
import type { NamedEntry } from "./check_input.ts";

interface WhichOptions {
  box: CommandBox;
  plan: TestPlan;
  /** What there is, in the order of the file. */
  entries: readonly NamedEntry[];
  /** What the failing tests say. */
  messages: readonly string[];
  /** Processor time of one run of the tests. */
  seconds: number;
  signal?: AbortSignal | undefined;
}

/** More are not looked at. */
const MOST = 5;

/** The likeliest first, each with why it is looked at; at least one. */
export async function likeliestEntries(options: WhichOptions): Promise<{ entry: NamedEntry; why: string }[]> {
  const { entries, messages } = options;
  const ran = await suspectsIn(options);
  const found = ran.flatMap(({ name, reasons }) => {
    const entry = entries.find(({ definition }) => definition === name.split(".")[0]);
    return entry ? [{ entry, why: reasons[0] ?? "likeliest" }] : [];
  });
  const said = messages.join("\n");
  const named = entries.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(said));
  const others = [...named, ...(found.length > 0 ? [] : entries)].map((entry) => ({ entry, why: "in its file" }));
  const seen = new Set<string>();
  return [...found, ...others]
    .filter(({ entry }) => (seen.has(entry.name) ? false : seen.add(entry.name)))
    .slice(0, MOST);
}

/** Functions of the file that the tests point to; none where nothing tells. */
async function suspectsIn({ box, plan, seconds, signal }: WhichOptions) {
  const { folder } = plan.project;
  const project = { ...plan.project, root: folder };
  const file = relative(folder, project.target);
  try {
    using prepared = await prepareProject({
      box,
      project,
      plan: { command: plan.command, framework: plan.framework, args: plan.args, setup: "" },
      issue: "",
      environment: {},
      testSeconds: seconds,
      signal,
    });
    return prepared.suspects.filter((one) => one.file === file);
  } catch (error) {
    // These tests tell nothing of what runs in them.
    if (error instanceof UserError) return [];
    throw error;
  }
}
