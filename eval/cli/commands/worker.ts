/** `mend worker`: solves samples of runs that are coordinated elsewhere. */

import { UserError } from "../../../utils/base/data/errors.ts";
import {
  type Arguments,
  EXIT,
  type ExitCode,
  FINISHING,
  listenForInterrupt,
  MOST_AT_ONCE,
  printDocument,
  printLine,
} from "../../../utils/program/cli.ts";
import { repositoryOptions } from "../../run/benchmark.ts";
import { queueStatus } from "../../run/queue/activity.ts";
import { leaveSoonAfter, openBroker } from "../../run/queue/open.ts";
import { queueKey, withoutSecrets } from "../../run/queue/seal.ts";
import { openSandboxFor, queueOption, sandboxOptions } from "../../run/setup.ts";

export const command = {
  usage: "--queue URL [options]",
  summary:
    "Solves tasks of all runs that share a queue (mend eval --queue) until Ctrl-C. Refuses a run whose code, sandbox " +
    "or model differs from this machine's.",
  options: {
    ...queueOption,
    concurrency: { value: "N", help: "number of samples at a time (default 1)" },
    lease: {
      value: "SECONDS",
      help: "hand this worker's samples to others if it is silent for so long (default 60)",
    },
    status: { help: "print each run with its jobs and workers as one JSON line, and exit" },
    json: {
      help: "print the status, or at the end where and how long this worker ran, as one JSON document",
    },
    ...repositoryOptions,
    ...sandboxOptions,
  },
};

export async function main(args: Arguments<keyof typeof command.options>): Promise<ExitCode> {
  const url = args.text("queue");
  if (url === undefined) throw new UserError("--queue URL is missing: where is the queue of the runs?");
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
    using interrupt = listenForInterrupt(() => log(FINISHING));
    leaveSoonAfter(interrupt.signal);
    const { serve } = await import("../../run/queue/serve.ts");
    log(`worker ${process.pid} at ${withoutSecrets(url)}, sandbox ${sandbox.info.layer}: waiting for runs`);
    await serve({
      broker,
      key,
      own,
      sandbox,
      concurrency,
      leaseMs,
      draining: () => interrupt.draining,
      signal: interrupt.signal,
      log,
    });
    const wall_seconds = Math.round(performance.now() - started) / 1000;
    if (args.flag("json")) printDocument({ worker: process.pid, queue: withoutSecrets(url), wall_seconds });
    return EXIT.ok;
  } finally {
    // Also where a run is refused: an open connection would keep this process alive.
    await broker.close();
  }
}

function log(line: string): void {
  console.error(line);
}
