// Loaded with a project's tests (mocha: by `--file`; jest and its like: as a set-up file; tape, node:test:
// before them). MEND_COVERAGE: a file that gets one JSON line a test, {"test", "lines": {file: [first lines of
// functions that ran]}}, of files under MEND_ROOT.
const fs = require("node:fs");
const { SourceMap } = require("node:module");
const path = require("node:path");

// The runner of node:test starts a process for each file, which loads this in its turn.
const isRunner = process.execArgv.includes("--test");
const { MEND_COVERAGE: coverage, MEND_ROOT: project = ".", MEND_NODE_TEST: isNodeTest } = isRunner ? {} : process.env;
if (!isRunner) for (const name of ["MEND_COVERAGE", "MEND_ROOT", "MEND_NODE_TEST"]) delete process.env[name];

const root = fs.realpathSync(project) + path.sep;

let session = null;
function ask(method, params) {
  let answer;
  session.post(method, params, (error, result) => {
    if (!error) answer = result;
  });
  return answer;
}

/** V8's own counts: which functions ran since they were last asked for. */
function functionCounts() {
  const { Session } = require("node:inspector");
  session = new Session();
  session.connect();
  for (const domain of ["Profiler", "Debugger"]) ask(`${domain}.enable`);
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return () => ask("Profiler.takePreciseCoverage")?.result ?? [];
}

const lineAt = (text, offset) => text.slice(0, offset).split("\n").length;

const INLINE_MAP = /\/\/# sourceMappingURL=data:application\/json[^,\n]*;base64,([\w+/=]+)/g;

/**
 * Returns a function from a part of the code that ran to the line of the file where that part begins. The code may be
 * the file itself, the file inside a wrapper, or compiled from it (TypeScript, say) with a source map. Null for code
 * that is not in the file, such as the wrapper, and if there is no map.
 */
function linesIn(file, ran) {
  const text = fs.readFileSync(file, "utf8");
  const before = ran.indexOf(text);
  if (before >= 0) {
    const isOwn = ({ startOffset, endOffset }) => startOffset >= before && endOffset <= before + text.length;
    return (part) => (isOwn(part) ? lineAt(text, part.startOffset - before) : null);
  }
  const found = [...ran.matchAll(INLINE_MAP)].at(-1);
  if (!found) return () => null;
  const map = new SourceMap(JSON.parse(Buffer.from(found[1], "base64").toString()));
  return ({ startOffset, endOffset }) => {
    const line = lineAt(ran, startOffset) - 1;
    const column = startOffset - ran.lastIndexOf("\n", startOffset - 1) - 1;
    const { generatedLine, originalLine } = map.findEntry(line, column);
    // For a line that the map lacks, `findEntry` returns the last line before it that the map has.
    return endOffset > found.index || generatedLine !== line ? null : originalLine + 1;
  };
}

const [known, found] = [new Map(), new Map()];
function lineOf(file, scriptId, part) {
  if (!known.has(scriptId))
    known.set(scriptId, linesIn(file, ask("Debugger.getScriptSource", { scriptId }).scriptSource));
  const place = [scriptId, part.startOffset, part.endOffset].join();
  if (!found.has(place)) found.set(place, known.get(scriptId)(part));
  return found.get(place);
}

function linesOf(counts) {
  const lines = {};
  for (const { url, scriptId, functions } of counts) {
    const file = url.startsWith("file://") ? require("node:url").fileURLToPath(url) : url;
    if (!file.startsWith(root) || file.includes("/node_modules/")) continue;
    try {
      const ran = functions.filter(
        ({ functionName, ranges }) => ranges[0].count > 0 && (functionName || ranges[0].startOffset > 0),
      );
      const own = file.slice(root.length);
      const found = ran.flatMap(({ ranges }) => lineOf(file, scriptId, ranges[0]) ?? []);
      if (found.length > 0) lines[own] = [...new Set([...(lines[own] ?? []), ...found])];
    } catch {
      // A script without a file, or with a source map that cannot be read.
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
