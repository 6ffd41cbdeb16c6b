/**
 * `npx tsx eval/lab/bench_repository.ts [FILES]`: what `mend fix` costs up to its first prompt in a repository with so many
 * files, beside what the tests themselves take: CPU seconds of all processes, and the memory of mend's own.
 */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeRepository } from "../../agent/repository/testing/repositories.ts";
import { makeTemporaryFolder } from "../../utils/files/temporary.ts";
import { type Arguments, countArgument, EXIT, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { childrenSeconds } from "./children_seconds.ts";

const command = {
  usage: "[FILES]",
  summary: "CPU seconds and memory of mend fix up to its first prompt, in a repository of FILES files (default 5000).",
  options: { python: { value: "PATH", help: "interpreter with pytest (default python3)" } },
  positionals: [0, 1] satisfies [number, number],
};

const FIX = fileURLToPath(new URL("../../examples/fix_repository.ts", import.meta.url));
/** Two for the baseline, one that watches what runs. */
const TEST_RUNS = 3;
const LIMIT = { seconds: 5, megabytes: 300 };

async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const python = args.text("python") ?? "python3";
  using repository = makeRepository(filesOf(countArgument(args.positionals[0], "FILES", 5000)));
  using folder = makeTemporaryFolder("bench");
  const issue = join(folder.path, "issue.md");
  const script = join(folder.path, "script.json");
  writeFileSync(issue, "The rate of a parcel is halved twice: `rate_0_7` gives a quarter of the price.");
  writeFileSync(script, JSON.stringify([{ when: "rate_0_7", reply: "Final Answer: I looked." }]));
  const tests = secondsOf(() => spawnSync(python, ["-m", "pytest", "-q", "tests"], { cwd: repository.path }));
  const before = childrenSeconds();
  const options = ["--test", "pytest tests", "--issue", issue, "--model", `script:${script}`, "--max-iterations", "1"];
  const child = spawn(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), FIX, repository.path, ...options, "--python", python, "--json"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  let megabytes = 0;
  const watch = setInterval(() => {
    megabytes = Math.max(megabytes, peakMegabytes(child.pid ?? 0));
  }, 20);
  await once(child, "close");
  clearInterval(watch);
  const [first] = JSON.parse(said).suspects;
  if (first?.name !== "rate_0_7") throw new Error(`The first prompt was not reached as it should be: ${said}`);
  const seconds = childrenSeconds() - before - TEST_RUNS * tests;
  console.log(
    `CPU seconds beside the tests  ${seconds.toFixed(2)}  (limit ${LIMIT.seconds}; a run of the tests ${tests.toFixed(2)})`,
  );
  console.log(`memory in MB                  ${megabytes}  (limit ${LIMIT.megabytes})`);
  return seconds <= LIMIT.seconds && megabytes <= LIMIT.megabytes ? EXIT.ok : EXIT.failed;
}

/** Packages of a hundred modules, each with eight functions; one is wrong, and a test sees it. */
function filesOf(count: number): Record<string, string> {
  const files: Record<string, string> = {
    "pytest.ini": "[pytest]\npythonpath = .\n",
    "tests/test_rates.py": "from shop0.module0 import rate_0_7\n\n\ndef test_rate():\n    assert rate_0_7(8) == 4\n",
  };
  for (let i = 0; Object.keys(files).length < count; i++) {
    const functions = Array.from({ length: 8 }, (_, k) => {
      const share = i === 0 && k === 7 ? 4 : 2;
      return `def rate_${i}_${k}(price):\n    """The rate of parcel ${k} at its price."""\n    if price is None:\n        return 0\n    return price / ${share}\n`;
    });
    files[`shop${Math.floor(i / 100)}/module${i}.py`] = functions.join("\n\n");
  }
  return files;
}

function secondsOf(work: () => unknown): number {
  const before = childrenSeconds();
  work();
  return childrenSeconds() - before;
}

/** Of a process that runs; 0 where it has ended. */
function peakMegabytes(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}

await runCommand(command, main);
