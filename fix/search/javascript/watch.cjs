// The watch over candidates that run in this process.
const { Worker } = require("node:worker_threads");

/** Memory of this process in MB, or the most that it had where /proc cannot be read (Landlock). */
exports.usedMb = function usedMb() {
  try {
    return process.memoryUsage.rss() / 1024 / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
};

/**
 * Ends this process where a candidate does not come back, or fills the memory: no one else could. All times are
 * processor time in ms.
 * @param beat number of the run (0: none), its limit, the candidate, candidates tried, the process when its function
 * began, most memory of this process in MB, cost of the dearest edits that are tried in thousandths (0: any)
 * @param out descriptor that gets the line which says where to go on
 */
exports.watch = function watch(beat, out) {
  const text = `
    const { workerData: { shared, out } } = require("node:worker_threads");
    const usedMb = ${exports.usedMb};
    const fs = require("node:fs");
    const beat = new Int32Array(shared);
    const cpu = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
    let [run, busy, before] = [0, 0, cpu()];
    setInterval(() => {
      const [now, more] = [Atomics.load(beat, 0), cpu() - before];
      before += more;
      busy = now === run && now !== 0 ? busy + more : 0;
      run = now;
      const isFull = usedMb() > Atomics.load(beat, 5) && now !== 0;
      if (busy < Atomics.load(beat, 1) && !isFull) return;
      const [next, tried] = [Atomics.load(beat, 2) + 1, Atomics.load(beat, 3)];
      const spent = (cpu() - Atomics.load(beat, 4)) / 1000;
      const [stopped, limit] = [isFull ? "memory" : "hung", Atomics.load(beat, 6) / 1000 || null];
      fs.writeSync(out, JSON.stringify({ stopped, next, tried, cpu: spent, hungSeconds: busy / 1000, limit }) + "\\n");
      process.kill(process.pid, "SIGKILL");
    }, 50);`;
  new Worker(text, { eval: true, execArgv: [], workerData: { shared: beat.buffer, out } }).unref();
};
