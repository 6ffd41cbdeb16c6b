/**
 * `npx tsx eval/lab/simulations/queue.ts [SAMPLES] [WORKERS] [AWAY_MINUTES]`: what the coordinator of a run by a queue
 * costs, with simulated workers on a simulated clock. Its loop and its files are real. Memory is that of the whole
 * process: `startMb` and `peakMb` are resident, `heldMb` is what the heap holds at the end, garbage collected.
 */

import "../../../utils/program/own_tsconfig.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bigRun } from "../../run/queue/testing/big_run.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");
const mb = (bytes: number) => Math.round(bytes / 1e6);

const [samples = 100_000, workers = 200, awayMinutes = 0] = process.argv.slice(2).map(Number);
const startMb = mb(process.memoryUsage.rss());
const { user, system } = process.cpuUsage();
let [cpuSeconds, peakMb, heldMb] = [0, 0, 0];
const atEnd = () => {
  const used = process.cpuUsage({ user, system });
  cpuSeconds = (used.user + used.system) / 1e6;
  peakMb = mb(process.resourceUsage().maxRSS * 1024);
  collectGarbage();
  heldMb = mb(process.memoryUsage().heapUsed);
};
const run = await bigRun({ samples, workers, awayMs: awayMinutes * 60_000, atEnd });
const figures = {
  samples,
  workers,
  ...run,
  overIdeal: run.simulatedSeconds / (run.idealSimulatedSeconds + awayMinutes * 60) - 1,
  cpuSeconds,
  cpuMinutesPer10000: (cpuSeconds / 60 / samples) * 10_000,
  startMb,
  heldMb,
  peakMb,
};
console.log(JSON.stringify(figures));
