/**
 * `npx tsx eval/lab/bench_repository.ts [FILES]`: what `mend fix` costs up to its first prompt in a repository with so
 * many files, beside what the tests themselves take: CPU seconds of all processes when the model is asked, and the
 * memory of mend's own. As built (`npm run build`) where there is a build.
 */

import "../../utils/program/own_tsconfig.ts";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { makeRepository } from "../../fix/testing/repositories.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { tsxWords } from "../../utils/base/host/tsx.ts";
import { type Arguments, countArgument, EXIT, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { childrenSeconds, secondsOfTree } from "../../utils/testing/children_seconds.ts";
import { descendants } from "../../utils/testing/processes.ts";
import { figuresKeeper, figuresOptions } from "./figures/figures.ts";

const command = {
  usage: "[FILES]",
  summary: "CPU seconds and memory of mend fix up to its first prompt, in a repository of FILES files (default 5000).",
  options: { python: { value: "PATH", help: "interpreter with pytest (default python3)" }, ...figuresOptions },
  positionals: [0, 1] satisfies [number, number],
};

const BUILT = fileURLToPath(new URL("../../dist/cli/mend.js", import.meta.url));
const FIX = fileURLToPath(new URL("../cli/commands/fix.ts", import.meta.url));
/** What starts `mend fix`. */
const START = existsSync(BUILT) ? [BUILT, "fix"] : [...tsxWords(), FIX];
/** Two for the baseline, one that watches what runs. */
const TEST_RUNS = 3;
const TESTS = "a run of the tests";
const LIMIT = { seconds: 5, megabytes: 300 };

async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const keep = figuresKeeper(args);
  const python = args.text("python") ?? "python3";
  using repository = makeRepository(filesOf(countArgument(args.positionals[0], "FILES", 5000)));
  using folder = makeTemporaryFolder("bench");
  const issue = join(folder.path, "issue.md");
  writeFileSync(issue, "The rate of a parcel is halved twice: `rate_0_7` gives a quarter of the price.");
  const tests = secondsOf(() => spawnSync(python, ["-m", "pytest", "-q", "tests"], { cwd: repository.path }));
  let all = Number.NaN;
  await using server = await startFakeOpenAI({
    reply: () => {
      const mend = child.pid ?? 0;
      if (Number.isNaN(all)) all = secondsOfTree([mend, ...descendants(mend).map(({ pid }) => pid)]);
      return "Final Answer: I looked.";
    },
  });
  const options = ["--test", "pytest tests", "--issue", issue, "--model", "openai:any", "--max-iterations", "1"];
  const child = spawn(process.execPath, [...START, repository.path, ...options, "--python", python, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "any" },
  });
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
  const seconds = all - TEST_RUNS * tests;
  console.log(`mend fix ${existsSync(BUILT) ? "as built" : "through tsx"}`);
  console.log(
    `CPU seconds beside the tests  ${seconds.toFixed(2)}  (limit ${LIMIT.seconds}; a run of the tests ` +
      `${tests.toFixed(2)})`,
  );
  console.log(`memory in MB                  ${megabytes}  (limit ${LIMIT.megabytes})`);
  const kept = keep({
    unit: "CPU seconds",
    figures: { "mend fix": seconds, [TESTS]: tests },
    peerOf: (name) => (name === TESTS ? undefined : TESTS),
  });
  return seconds <= LIMIT.seconds && megabytes <= LIMIT.megabytes ? kept : EXIT.failed;
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
      return (
        `def rate_${i}_${k}(price):\n    """The rate of parcel ${k} at its price."""\n    if price is ` +
        `None:\n        return 0\n    return price / ${share}\n`
      );
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
