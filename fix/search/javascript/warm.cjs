// Tries edits of functions in live tests: the part that is the same for all frameworks.
//
// In place of a framework's one run many are made in this process: what is installed stays loaded, the project's own
// modules are loaded anew for each candidate. MEND_SEARCH names a file that gets one JSON line an edit that passes, one
// a function, and {"done": true} at the end, with "why" where tests or functions are not of a kind that can be run so;
// {"stopped", "next", ...} where another process has to go on: a candidate did not come back, or modules that are never
// freed fill the memory.
const fs = require("node:fs");
const { compared } = require("./behaviour/behaviour.cjs");
const { counted, isModule, readProgram } = require("./counted.cjs");
const { leftOf, readJob, toldEdit } = require("./job.cjs");
const { usedMb, watch } = require("./watch.cjs");

const OUT = fs.openSync(process.env.MEND_SEARCH, "a");
delete process.env.MEND_SEARCH;
const MORE_MS = 1000; // of processor time for a candidate, beside what the tests themselves take
const LOOK_MS = 10_000; // for the failing tests as they are, watched
// Time by the clock that a test may wait, for timers or promises, beside a multiple of what the tests wait as they are.
const LEAST_WAIT_MS = 500;
const WAIT_TIMES = 3;
const MOST_WAIT_MS = 5000;
const IS_LATE = 0.9; // of that time: nothing else ended the run
const MOST_LATE = 4; // edits that get MOST_WAIT_MS in a second try, where no edit passes
const GOING_MS = 1000; // of processor time between two lines that tell how far a function's search has come
// Of memory when a candidate has ended, beside the first run's and the list of candidates; twice that while one runs.
const MORE_MB = 256;
const MORE_STEPS = 50; // times those of the program as it is
const LEAST_STEPS = 200_000;
const TYPESCRIPT = /\.[cm]?tsx?$/;
const tell = (row) => fs.writeSync(OUT, `${JSON.stringify(row)}\n`);
const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
const cut = () => {
  throw new Error("cut");
};

const leave = process.reallyExit.bind(process);

const pathsOf = (files) => files.map((name) => fs.realpathSync(name));

class Search {
  /** @param runner see `search` */
  constructor(runner) {
    Object.assign(this, { runner, files: pathsOf(runner.files) });
    Object.assign(this, readJob());
    // As `watch` has it.
    this.beat = new Int32Array(new SharedArrayBuffer(28));
    this.limit = Number.POSITIVE_INFINITY;
    this.bar(this.job.from.limit ?? this.limit);
    this.runs = 0;
    this.left = 0;
    this.waitMs = LEAST_WAIT_MS;
    this.lastWaitMs = 0;
    this.elsewhereMs = runner.elsewhereMs ?? (() => 0);
    const meter = {
      __mend_step: () => {
        if (--this.left < 0) cut();
      },
      __mend_size: (value) => (value?.length > 5_000_000 ? cut() : value),
      __mend_watch: (number, value) => this.seen(number, value),
      __mend_call: (...call) => this.calls.enter(...call),
    };
    for (const one of runner.globals) {
      Object.assign(one, meter);
      Object.assign(one.process, { exit: cut, abort: cut, kill: cut });
      for (const name of ["log", "error", "warn", "info", "debug"]) one.console[name] = () => {};
    }
    process.on("unhandledRejection", () => {});
    process.on("uncaughtException", () => {});
  }

  /** Runs tests in new modules: the names that passed, or null where one of the wanted failed. */
  async runTests(files, wanted, steps, limitMs, waitMs = this.waitMs) {
    this.left = steps;
    const idleMs = () => performance.now() - cpuMs() - this.elsewhereMs();
    const before = idleMs();
    const passed = await this.watched(limitMs, () => this.runner.run(files, wanted, waitMs));
    this.lastWaitMs = Math.max(0, idleMs() - before);
    return passed;
  }

  /** Candidates may wait longer than tests that waited and came to their end. */
  learnWait() {
    if (this.lastWaitMs < IS_LATE * MOST_WAIT_MS)
      this.waitMs = Math.min(MOST_WAIT_MS, Math.max(this.waitMs, LEAST_WAIT_MS + WAIT_TIMES * this.lastWaitMs));
  }

  /** What `work` comes to, or null where it fails; it ends this process where it takes more processor time. */
  async watched(limitMs, work) {
    Atomics.store(this.beat, 1, limitMs);
    Atomics.store(this.beat, 0, ++this.runs);
    try {
      return await work();
    } catch (error) {
      this.problem = error;
      return null;
    } finally {
      Atomics.store(this.beat, 0, 0);
    }
  }

