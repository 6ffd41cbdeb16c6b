/** The agent as a process: `solve`, `improve` or `--version`; see `utils/task/process_protocol.ts`. */

import { readJob, tell } from "./process/wire.ts";

/** Each mode loads what it needs and no more: a run of the loop starts hundreds of these processes. */
async function main(mode: string | undefined): Promise<void> {
  if (mode === "--version") {
    // Loads what the modes need, to show that this agent can start at all.
    await Promise.all([import("./process/solve.ts"), import("./process/improve.ts")]);
    return tell({ type: "version", agent: "mend" });
  }
  const job = await readJob();
  if (job.type !== mode) throw new Error(`usage: main.ts solve|improve|--version; the job is "${job.type}"`);
  if (job.type === "solve") await (await import("./process/solve.ts")).solve(job);
  else await (await import("./process/improve.ts")).improve(job);
}

await main(process.argv[2]);
// A pipe takes its time: an exit at once would cut a long result off.
process.stdout.write("", () => process.exit(0));
