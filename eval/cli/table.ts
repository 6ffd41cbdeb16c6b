/** The commands of `mend`: one row each. What a row loads is a command file that can also be run by itself. */

import type { CommandRow } from "../../utils/program/cli.ts";

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  repair: { summary: "repair a function of your own", load: () => import("./commands/repair.ts") },
  fix: { summary: "repair a failing test of a repository", load: () => import("./commands/fix.ts") },
  demo: { summary: "repair one task and show every turn", load: () => import("./commands/demo.ts") },
  eval: { summary: "pass@1 and pass@k of a model on a benchmark", load: () => import("./commands/eval.ts") },
  mine: { summary: "tasks from the fixes in a repository's history", load: () => import("./commands/mine.ts") },
  worker: { summary: "solve samples of runs at a queue", load: () => import("./commands/worker.ts") },
  score: { summary: "score generations that exist already", load: () => import("./commands/score.ts") },
  compare: { summary: "whether two runs differ by more than chance", load: () => import("./commands/compare.ts") },
  report: { summary: "a run as one HTML page", load: () => import("./commands/report.ts") },
  view: { summary: "all runs in a browser, live", load: () => import("./commands/view.ts") },
  export: { summary: "a run as JUnit XML or as chat messages", load: () => import("./commands/export.ts") },
  improve: { summary: "let the agent edit its own code, and measure it", load: () => import("./commands/improve.ts") },
  "models prepare": {
    summary: "a faster copy of a model on this machine",
    load: () => import("../../utils/inference/prepare.ts"),
  },
  mcp: { summary: "offer the sandbox and the repair to other agents", load: () => import("./commands/mcp.ts") },
  doctor: {
    summary: "what works on this machine, and what to do about the rest",
    load: () => import("./commands/doctor.ts"),
  },
  completions: {
    summary: "completions for bash, zsh or fish",
    load: async () => (await import("./commands/completions.ts")).completionsOf(COMMANDS),
  },
};
