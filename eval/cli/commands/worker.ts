/** `npx tsx eval/cli/commands/worker.ts`: solves samples of runs that are coordinated elsewhere. */

import "../../../utils/program/own_tsconfig.ts";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isEntry } from "../../../utils/program/called_as.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
  printLine,
  runCommand,
} from "../../../utils/program/cli.ts";
import { queueStatus } from "../../run/queue/activity.ts";
import { withoutSecrets } from "../../run/queue/broker.ts";
import { leaveSoonAfter, openBroker } from "../../run/queue/open.ts";
import { queueKey } from "../../run/queue/seal.ts";
import { openSandboxFor, queueOption, sandboxOptions } from "../../run/setup.ts";

export const command = {
  usage: "--queue URL [options]",
  summary:
    "Solves samples of all runs at a queue (eval/pass1.ts --queue) until Ctrl-C. A run whose code, " +
    "sandbox or model differs is refused.",
  options: {
    ...queueOption,
    concurrency: { value: "N", help: "samples at a time (default 1)" },
    lease: {
      value: "SECONDS",
      help:
        "give this worker's samples to others after such a silence (default 60); shorter than a busy " +
        "machine's pauses, they are done twice",
    },
    status: { help: "print runs, their jobs and workers, one JSON line a run, and work on nothing" },
    json: {
      help: "with --status: all of it as one JSON document; else where this worker was and for how long, at its end",
    },
    repositories: {
      value: "PATH",
      help: "for runs on fixes of repositories: a git bundle, or a folder of clones, that holds their bases",
    },
    prepare: { help: "with it: install packages that tests need (with npm, or uv for Python) and keep them" },
    python: { value: "PATH", help: "interpreter of the tests of repositories and exercises (default python3)" },
    ...sandboxOptions,
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const url = args.text("queue");
  if (url === undefined) throw new UserError("--queue URL is needed: where the run's queue is.");
  const concurrency = args.count("concurrency", 1, MOST_AT_ONCE) ?? 1;
  const leaseMs = (args.number("lease", { min: 1, max: 86_400 }) ?? 60) * 1000;
  if (args.flag("status")) {
    const broker = await openBroker(url);
    try {
      const runs = await queueStatus(broker);
      if (args.flag("json")) printDocument({ runs });
      else for (const run of runs) printLine(run);
    } finally {
      await broker.close();
    }
    return EXIT.ok;
  }
  const own = { repositories: args.text("repositories"), prepare: args.flag("prepare"), python: args.text("python") };
  const started = performance.now();
  const key = queueKey();
  const broker = await openBroker(url);
  try {
    await using sandbox = await openSandboxFor(args, concurrency);
    using interrupt = listenForInterrupt(() => log(`${FINISHING} and gives it back`));
    leaveSoonAfter(interrupt.signal);
    const { serve } = await import("../../run/queue/serve.ts");
    const { solveWork } = await import("../../run/queue/solve_work.ts");
    const { measureWork } = await import("../../meta/elsewhere/measure_work.ts");
    log(`worker ${process.pid} at ${withoutSecrets(url)}, sandbox ${sandbox.info.layer}: waits for runs`);
    await serve({
      broker,
      key,
      kinds: [solveWork(own), measureWork],
      sandbox,
      concurrency,
      leaseMs,
      draining: () => interrupt.draining,
      signal: interrupt.signal,
      log,
    });
    const seconds = Math.round(performance.now() - started) / 1000;
    if (args.flag("json")) printDocument({ worker: process.pid, queue: withoutSecrets(url), seconds });
    return EXIT.ok;
  } finally {
    // Also where a run is refused: an open connection would keep this process alive.
    await broker.close();
  }
}

function log(line: string): void {
  console.error(line);
}

if (isEntry(import.meta.url)) await runCommand(command, main);
