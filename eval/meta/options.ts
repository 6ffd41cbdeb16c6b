/** The options of the self-edit loop. */

import type { Arguments, Option } from "../../utils/cli.ts";
import { budgetOptions } from "../run/cost/limits.ts";
import { RUNS_FOLDER } from "../run/lock.ts";
import { datasetOptions, fewShotOptions, modelOptions, protocolOptions, sandboxOptions } from "../run/setup.ts";
import { SELECTIONS } from "./judge/select.ts";

export const metaOptions = {
  iterations: { value: "N", help: "children to make (default 5); more can be asked for on resume" },
  run: { value: "NAME", help: `folder under ${RUNS_FOLDER}/; the same name resumes (default: meta)` },
  ...modelOptions,
  "meta-model": { value: "SPEC", help: "the model that edits (default: --model; `tune` with --model search)" },
  overseer: { value: "SPEC", help: "a model that watches the editor (default: rules)" },
  ...datasetOptions,
  num: { value: "N", help: "the first N tasks (default: all)" },
  ...protocolOptions,
  ...fewShotOptions,
  repo: { value: "PATH", help: "a git repository: adds file_edit and symbol_location tasks made from it" },
  "repo-tasks": { value: "N", help: "tasks of each of the two kinds (default 20)" },
  "max-iterations": { value: "N", help: "calls of the model a task (default 12)" },
  timeout: {
    value: "SECONDS",
    help: "limit a task; the clock stands still while programs run, which have their own (default 300)",
  },
  select: { value: "HOW", help: `${SELECTIONS.join(", ")}: which agent becomes the next parent (default argmax)` },
  alpha: { value: "P", help: "chance that a run promotes a child that is no better (default 0.05)" },
  family: { value: "N", help: "tests on validation that share it (default: --iterations of the first call)" },
  ...budgetOptions,
  "meta-price": {
    value: "IN,OUT",
    help: "the same for --meta-model (default: --price, else the table)",
  },
  "cost-cap": { value: "USD", help: "dollars a task that use up the cost part of the utility (default 10)" },
  "time-cap": { value: "SECONDS", help: "seconds a task that use up its time part (default 300)" },
  "step-turns": { value: "N", help: "calls of the model in one meta step (default 60)" },
  "step-minutes": { value: "N", help: "wall-clock limit of one meta step (default 30)" },
  "step-tokens": { value: "N", help: "tokens of one meta step (default: no limit)" },
  "step-cost": { value: "USD", help: "dollars of one meta step (default: no limit)" },
  "full-observations": { value: "N", help: "observations the editor sees in full, or `all` (default 5)" },
  concurrency: { value: "N", help: "tasks at a time (default 2)" },
  "seed-agent": { value: "FOLDER", help: "agent/ and prompts/ to start from (default: this project's)" },
  unsafe: { help: "run model-written code without bubblewrap, with your own rights" },
  ...sandboxOptions,
} satisfies Record<string, Option>;

/** What the user wrote. */
export type MetaArguments = Arguments<keyof typeof metaOptions>;
