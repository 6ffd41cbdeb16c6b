/** The commands of `mend`: one row each. What a row loads is a command file that can also be run by itself. */

import type { CommandRow } from "../utils/program/cli.ts";

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  repair: { summary: "repair a function of your own", load: () => import("../examples/repair_file.ts") },
  fix: { summary: "repair a failing test of a repository", load: () => import("../examples/fix_repository.ts") },
  demo: { summary: "repair one task and show every turn", load: () => import("../examples/demo_minimal.ts") },
  eval: { summary: "pass@1 and pass@k of a model on a benchmark", load: () => import("../eval/pass1.ts") },
  mine: { summary: "tasks from the fixes in a repository's history", load: () => import("../eval/mine.ts") },
  worker: { summary: "solve samples of runs at a queue", load: () => import("../eval/worker.ts") },
  score: { summary: "score generations that exist already", load: () => import("../eval/score.ts") },
  compare: { summary: "whether two runs differ by more than chance", load: () => import("../eval/compare.ts") },
  report: { summary: "a run as one HTML page", load: () => import("../eval/report.ts") },
  view: { summary: "all runs in a browser, live", load: () => import("../eval/view.ts") },
  export: { summary: "a run as JUnit XML or as chat messages", load: () => import("../eval/export.ts") },
  improve: { summary: "let the agent edit its own code, and measure it", load: () => import("../eval/meta_loop.ts") },
  "models prepare": {
    summary: "a faster copy of a model on this machine",
    load: () => import("../utils/inference/prepare.ts"),
  },
  mcp: { summary: "offer the sandbox and the repair to other agents", load: () => import("./mcp.ts") },
  doctor: { summary: "what works on this machine, and what to do about the rest", load: () => import("./doctor.ts") },
  completions: {
    summary: "completions for bash, zsh or fish",
    load: async () => (await import("./completions.ts")).completionsOf(COMMANDS),
  },
};
