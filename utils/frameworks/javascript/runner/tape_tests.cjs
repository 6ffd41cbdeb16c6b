// What tests of tape say of themselves, whatever else the program prints (comments, lines of its own). A test in
// another one is `OUTER > INNER`; where a name occurs again in a file, ` (2)` follows, and so on, in the order in which
// they begin. Loaded before a file (`-r`) with MEND_TAPE, the path of a file that gets one JSON line for each thing
// told, as `tell` takes it.
const fs = require("node:fs");
const Module = require("node:module");
const { inspect } = require("node:util");

const listeners = [];
const [names, parents, taken] = [new WeakMap(), new WeakMap(), new Map()];
const ROOM = 300;

/** Of a test that begins now. */
function nameOf(test) {
  if (!names.has(test)) {
    const parent = parents.get(test);
    const name = parent ? `${nameOf(parent)} > ${test.name}` : String(test.name);
    const before = taken.get(name) ?? 0;
    taken.set(name, before + 1);
    names.set(test, before === 0 ? name : `${name} (${before + 1})`);
  }
  return names.get(test);
}

/** Begins to count anew: another file. */
exports.begin = () => taken.clear();

/**
 * @param listener gets rows {name, title, event, message, inner, said}: `event` is "began", "passed", "failed",
 * "skipped", "comment" or "ended", `said` what an assertion is called or a comment says
 */
exports.watch = (listener) => {
  if (listeners.push(listener) > 1) return;
  const load = Module._load;
  Module._load = function (...words) {
    const [request, parent] = words;
    const loaded = load.apply(this, words);
    const isTest = /(^|\/)test(\.js)?$/.test(request) && /node_modules[\\/]tape[\\/]/.test(parent?.filename ?? "");
    if (isTest && typeof loaded?.prototype?.run === "function" && !loaded.prototype.watched)
      watchTests(loaded.prototype);
    return loaded;
  };
};

function watchTests(prototype) {
  const { run, emit } = prototype;
  const withInner = new WeakSet();
  const tell = (test, event, message = "", said = "") => {
    const row = { name: nameOf(test), title: String(test.name), event, message, inner: withInner.has(test), said };
    for (const listener of listeners) listener(row);
  };
  prototype.watched = true;
  prototype.run = function (...words) {
    tell(this, "began");
    if (this._skip) tell(this, "skipped");
    return run.apply(this, words);
  };
  prototype.emit = function (...words) {
    const [type, told] = words;
    if (type === "test" && told && typeof told === "object") {
      parents.set(told, this);
      withInner.add(this);
    }
    if (type === "result" && told && typeof told === "object") {
      const isPass = told.ok || told.todo || told.skip || this._todo;
      tell(this, isPass ? "passed" : "failed", isPass ? "" : said(told), String(told.name ?? ""));
    }
    if (type === "result" && typeof told === "string") tell(this, "comment", "", told);
    if (type === "end") tell(this, "ended");
    return emit.apply(this, words);
  };
}

function said({ name, expected, actual, file, line, operator, error }) {
  const shown = (value) => inspect(value, { depth: 3, breakLength: Number.POSITIVE_INFINITY }).slice(0, ROOM);
  const compares = operator !== "fail" && operator !== "error";
  const lines = [
    String(name),
    ...(compares
      ? [`expected: ${shown(expected)}`, `actual: ${shown(actual)}`]
      : error
        ? [String(error).slice(0, ROOM)]
        : []),
    ...(file ? [`at: ${file}${line && !/:\d+$/.test(file) ? `:${line}` : ""}`] : []),
  ];
  return lines.join("\n");
}

/** Collects the tests of a file from tape's rows. */
exports.TestLog = class TestLog {
  constructor() {
    this.tests = new Map(); // {"status", "message", "title"} by name
    this.within = new Map(); // texts of its assertions and comments, by name
    this.open = []; // {"name", "title"} of running tests, the innermost last
  }

  get current() {
    return this.open.at(-1) ?? null;
  }

  tell({ name, title, event, message, inner, said = "" }) {
    const known = this.tests.get(name);
    if (said !== "") this.within.set(name, (this.within.get(name) ?? new Set()).add(said));
    if (event === "comment") return;
    if (event === "began") this.open.push({ name, title });
    else if (event === "ended") {
      this.open = this.open.filter((one) => one.name !== name);
      // What only holds others says nothing itself.
      if (!known && !inner) this.tests.set(name, { status: "passed", message: "", title });
    } else if (!known || (event === "failed" && known.status !== "failed"))
      this.tests.set(name, { status: event, message, title });
  }
};

const { MEND_TAPE: file } = process.env;
delete process.env.MEND_TAPE;
if (file) exports.watch((row) => fs.appendFileSync(file, `${JSON.stringify(row)}\n`));
