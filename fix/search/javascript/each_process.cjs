// Tries edits of functions with a process of the tests for each: `each_process.cjs OUT RESULTS WORDS ONLY... ALL...`.
// The first WORDS words behind it start the tests that failed, the others all tests; either writes RESULTS. The job is
// JSON on stdin: `byExitCode` in it says that nothing else tells whether tests passed. OUT gets one JSON line an
// edit that passes, one a function, and {"done": true} at the end.
const fs = require("node:fs");
const { spawn } = require("node:child_process");
const { asWritten, leftOf, readJob, toldEdit } = require("./job.cjs");

const [out, results, words, ...commands] = process.argv.slice(2);
const [ONLY, ALL] = [commands.slice(0, Number(words)), commands.slice(Number(words))];
const MORE_SECONDS = 1; // of processor time for a candidate, beside what the tests themselves take
const QUIET_MS = 8000; // in which no process of a candidate runs or waits for the processor
const SLOWER = 10; // times that by the clock, where processes cannot be looked at (Landlock)
const LOOK_MS = 250;
const TICKS = 100; // a second
const OUT = fs.openSync(out, "a");
const tell = (row) => fs.writeSync(OUT, `${JSON.stringify(row)}\n`);

/**
 * [state, processor time in s with that of ended children] of the processes of a group; null where none can be looked
 * at.
 */
function processesOf(group) {
  try {
    const numbers = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return numbers.map(statOf).filter((stat) => stat?.group === group);
  } catch {
    return null;
  }
}

function statOf(pid) {
  try {
    const rest = fs
      .readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return {
      state: rest[0],
      group: Number(rest[2]),
      cpu: rest.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS,
    };
  } catch {
    return null; // It is gone.
  }
}

let inTests = 0;
/** Processor time so far, in s. */
const used = () => inTests + (process.cpuUsage().user + process.cpuUsage().system) / 1e6;

/** Runs tests to their end. @returns processor time in s, whether it had to be ended and whether it ended with 0 */
function run(argv, seconds) {
  fs.rmSync(results, { force: true });
  // The kernel's limit is one of each process.
  const script = `ulimit -t ${Math.ceil(seconds) + 1}; "$@" 3>&-; code=$?; times >&3; exit "$code"`;
  const child = spawn("/bin/sh", ["-c", script, "sh", ...argv], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  let [hung, quiet, cpu, times] = [false, 0, 0, ""];
  const began = performance.now();
  child.stdio[3].setEncoding("latin1").on("data", (text) => {
    times += text;
  });
  const timer = setInterval(() => {
    const group = processesOf(child.pid);
    const now = group?.reduce((sum, one) => sum + one.cpu, 0) ?? 0;
    quiet = now > cpu || group?.some(({ state }) => state === "R") ? 0 : quiet + LOOK_MS;
    cpu = now;
    const isOver = group
      ? now >= seconds || quiet >= QUIET_MS
      : performance.now() - began >= SLOWER * seconds * 1000 + QUIET_MS;
    if (!isOver) return;
    hung = true;
    process.kill(-child.pid, "SIGKILL");
  }, LOOK_MS);
  return new Promise((resolve) => {
    child.on("close", (code) => {
      clearInterval(timer);
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nothing was left of it.
      }
      const told = [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
        (sum, [, minutes, rest]) => sum + 60 * minutes + Number(rest),
        0,
      );
      const spent = hung ? cpu || seconds : told;
      inTests += spent;
      resolve({ seconds: spent, hung, isZero: code === 0 });
    });
  });
}

/** Names of the tests that passed, as the framework's report has them: a line each, or one document. */
function passed() {
  try {
    const text = fs.readFileSync(results, "utf8");
    if (!text.includes('"testResults"'))
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
        .filter(({ status }) => status === "passed")
        .map(({ name }) => name);
    const { testResults } = JSON.parse(text);
    return testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === "passed")
      .map(({ fullName }) => fullName.trim());
  } catch {
    return [];
  }
}

const allPass = (names) => {
  const all = new Set(passed());
  return names.every((name) => all.has(name));
};

/** Cost of the dearest edits that are tried. */
let limit = Number.POSITIVE_INFINITY;

async function search({ job, engine }, { file, name, start, end, without, seconds }, own) {
  const { Typed, Source, Facts, Candidates, loadParser, NOTHING_SEEN } = engine;
  const at = fs.realpathSync(file);
  const text = fs.readFileSync(at, "utf8");
  let [typed, source] = [null, null];
  try {
    typed = new Typed(text, false);
    const inRun = (range) => range.map((line) => typed.lineOf(line));
    source = new Source(typed.js, name, inRun([start, end]), without.map(inRun));
  } catch (error) {
    return tell({ function: name, file, why: String(error.message), tried: 0 });
  }
  const [began, known] = [used(), new Set()];
  await loadParser();
  const list = new Candidates(new Facts(source, job.instruction, NOTHING_SEEN, []), job.priors, {});
  let [tried, found, number, hung, hungSeconds] = [0, 0, 0, 0, 0];
  const none = new Set(job.failing);
  const texts = new Set();
  const isOneCommand = ONLY.join("\0") === ALL.join("\0");
  const passesAll = async () => {
    const { isZero } = await run(ALL, job.suiteSeconds + MORE_SECONDS);
    return job.byExitCode ? isZero : allPass([...job.failing, ...job.passing]);
  };
  const isLikely = () => list.at(number)?.cost <= limit;
  for (; isLikely() && used() - began < seconds && found < job.keep && tried < job.most; number++) {
    const edit = list.at(number).one;
    const made = engine.splice(typed.js, edit.splices);
    const changed = made === null ? text : typed.written(made);
    if (changed === text || known.has(changed)) continue;
    known.add(changed);
    tried++;
    tell({ going: true, tried, cpu: used() - began });
    fs.writeFileSync(at, changed);
    const ran = await run(ONLY, own + MORE_SECONDS);
    if (ran.hung) [hung, hungSeconds] = [hung + 1, Math.max(hungSeconds, ran.seconds)];
    for (const name of passed()) none.delete(name);
    if (!(job.byExitCode ? ran.isZero : allPass(job.failing))) continue;
    if (!(job.byExitCode && isOneCommand) && !(await passesAll())) continue;
    const passing = await asWritten(engine, typed.js, edit, texts, (other) => {
      fs.writeFileSync(at, typed.written(engine.splice(typed.js, other.splices)));
      return passesAll();
    });
    if (passing === null) continue;
    found++;
    const { cost } = list.at(number);
    limit = Math.min(limit, cost + job.margin);
    tell(toldEdit(engine, typed, passing, file, cost));
  }
  fs.writeFileSync(at, text);
  tell({
    function: name,
    file,
    start,
    tried,
    ...leftOf(list, number, limit),
    cpu: used() - began,
    none: [...none],
    hung,
    hungSeconds,
  });
}

async function main() {
  const read = readJob();
  const { seconds: own } = await run(ONLY, 60);
  for (const place of read.job.functions) await search(read, place, own);
  tell({ done: true });
}

main();