  async run() {
    const { job } = this;
    this.failing = new Set(job.failing);
    this.passing = new Set(job.passing);
    for (const { file } of job.functions) {
      const why = this.otherThan(file);
      if (why) return tell({ done: true, why: `${file} ${why}` });
    }
    const failing = new Set(pathsOf(job.files.filter((name) => fs.existsSync(name))));
    const own = this.files.filter((name) => failing.has(name));
    this.failingFiles = own.length > 0 && job.files.length > 0 ? own : this.files;
    this.suiteMs = job.suiteSeconds * 1000 + MORE_MS;
    const runAll = () => this.runTests(this.files, this.passing, Number.POSITIVE_INFINITY, this.suiteMs, MOST_WAIT_MS);
    if (!((await runAll()) && (!this.runner.isFirst || (await runAll())))) {
      return tell({
        done: true,
        why: `the tests cannot be run again in one process: ${this.problem?.message ?? "some that passed fail"}`,
      });
    }
    for (const file of new Set(job.functions.map((one) => one.file)))
      if (TYPESCRIPT.test(file) && !(await this.takes(file)))
        return tell({ done: true, why: `${file} cannot be run without its types` });
    this.learnWait();
    this.ownMb = usedMb();
    this.bound(0);
    watch(this.beat, OUT);
    for (const [number, place] of job.functions.entries())
      if (number >= job.from.function) await this.search(place, number);
    tell({ done: true });
  }

  /** Edits that cost more are not tried. */
  bar(limit) {
    this.limit = Math.min(this.limit, limit);
    Atomics.store(this.beat, 6, Number.isFinite(this.limit) ? Math.ceil(this.limit * 1000) : 0);
  }

  /** @param listMb memory for a function's candidates */
  bound(listMb) {
    this.mostMb = this.ownMb + listMb + MORE_MB;
    Atomics.store(this.beat, 5, this.mostMb + MORE_MB);
  }

  /** Why a file's functions cannot be run so; empty where they can. */
  otherThan(file) {
    const { takesModules, takesTypes } = this.runner;
    if (TYPESCRIPT.test(file) && !takesTypes) return "is TypeScript";
    try {
      const { js } = new this.engine.Typed(fs.readFileSync(file, "utf8"));
      return !takesModules && !TYPESCRIPT.test(file) && isModule(this.engine, js) ? "is an ES module" : "";
    } catch (error) {
      return takesTypes ? String(error.message) : "";
    }
  }

  /** Whether a file of TypeScript can be loaded as another text, and without types. */
  async takes(name) {
    const file = fs.realpathSync(name);
    const { js } = new this.engine.Typed(fs.readFileSync(file, "utf8"));
    this.runner.put(file, `globalThis.__mend_step();${js}`);
    const passed = await this.runTests(this.files, this.passing, 1e9, this.suiteMs);
    this.runner.put(file, null);
    return passed !== null && this.left < 1e9;
  }

  /** What a run of the failing tests shows of the function: what ran, and kinds of values. */
  async look(program) {
    const { source } = program;
    const { isWatchable, wrapped, ancestors, note, nothingSeen } = this.engine;
    const seen = nothingSeen();
    const nodes = source.expressions.filter(isWatchable);
    this.seen = (number, value) => {
      note(seen, nodes[number], value);
      return value;
    };
    this.runner.put(
      this.file,
      counted(
        this.engine,
        program,
        [],
        nodes.flatMap((node, i) => wrapped(node, `_watch(${i},(`, "))")),
      ),
    );
    this.steps = LEAST_STEPS;
    const began = cpuMs();
    await this.runTests(this.failingFiles, this.failing, 1e9, LOOK_MS, MOST_WAIT_MS);
    this.learnWait();
    this.candidateMs = MORE_MS + cpuMs() - began;
    this.steps += MORE_STEPS * (1e9 - this.left);
    for (const node of seen.kinds.keys()) for (const one of [node, ...ancestors(node)]) seen.failing.add(one);
    return seen;
  }

