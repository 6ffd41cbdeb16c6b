/** The commands of `mend`: one row each. */

import type { CommandRow } from "../../utils/program/cli.ts";

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  repair: {
    summary: "repair a function in a file of yours, by search or a model",
    load: () => import("./commands/repair.ts"),
  },
  fix: { summary: "repair a repository whose tests fail", load: () => import("./commands/fix.ts") },
  demo: { summary: "repair one task of a benchmark and show every turn", load: () => import("./commands/demo.ts") },
  eval: { summary: "measure a model on a benchmark: pass@1 and pass@k", load: () => import("./commands/eval.ts") },
  mine: {
    summary: "make benchmark tasks from the fixes in a repository's history",
    load: () => import("./commands/mine.ts"),
  },
  worker: { summary: "solve tasks of runs that share a queue", load: () => import("./commands/worker.ts") },
  score: { summary: "score answers that a model has given already", load: () => import("./commands/score.ts") },
  compare: { summary: "test whether two runs differ by more than chance", load: () => import("./commands/compare.ts") },
  report: {
    summary: "write a run as one HTML page, or runs as a leaderboard",
    load: () => import("./commands/report.ts"),
  },
  view: { summary: "show all runs in a browser, live", load: () => import("./commands/view.ts") },
  export: { summary: "write a run as JUnit XML or as chat messages", load: () => import("./commands/export.ts") },
  improve: { summary: "let the agent edit its own code, and measure it", load: () => import("./commands/improve.ts") },
  "models prepare": {
    summary: "make a faster copy of a model on this machine",
    load: () => import("../../utils/inference/prepare.ts"),
  },
  mcp: { summary: "offer repair and the sandbox to other agents", load: () => import("./commands/mcp.ts") },
  doctor: {
    summary: "check what works on this machine and how to install the rest",
    load: () => import("./commands/doctor.ts"),
  },
  completions: {
    summary: "print completions for bash, zsh or fish",
    load: async () => (await import("./commands/completions.ts")).completionsOf(COMMANDS),
  },
};
