/** `npx tsx eval/lab/bench_start.ts`: CPU seconds that commands take to start, as built and through tsx, in turns. */

import "../../utils/program/own_tsconfig.ts";
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { tsxWords } from "../../utils/base/host/tsx.ts";
import { isEntry } from "../../utils/program/called_as.ts";
import { type Arguments, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { childrenSeconds } from "../../utils/testing/children_seconds.ts";
import { figuresKeeper, figuresOptions } from "./figures/figures.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BUILT = join(ROOT, "dist/cli/mend.js");
const SEARCH = ["--model", "search"];

/** What is started: words after `mend`, the file that is the same command, and the most it may cost as built. */
const STARTS = [
  { name: "mend --help", words: ["--help"], file: "eval/cli/main.ts", args: ["--help"], limit: 0.15 },
  { name: "repair --help", words: ["repair"], file: "eval/cli/commands/repair.ts", args: ["--help"], limit: 0.5 },
  {
    name: "repair, search",
    words: ["repair"],
    file: "eval/cli/commands/repair.ts",
    args: ["half.py", ...SEARCH],
    limit: 1.5,
  },
  {
    name: "demo, search",
    words: ["demo"],
    file: "examples/demo_minimal.ts",
    args: ["--dataset", "builtin", ...SEARCH],
    limit: 1.7,
  },
];

/** An empty program: what is compared with an earlier run is how many of these a command costs. */
const NODE = "node alone";

const command = {
  usage: "[options]",
  summary: "CPU seconds of starting mend as built (npm run build) and through tsx: medians of paired runs.",
  options: {
    runs: { value: "N", help: "pairs of runs of each command (default 5)" },
    node: { value: "PATH", help: "another Node.js to run them with" },
    json: { help: "the figures as one JSON document" },
    ...figuresOptions,
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  if (!existsSync(BUILT)) throw new UserError("There is no dist/: run `npm run build` first.");
  const keep = figuresKeeper(args);
  const node = args.text("node") ?? process.execPath;
  using folder = makeTemporaryFolder("bench");
  writeFileSync(join(folder.path, "half.py"), "def half(x):\n    return x * 2\n");
  writeFileSync(
    join(folder.path, "test_half.py"),
    "from half import half\n\nassert half(4) == 2\nassert half(6) == 3\n",
  );
  const runs = Array.from({ length: args.count("runs", 1) ?? 5 });
  const bare = median(runs.map(() => cpuSeconds([node, "-e", "0"], folder.path)));
  const rows = STARTS.map(({ name, words, file, args: options, limit }) => {
    const pairs = runs.map(() => ({
      built: cpuSeconds([node, BUILT, ...(file === "eval/cli/main.ts" ? [] : words), ...options], folder.path),
      tsx: cpuSeconds([node, ...tsxWords(), join(ROOT, file), ...options], folder.path),
    }));
    return { name, built: median(pairs.map(({ built }) => built)), tsx: median(pairs.map(({ tsx }) => tsx)), limit };
  });
  if (args.flag("json")) console.log(JSON.stringify(rows));
  else {
    console.log(`${"CPU seconds".padEnd(18)}built    tsx  limit`);
    for (const { name, built, tsx, limit } of rows)
      console.log(`${name.padEnd(18)}${[built, tsx, limit].map((value) => value.toFixed(2).padStart(5)).join("  ")}`);
  }
  const figures = { [NODE]: bare, ...Object.fromEntries(rows.map(({ name, built }) => [name, built])) };
  return keep({ unit: "CPU seconds", figures, peerOf: (name) => (name === NODE ? undefined : NODE) });
}

/** @throws Error where the command fails: its time would mean nothing */
function cpuSeconds([program = "", ...args]: readonly string[], cwd: string): number {
  const before = childrenSeconds();
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return childrenSeconds() - before;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

if (isEntry(import.meta.url)) await runCommand(command, main);
