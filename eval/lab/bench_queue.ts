/**
 * `npx tsx eval/lab/bench_queue.ts [SAMPLES] [URL]`: CPU milliseconds that a queue adds to a sample, beside a local
 * run.
 */

import "../../utils/program/own_tsconfig.ts";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createModel } from "../../agent/models/create.ts";
import { repair } from "../../agent/repair.ts";
import { Trajectory } from "../../agent/run/trajectory.ts";
import { UserError } from "../../utils/base/data/errors.ts";
import { appendTo } from "../../utils/base/data/extremes.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { type Arguments, countArgument, type ExitCode, runCommand } from "../../utils/program/cli.ts";
import { openSandbox } from "../../utils/sandbox/sandbox.ts";
import { samplesToHandOut } from "../run/queue/coordinate.ts";
import { handOut } from "../run/queue/hand_out.ts";
import { openBroker } from "../run/queue/open.ts";
import { serve } from "../run/queue/serve.ts";
import { keyOf, madeUpJobs, madeUpOptions, manifestOf, resultOf } from "../run/queue/testing/made_up_samples.ts";
import { SERVERS } from "../run/queue/testing/servers.ts";
import type { WorkKind } from "../run/queue/work_kind.ts";
import { openRun, trajectoryText } from "../run/store.ts";
import { figuresKeeper, figuresOptions } from "./figures/figures.ts";

const command = {
  usage: "[SAMPLES] [URL]",
  summary:
    "CPU milliseconds that a queue adds to a sample, in the coordinator, the worker and the server together, beside\n" +
    "a local run that writes the same. No sample is solved: jobs and trajectories are real ones. Without URL a\n" +
    "Redis is started (default 300 samples).",
  options: figuresOptions,
  positionals: [0, 2] satisfies [number, number],
};

/** As large as trajectories are on average. */
const TRAJECTORY_BYTES = 220_000;
const CONCURRENCY = 4;
const UNIT = "ms CPU a sample";
/** Rounds in turns: what else this machine does falls on both. */
const ROUNDS = 3;

const cpuMs = ({ user, system } = process.cpuUsage()) => (user + system) / 1000;

/** CPU milliseconds of a server and its children, up to now. */
function serverMs(pid: number): number {
  const stats = readdirSync("/proc").flatMap((name) => {
    try {
      const text = readFileSync(`/proc/${name}/stat`, "utf8");
      return [
        {
          name,
          fields: text
            .slice(text.lastIndexOf(")") + 2)
            .split(" ")
            .map(Number),
        },
      ];
    } catch {
      return [];
    }
  });
  const own = stats.filter(({ name, fields }) => Number(name) === pid || fields[1] === pid);
  return own.reduce((sum, { fields }) => sum + ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10, 0);
}

async function realTrajectory(): Promise<Trajectory> {
  const [job] = madeUpJobs(1);
  if (!job?.task.function) throw new Error("no job");
  const { visible } = job.task.function;
  await using sandbox = await openSandbox();
  const options = { temperature: 0, timeoutMs: 60_000, maxRetries: 0, log: () => {} };
  const model = await createModel("search", options);
  const limits = { maxIterations: 4, timeoutMs: 60_000 };
  const made = await repair(visible, { model, sandbox, tools: [], examples: [], repairPassing: true, ...limits });
  const steps = [...made.steps];
  while (JSON.stringify(steps).length < TRAJECTORY_BYTES) appendTo(steps, made.steps);
  return { ...made, steps };
}

/** A worker that answers at once with the trajectory it is given. */
async function work(url: string): Promise<void> {
  const [message] = await once(process, "message");
  const trajectory = Trajectory.parse(message);
  const stop = new AbortController();
  const kind: WorkKind = {
    kind: "samples",
    open: async () => ({
      model: "none",
      work: async ({ id }) => ({ outcome: { result: resultOf(id) }, attached: trajectoryText(trajectory), said: "" }),
      close: async () => {},
    }),
  };
  const broker = await openBroker(url);
  await using sandbox = await openSandbox();
  const { key } = madeUpOptions({ onResult: () => {} });
  process.on("message", (word) => {
    if (word === "stop") stop.abort();
    else process.send?.(cpuMs());
  });
  process.send?.("ready");
  const leaseMs = 60_000;
  const draining = () => stop.signal.aborted;
  const options = { broker, key, kinds: [kind], sandbox, concurrency: CONCURRENCY, leaseMs, draining };
  await serve({ ...options, signal: new AbortController().signal, log: () => {} });
  await broker.close();
  process.disconnect();
}

async function askedMs(worker: ChildProcess): Promise<number> {
  worker.send("cpu");
  const [ms] = await once(worker, "message");
  return Number(ms);
}

/** @returns the medians of the rounds */
async function compare(samples: number, url: string, pid: number | null): Promise<{ added: number; local: number }> {
  const trajectory = await realTrajectory();
  const worker = fork(fileURLToPath(import.meta.url), ["worker", url]);
  worker.send(trajectory);
  await once(worker, "message");
  const broker = await openBroker(url);
  const jobs = madeUpJobs(samples);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    using folder = makeTemporaryFolder("bench");
    using here = openRun(join(folder.path, "runs"), "local", manifestOf(jobs));
    const before = cpuMs();
    for (const job of jobs) {
      here.saveTrajectory({ task_id: job.task.id, attempt: 0 }, trajectoryText({ ...trajectory, taskId: job.task.id }));
      here.append(resultOf(keyOf(job)));
    }
    const localMs = cpuMs() - before;
    using there = openRun(join(folder.path, "runs"), `queue${round}`, manifestOf(jobs));
    const start = { coordinator: cpuMs(), worker: await askedMs(worker), server: pid ? serverMs(pid) : 0 };
    const { handOut: work } = samplesToHandOut(jobs, there, madeUpOptions({ onResult: () => {} }));
    await handOut({ ...work, broker });
    const coordinator = (cpuMs() - start.coordinator) / samples;
    const workers = ((await askedMs(worker)) - start.worker) / samples;
    const server = pid ? (serverMs(pid) - start.server) / samples : null;
    const local = localMs / samples;
    const added = coordinator + workers + (server ?? 0) - local;
    rounds.push({ added, coordinator, worker: workers, server, local });
  }
  worker.send("stop");
  await once(worker, "exit");
  await broker.close();
  const rounded = (_: string, value: unknown) => (typeof value === "number" ? Math.round(value * 10) / 10 : value);
  console.log(JSON.stringify({ samples, unit: UNIT, rounds }, rounded));
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  return { added: median(rounds.map(({ added }) => added)), local: median(rounds.map(({ local }) => local)) };
}

async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const keep = figuresKeeper(args);
  const [first, url] = args.positionals;
  const samples = countArgument(first, "SAMPLES", 300);
  const { added, local } = await (url === undefined ? compareOnRedis(samples) : compare(samples, url, null));
  const figures = { "what a queue adds": added, "a local run": local };
  return keep({ unit: UNIT, figures, peerOf: (name) => (name === "a local run" ? undefined : "a local run") });
}

async function compareOnRedis(samples: number) {
  const redis = SERVERS.find(({ name }) => name === "redis");
  if (!redis) throw new UserError("redis-server is not installed: name another server by its URL.");
  await using server = await redis.start();
  return await compare(samples, server.url, server.pid());
}

const [first, url = ""] = process.argv.slice(2);
if (first === "worker") await work(url);
else await runCommand(command, main);
