// Tries edits of functions in live tests: loaded before mocha (`node -r`), which then reads the project's own options and files.
//
// In place of mocha's one run many are made in this process: what is installed stays loaded, the project's own modules are
// loaded anew for each candidate. MEND_SEARCH names a file that gets one JSON line an edit that passes, one a function, and
// {"done": true} at the end; {"stopped", "next", ...} where another process has to go on: a candidate did not come back, or
// modules that are never freed fill the memory.
const fs = require("node:fs");
const path = require("node:path");
const Module = require("node:module");
const vm = require("node:vm");
const { readJob, toldEdit } = require("./job.cjs");
const { watch } = require("./watch.cjs");

const OUT = fs.openSync(process.env.MEND_SEARCH, "a");
delete process.env.MEND_SEARCH;
const MORE_MS = 1000; // of processor time for a candidate, beside what the tests themselves take
const LOOK_MS = 10_000; // for the failing tests as they are, watched
const MORE_BYTES = 256 * 1024 * 1024; // of memory when a candidate has ended, beside what the first run took; twice that while one runs
const MORE_STEPS = 50; // times those of the program as it is
const LEAST_STEPS = 200_000;
const AWAITED_MS = 500; // by the clock, for a test that waits
const tell = (row) => fs.writeSync(OUT, `${JSON.stringify(row)}\n`);
const cpuMs = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;

const load = Module._load;
Module._load = function (...given) {
  const exported = load.apply(this, given);
  const isMocha = typeof exported === "function" && exported.prototype?.addFile && exported.prototype.run;
  if (isMocha && !exported.prototype.run.isSearch) take(exported);
  return exported;
};

function take(Mocha) {
  const { run } = Mocha.prototype;
  let begun = false;
  Mocha.prototype.run = function (...given) {
    if (begun) return run.apply(this, given);
    begun = true;
    new Search(Mocha, this).run().then(
      () => leave(0),
      (error) => {
        tell({ done: true, why: String(error?.message ?? error) });
        leave(1);
      },
    );
    return new (require("node:events"))();
  };
  Mocha.prototype.run.isSearch = true;
}

const leave = process.reallyExit.bind(process);

class Search {
  constructor(Mocha, { files, options }) {
    Object.assign(this, { Mocha, files, options });
    Object.assign(this, readJob());
    this.root = fs.realpathSync(process.cwd()) + path.sep;
    // As `watch` has it.
    this.beat = new Int32Array(new SharedArrayBuffer(20));
    this.left = 0;
    this.file = null; // the file that is edited, and its text now
    this.text = null;
    const own = this.ownModules();
    // What `--require` named is not asked for by the tests.
    this.roots = own.filter((name) => !this.files.includes(name) && !own.includes(require.cache[name].parent?.filename));
    const search = this;
    for (const extension of [".js", ".cjs"]) {
      const original = Module._extensions[extension] ?? Module._extensions[".js"];
      Module._extensions[extension] = (module, name) =>
        search.text !== null && name === search.file ? module._compile(search.text, name) : original(module, name);
    }
    globalThis.__mend_step = () => {
      if (--search.left < 0) throw new Error("cut");
    };
    globalThis.__mend_size = (value) => {
      if (value?.length > 5_000_000) throw new Error("cut");
      return value;
    };
    for (const name of ["log", "error", "warn", "info", "debug"]) console[name] = () => {};
    process.exit = process.abort = process.kill = () => {
      throw new Error("cut");
    };
    process.on("unhandledRejection", () => {});
    process.on("uncaughtException", () => {});
  }

  ownModules() {
    const isOwn = (name) => name.startsWith(this.root) && !name.includes(`${path.sep}node_modules${path.sep}`);
    return Object.keys(require.cache).filter(isOwn);
  }

  /** Runs tests in new modules: the names that passed, or null where one of the wanted failed. */
  runTests(files, wanted, steps, limitMs) {
    for (const name of this.ownModules()) {
      const { parent } = require.cache[name];
      if (parent) parent.children = parent.children.filter(({ filename }) => filename !== name);
      delete require.cache[name];
    }
    Atomics.store(this.beat, 1, limitMs);
    Atomics.add(this.beat, 0, 1);
    this.left = steps;
    return new Promise((resolve) => {
      const passed = new Set();
      let failed = false;
      const reporter = function (runner) {
        runner.on("pass", (test) => passed.add(test.fullTitle()));
        runner.on("fail", (test) => {
          if (test.type === "test" && !wanted.has(test.fullTitle())) return;
          failed = true;
          runner.abort?.();
        });
      };
      try {
        for (const name of this.roots) require(name);
        const timeout = Math.min(Number(this.options.timeout) || AWAITED_MS, AWAITED_MS);
        const mocha = new this.Mocha({ ...this.options, timeout, reporter, grep: undefined, parallel: false, color: false });
        mocha.files = files;
        mocha.reporter(reporter);
        if (wanted.size < 30) mocha.grep(new RegExp(`^(?:${[...wanted].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`));
        mocha.run(() => resolve(failed || [...wanted].some((name) => !passed.has(name)) ? null : passed));
      } catch (error) {
        this.problem = error;
        resolve(null);
      }
    }).finally(() => Atomics.store(this.beat, 0, 0));
  }

