// Starts the search in a thread and watches it: a run that does not end, or takes all memory, takes the thread with it,
// and a new one searches again without that run.

const MEMORY_MB = 256;
const STACK_MB = 32; // a parser goes as deep as the deepest expression: a sum of thousands of terms is so deep
const TICK_MS = 100;
const BUSY_MS = 700; // of processor time in one run
const IDLE_TICKS = 30; // without processor time in one run
const IDLE_US = 500; // using less in one tick is being blocked
const MOST_AVOIDED = 8; // runs, then the search is cut off

/** @param engine function that gives `searchInThread` */
function watchSearch(engine, task, priors) {
  const { Worker } = require("node:worker_threads");
  const shared = new SharedArrayBuffer(8);
  const beat = new Int32Array(shared);
  const avoided = [];
  const tell = (result) => process.stdout.write(`SEARCH_RESULT ${JSON.stringify(result)}\n`);
  const used = () => process.cpuUsage().user + process.cpuUsage().system;

  function start() {
    Atomics.store(beat, 0, 0);
    let result = null;
    let [run, busy, idle, before] = [0, 0, 0, used()];
    const options = {
      eval: true,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: STACK_MB },
    };
    const text = `(${engine})()(require("node:worker_threads"))`;
    const thread = new Worker(text, { ...options, workerData: { task, priors, shared, avoided } });
    let broken = null;
    thread.on("message", (message) => {
      result = message;
    });
    thread.on("error", (error) => {
      broken = error;
    });
    const timer = setInterval(() => {
      const [now, spent] = [Atomics.load(beat, 0), used() - before];
      before += spent;
      if (before > task.cpuSeconds * 1e6) Atomics.store(beat, 1, 1);
      [busy, idle] = now !== 0 && now === run ? [busy + spent, spent < IDLE_US ? idle + 1 : 0] : [0, 0];
      run = now;
      if (busy > BUSY_MS * 1000 || idle >= IDLE_TICKS) thread.terminate();
    }, TICK_MS);
    thread.on("exit", () => {
      clearInterval(timer);
      const lost = Atomics.load(beat, 0);
      if (result) tell(result);
      else if (lost === 0 || avoided.includes(lost)) console.error(broken ?? "the search ended without a result");
      else {
        avoided.push(lost);
        if (avoided.length >= MOST_AVOIDED) Atomics.store(beat, 1, 1);
        start();
      }
    });
  }
  start();
}