  async search({ file, name, start, end, without, seconds }, number) {
    const { Facts, Candidates, loadParser } = this.engine;
    this.file = fs.realpathSync(file);
    const isNext = number === this.job.from.function;
    const { number: first, tried: earlier, cpu: spent } = isNext ? this.job.from : { number: 0, tried: 0, cpu: 0 };
    const began = cpuMs() - spent * 1000;
    const before = this.elsewhereMs();
    const spentMs = () => cpuMs() - began + this.elsewhereMs() - before;
    Atomics.store(this.beat, 2, first - 1);
    Atomics.store(this.beat, 3, earlier);
    Atomics.store(this.beat, 4, began);
    let program = null;
    try {
      program = readProgram(this.engine, fs.readFileSync(this.file, "utf8"), name, [start, end], without);
    } catch (error) {
      return tell({ function: name, file, why: String(error.message), tried: 0 });
    }
    const { typed, source } = program;
    const seen = await this.look(program);
    await loadParser();
    const usedBefore = usedMb();
    const list = new Candidates(new Facts(source, this.job.instruction, seen, []), this.job.priors, {});
    this.bound(Math.max(0, usedMb() - usedBefore));
    const [known, late, passing] = [new Set(), [], []];
    let [tried, found, at, waitMs] = [earlier, 0, first, this.waitMs];
    const keep = (edit, cost) => {
      found++;
      this.bar(cost + this.job.margin);
      passing.push(typed.written(this.engine.splice(source.text, edit.splices)));
      tell(toldEdit(this.engine, typed, edit, file, cost));
    };
    let told = 0;
    const goesOn = () => spentMs() < seconds * 1000 && found < this.job.keep && tried < this.job.most;
    for (let next = list.at(at); next?.cost <= this.limit && goesOn(); next = list.at(++at)) {
      const edit = next.one;
      const key = JSON.stringify(edit.splices);
      const code = known.has(key) ? null : counted(this.engine, program, edit.splices);
      known.add(key);
      if (code === null) continue;
      this.runner.put(this.file, code);
      tried++;
      Atomics.store(this.beat, 2, at);
      Atomics.store(this.beat, 3, tried);
      if (spentMs() - told > GOING_MS) {
        told = spentMs();
        tell({ going: true, tried, cpu: told / 1000 });
      }
      if (await this.passes(waitMs)) keep(edit, next.cost);
      else if (this.lastWaitMs >= IS_LATE * waitMs) late.push([edit, next.cost]);
      if (usedMb() < this.mostMb) continue;
      tell({
        stopped: "memory",
        limit: Number.isFinite(this.limit) ? this.limit : null,
        next: at + 1,
        tried,
        cpu: spentMs() / 1000,
      });
      return leave(0);
    }
    waitMs = MOST_WAIT_MS;
    for (const [edit, cost] of late.slice(0, MOST_LATE)) {
      if (found > 0) break;
      this.runner.put(this.file, counted(this.engine, program, edit.splices));
      if (await this.passes(waitMs)) keep(edit, cost);
    }
    this.runner.put(this.file, null);
    if (passing.length > 1) {
      // Where that does not come back, another process goes on behind what was tried.
      Atomics.store(this.beat, 2, at - 1);
      const firsts = await compared(this, { name, start, end }, passing);
      tell({ behaviours: firsts.map((one) => (one === null ? null : `${file} ${start} ${first} ${one}`)) });
      this.runner.put(this.file, null);
    }
    const cpu = Math.round(spentMs()) / 1000;
    const unjudged = found > 0 ? 0 : Math.max(0, late.length - MOST_LATE);
    tell({ function: name, file, tried, ...leftOf(list, at, this.limit), cpu, late: unjudged });
  }

  /** The tests that failed first: most candidates end there. */
  async passes(waitMs) {
    if (!(await this.runTests(this.failingFiles, this.failing, this.steps, this.candidateMs, waitMs))) return false;
    const wanted = new Set([...this.failing, ...this.passing]);
    return (await this.runTests(this.files, wanted, Number.POSITIVE_INFINITY, this.suiteMs, waitMs)) !== null;
  }
}

/**
 * Starts the search where the tests are known, and ends this process when it is done.
 * @param runner how a framework runs tests again and again in this process:
 *   `files`: those of the tests
 *   `takesModules`: true where ES modules can be run so, too
 *   `takesTypes`: true where types are taken away from a file of TypeScript as it is loaded, and not looked at
 *   `isFirst`: true where no run came before these: whether tests can be run again shows in the second
 *   `globals`: what edited code finds as `globalThis`, once each
 *   `elsewhereMs()`: processor time of another process that works for this one; default: none
 *   `put(file, text)`: has this text in the place of a file's own from the next run on; null: its own again
 *   `run(files, wanted, waitMs)`: runs tests in new modules, resolves with the names of those that passed, or with null
 *   where one of the wanted did not; a test that waits longer than `waitMs`, by the clock, fails
 */
exports.search = (runner) =>
  Promise.resolve()
    .then(() => new Search(runner).run())
    .then(
      () => leave(0),
      (error) => {
        tell({ done: true, why: String(error?.message ?? error) });
        leave(1);
      },
    );