  async run() {
    const { job } = this;
    this.failing = new Set(job.failing);
    this.passing = new Set(job.passing);
    const own = this.files.filter((name) => job.files.some((file) => name === path.join(this.root, file)));
    this.failingFiles = own.length > 0 && job.files.length > 0 ? own : this.files;
    this.suiteMs = job.suiteSeconds * 1000 + MORE_MS;
    if (!(await this.runTests(this.files, this.passing, Number.POSITIVE_INFINITY, this.suiteMs))) {
      return tell({ done: true, why: `the tests cannot be run again in one process: ${this.problem?.message ?? "some that passed fail"}` });
    }
    this.mostBytes = process.memoryUsage.rss() + MORE_BYTES;
    watch(this.beat, OUT, this.mostBytes + MORE_BYTES);
    for (const [number, place] of job.functions.entries()) if (number >= job.from.function) await this.search(place, number);
    tell({ done: true });
  }

  /** The program with steps counted and more put in. */
  counted(source, splices, more = []) {
    const { woven, meterPoints, splice, parse, linked } = this.engine;
    let code = woven(source.text, [...this.points, ...more], splices);
    if (code === null) {
      const text = splice(source.text, splices);
      try {
        code = text === null ? null : woven(text, meterPoints(linked(parse(text))), []);
      } catch {
        return null;
      }
    }
    if (code === null) return null;
    const at = /^(?:#!.*\n)?\s*(?:(["'])use strict\1;?)?/.exec(code)[0].length;
    const known = "var _step = globalThis.__mend_step, _size = globalThis.__mend_size, _watch = globalThis.__mend_watch;";
    const whole = `${code.slice(0, at)}${at > 0 && !/[;\n]$/.test(code.slice(0, at)) ? ";" : ""}${known}${code.slice(at)}`;
    try {
      new vm.Script(Module.wrap(whole.replace(/^#!.*/, "")));
      return whole;
    } catch {
      return null;
    }
  }

  /** What a run of the failing tests shows of the function: what ran, and types. */
  async look(source) {
    const { isWatchable, wrapped, ancestors, nameTypes, typeName, NOTHING_SEEN } = this.engine;
    const seen = { ...NOTHING_SEEN, types: new Map(), names: new Map(), failing: new Set() };
    const nodes = source.expressions.filter(isWatchable);
    globalThis.__mend_watch = (number, value) => {
      const node = nodes[number];
      if (!seen.types.has(node)) seen.types.set(node, new Set());
      seen.types.get(node).add(typeName(value));
      return value;
    };
    this.text = this.counted(source, [], nodes.flatMap((node, i) => wrapped(node, `_watch(${i},(`, "))")));
    this.steps = LEAST_STEPS;
    const began = cpuMs();
    await this.runTests(this.failingFiles, this.failing, 1e9, LOOK_MS);
    this.candidateMs = MORE_MS + cpuMs() - began;
    this.steps += MORE_STEPS * (1e9 - this.left);
    for (const node of seen.types.keys()) for (const one of [node, ...ancestors(node)]) seen.failing.add(one);
    // Where no value was seen nothing is known of what runs.
    nameTypes(source, seen);
    return seen;
  }

  async search({ file, name, start, end, seconds }, number) {
    const { Typed, Source, Facts, candidates, meterPoints } = this.engine;
    this.file = fs.realpathSync(file);
    const isNext = number === this.job.from.function;
    const { number: first, tried: before, cpu: spent } = isNext ? this.job.from : { number: 0, tried: 0, cpu: 0 };
    const began = cpuMs() - spent * 1000;
    Atomics.store(this.beat, 2, first - 1);
    Atomics.store(this.beat, 3, before);
    Atomics.store(this.beat, 4, began);
    const text = fs.readFileSync(this.file, "utf8");
    let [typed, source] = [null, null];
    try {
      typed = new Typed(text);
      source = new Source(typed.js, name, [start, end].map((line) => typed.lineOf(line)));
    } catch (error) {
      return tell({ function: name, file, why: String(error.message), tried: 0 });
    }
    if (source.tree.sourceType === "module") return tell({ function: name, file, why: "it is an ES module", tried: 0 });
    this.points = meterPoints(source.nodes);
    const seen = await this.look(source);
    const all = candidates(new Facts(source, this.job.instruction, seen, []), this.job.priors, {}).priced;
    const known = new Set();
    let [tried, found, at] = [before, 0, first];
    for (; at < all.length && cpuMs() - began < seconds * 1000 && found < this.job.keep; at++) {
      const edit = source.written(all[at].one);
      const key = JSON.stringify(edit.splices);
      const code = known.has(key) ? null : this.counted(source, edit.splices);
      known.add(key);
      if (code === null) continue;
      this.text = code;
      tried++;
      Atomics.store(this.beat, 2, at);
      Atomics.store(this.beat, 3, tried);
      if (await this.passes()) {
        found++;
        tell(toldEdit(this.engine, typed, edit, file));
      }
      if (process.memoryUsage.rss() < this.mostBytes) continue;
      tell({ stopped: "memory", next: at + 1, tried, cpu: (cpuMs() - began) / 1000 });
      return leave(0);
    }
    this.text = null;
    const cpu = Math.round(cpuMs() - began) / 1000;
    tell({ function: name, file, start, tried, untried: all.length - at, of: all.length, cpu });
  }

  /** The tests that failed first: most candidates end there. */
  async passes() {
    if (!(await this.runTests(this.failingFiles, this.failing, this.steps, this.candidateMs))) return false;
    const wanted = new Set([...this.failing, ...this.passing]);
    return (await this.runTests(this.files, wanted, Number.POSITIVE_INFINITY, this.suiteMs)) !== null;
  }
}
