// Loaded with a project's tests (mocha: as one of its files; jest, vitest: as a set-up file; tape, node:test: before them).
// MEND_COVERAGE: a file that gets one JSON line a test, {"test", "lines": {file: [first lines of functions that ran]}}, of
// files under MEND_ROOT.
// MEND_FALSIFY: every test is failed after it has run, so that one which passes all the same shows that it says nothing.
const fs = require("node:fs");
const path = require("node:path");

// The runner of node:test starts a process for each file, which loads this in its turn.
if (process.execArgv.includes("--test")) return;

const { MEND_COVERAGE: coverage, MEND_ROOT: project = ".", MEND_FALSIFY: falsify, MEND_NODE_TEST: isNodeTest } = process.env;
delete process.env.MEND_COVERAGE;
delete process.env.MEND_ROOT;
delete process.env.MEND_FALSIFY;
delete process.env.MEND_NODE_TEST;

const root = fs.realpathSync(project) + path.sep;

/** V8's own counts: which functions ran since they were last asked for. */
function functionCounts() {
  const { Session } = require("node:inspector");
  const session = new Session();
  session.connect();
  const ask = (method, params) => {
    let answer;
    session.post(method, params, (error, result) => {
      if (!error) answer = result;
    });
    return answer;
  };
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return () => ask("Profiler.takePreciseCoverage")?.result ?? [];
}

const starts = new Map();
function lineAt(file, offset) {
  if (!starts.has(file)) {
    const found = [0];
    const text = fs.readFileSync(file, "utf8");
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) found.push(at + 1);
    starts.set(file, found);
  }
  const lines = starts.get(file);
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

function linesOf(counts) {
  const lines = {};
  for (const { url, functions } of counts) {
    const file = url.startsWith("file://") ? require("node:url").fileURLToPath(url) : url;
    if (!file.startsWith(root) || file.includes("/node_modules/")) continue;
    try {
      const ran = functions.filter(({ functionName, ranges }) => ranges[0].count > 0 && (functionName || ranges[0].startOffset > 0));
      if (ran.length > 0) lines[file.slice(root.length)] = [...new Set(ran.map(({ ranges }) => lineAt(file, ranges[0].startOffset)))];
    } catch {
      // A script without a file.
    }
  }
  return lines;
}

let take = null;
const begin = () => {
  take ??= functionCounts();
  take();
};
const end = (test) => {
  if (take) fs.appendFileSync(coverage, `${JSON.stringify({ test, lines: linesOf(take()) })}\n`);
};
const failure = () => new Error("the test was made to fail");

/** Whether what Node's assertions are for still fails: where it does not, a falsified test is left to pass. */
function assertionsHold() {
  const assert = require("node:assert");
  const wrong = [assert, assert.strict].flatMap((one) => [
    () => one(false),
    () => one.ok(false),
    () => one.equal(1, 2),
    () => one.notEqual(1, 1),
    () => one.strictEqual(1, 2),
    () => one.notStrictEqual(1, 1),
    () => one.deepEqual([1], [2]),
    () => one.deepStrictEqual([1], [2]),
    () => one.throws(() => {}),
    () => one.match("a", /b/),
  ]);
  return wrong.every((check) => {
    try {
      check();
      return false;
    } catch {
      return true;
    }
  });
}

/** A test of mocha that fails at its end, whatever it does. */
function failAfter(test) {
  const { fn } = test;
  if (typeof fn !== "function" || !assertionsHold()) return;
  test.fn = test.async
    ? function (done) {
        return fn.call(this, () => done(failure()));
      }
    : function () {
        const result = fn.call(this);
        if (typeof result?.then === "function") return result.then(() => Promise.reject(failure()));
        throw failure();
      };
}

const before = globalThis.beforeEach ?? globalThis.setup;
const after = globalThis.afterEach ?? globalThis.teardown;
const isJest = typeof globalThis.expect?.getState === "function";
if (coverage && typeof before === "function") {
  before(begin);
  after(function () {
    const { currentTest } = this ?? {};
    if (currentTest) end(currentTest.fullTitle());
    else if (isJest) end(globalThis.expect.getState().currentTestName.replaceAll(" > ", " "));
  });
}
if (falsify && typeof before === "function") {
  if (isJest) after(() => (assertionsHold() ? Promise.reject(failure()) : undefined));
  else
    before(function () {
      failAfter(this.currentTest);
    });
}

// node:test: a hook outside of all tests is one of each; a test may have others in it, which run between its begin and its end.
if (isNodeTest) {
  const { beforeEach, afterEach } = require("node:test");
  const open = [];
  let ran = false;
  const share = () => {
    const lines = linesOf(take());
    for (const outer of open) for (const file of Object.keys(lines)) outer[file] = [...new Set([...(outer[file] ?? []), ...lines[file]])];
  };
  beforeEach(() => {
    ran = true;
    if (!coverage) return;
    if (open.length > 0) share();
    begin();
    open.push({});
  });
  afterEach((test) => {
    if (coverage) {
      share();
      fs.appendFileSync(coverage, `${JSON.stringify({ test: test.fullName, lines: open.pop() })}\n`);
    }
    if (falsify && assertionsHold()) throw failure();
  });
  // A file without tests is one itself.
  if (falsify)
    process.on("exit", () => {
      if (!ran && assertionsHold()) process.exitCode ||= 1;
    });
}

// tape: its Test objects announce their end.
if (!isNodeTest && typeof before !== "function" && (coverage || falsify)) {
  const Module = require("node:module");
  const load = Module._load;
  Module._load = function (request, parent) {
    const loaded = load.apply(this, arguments);
    const isTest = /(^|\/)test(\.js)?$/.test(request) && /node_modules[\\/]tape[\\/]/.test(parent?.filename ?? "");
    if (isTest && typeof loaded?.prototype?.run === "function" && !loaded.prototype.watched) {
      const { run } = loaded.prototype;
      loaded.prototype.watched = true;
      loaded.prototype.run = function () {
        if (coverage) {
          begin();
          this.on("end", () => end(`${path.relative(fs.realpathSync(process.cwd()), process.argv[1])} > ${this.name}`));
        }
        return run.apply(this, arguments);
      };
      // Every assertion fails, and so each test that makes one.
      const assert = loaded.prototype._assert;
      if (falsify)
        loaded.prototype._assert = function (_, ...more) {
          return assert.call(this, false, ...more);
        };
    }
    return loaded;
  };
}
