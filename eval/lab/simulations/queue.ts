/**
 * `npx tsx eval/lab/simulations/queue.ts [SAMPLES] [WORKERS] [AWAY_MINUTES]`: what the coordinator of a run by a queue costs,
 * with simulated workers on a simulated clock. Its loop and its files are real.
 */

import { bigRun } from "../../run/queue/testing/big_run.ts";

const [samples = 100_000, workers = 200, awayMinutes = 0] = process.argv.slice(2).map(Number);
const { user, system } = process.cpuUsage();
const run = await bigRun({ samples, workers, awayMs: awayMinutes * 60_000 });
const used = process.cpuUsage({ user, system });
const cpuSeconds = (used.user + used.system) / 1e6;
const figures = {
  samples,
  workers,
  ...run,
  overIdeal: run.seconds / (run.idealSeconds + awayMinutes * 60) - 1,
  cpuSeconds,
  cpuMinutesPer10000: (cpuSeconds / 60 / samples) * 10_000,
  peakMb: process.resourceUsage().maxRSS / 1024,
};
console.log(JSON.stringify(figures));
