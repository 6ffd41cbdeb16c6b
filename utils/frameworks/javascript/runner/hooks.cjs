// Loaded with a project's tests (mocha: as one of its files; jest and its like: as a set-up file; tape, node:test:
// before them). MEND_COVERAGE: a file that gets one JSON line a test, {"test", "lines": {file: [first lines of
// functions that ran]}}, of files under MEND_ROOT.
const fs = require("node:fs");
const { findSourceMap } = require("node:module");
const path = require("node:path");

// The runner of node:test starts a process for each file, which loads this in its turn.
const isRunner = process.execArgv.includes("--test");
const { MEND_COVERAGE: coverage, MEND_ROOT: project = ".", MEND_NODE_TEST: isNodeTest } = isRunner ? {} : process.env;
if (!isRunner) for (const name of ["MEND_COVERAGE", "MEND_ROOT", "MEND_NODE_TEST"]) delete process.env[name];

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
function startsOf(file) {
  if (!starts.has(file)) {
    const found = [0];
    const text = fs.readFileSync(file, "utf8");
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) found.push(at + 1);
    starts.set(file, found);
  }
  return starts.get(file);
}

/**
 * By the file's source map where what ran is not what is written, such as TypeScript without its types; null for what
 * nobody wrote.
 */
function lineAt(file, offset) {
  const map = findSourceMap(file);
  if (!map?.lineLengths) return lineIn(startsOf(file), offset);
  const made = [0];
  for (const length of map.lineLengths) made.push(made.at(-1) + length + 1);
  const line = lineIn(made, offset);
  const { originalLine } = map.findEntry(line - 1, offset - made[line - 1]);
  return originalLine === undefined ? null : originalLine + 1;
}

/** @param lines where each begins */
function lineIn(lines, offset) {
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
      const ran = functions.filter(
        ({ functionName, ranges }) => ranges[0].count > 0 && (functionName || ranges[0].startOffset > 0),
      );
      const found = new Set(ran.flatMap(({ ranges }) => lineAt(file, ranges[0].startOffset) ?? []));
      if (found.size > 0) lines[file.slice(root.length)] = [...found];
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
// node:test: a hook outside of all tests is one of each; a test may have others in it, which run between its begin and
// its end.
if (isNodeTest && coverage) {
  const { beforeEach, afterEach } = require("node:test");
  const open = [];
  const share = () => {
    const lines = linesOf(take());
    for (const outer of open)
      for (const file of Object.keys(lines)) outer[file] = [...new Set([...(outer[file] ?? []), ...lines[file]])];
  };
  beforeEach(() => {
    if (open.length > 0) share();
    begin();
    open.push({});
  });
  afterEach((test) => {
    share();
    fs.appendFileSync(coverage, `${JSON.stringify({ test: test.fullName, lines: open.pop() })}\n`);
  });
}

// tape: its Test objects announce their begin and end.
if (!isNodeTest && typeof before !== "function" && coverage) {
  const file = path.relative(fs.realpathSync(process.cwd()), process.argv[1] ?? "");
  require("./tape_tests.cjs").watch(({ name, event }) => {
    if (event === "began") begin();
    if (event === "ended") end(`${file} > ${name}`);
  });
}
