// Runs files of tape's tests, each in a process of its own: `run_tape.cjs RESULTS FILE...` (files, or patterns with *
// and **). RESULTS gets one JSON line a test, {"name": "FILE > TITLE", "title", "status", "message", "file", "within"},
// as tape itself reports them; `within` lists what its assertions are called and its comments say. For a file whose
// tests another library runs in tape's place it gets what that prints, {"printed", "file", "failed", "why"}. At the end
// comes {"end": true}.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { filesOf } = require("./patterns.cjs");
const { TestLog } = require("./tape_tests.cjs");

const [results, ...patterns] = process.argv.slice(2);
const WATCH = path.join(__dirname, "tape_tests.cjs");

/** Tape's report on a file; null without one. */
function toldIn(file) {
  if (!fs.existsSync(file)) return null;
  const told = new TestLog();
  for (const line of fs.readFileSync(file, "utf8").split("\n")) if (line.endsWith("}")) told.tell(JSON.parse(line));
  fs.rmSync(file);
  return told;
}

const rows = [];
let bad = false;
for (const file of patterns.map((pattern) => path.normalize(pattern)).flatMap(filesOf)) {
  const hooks = process.env.MEND_HOOKS ? ["-r", process.env.MEND_HOOKS] : [];
  const telling = `${results}.tape`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["-r", WATCH, ...hooks, file], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: { ...process.env, MEND_TAPE: telling },
  });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  bad ||= status !== 0;
  const said = stderr
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 6)
    .join("\n");
  const why = said || `it ended with exit code ${status}`;
  const told = toldIn(telling);
  if (!told) {
    rows.push({ printed: stdout, file, failed: status !== 0, why });
    continue;
  }
  const { tests, current, within } = told;
  const failed = [...tests.values()].some((test) => test.status === "failed");
  if (status !== 0 && (current !== null || !failed)) {
    // It ended early: in the test that was under way, or before any.
    if (current !== null) tests.set(current.name, { status: "failed", message: why, title: current.title });
    else rows.push({ fatal: `${file}: ${why}` });
  }
  for (const [name, test] of tests)
    rows.push({ name: `${file} > ${name}`, ...test, file, within: [...(within.get(name) ?? [])] });
}
fs.writeFileSync(results, [...rows, { end: true }].map((row) => `${JSON.stringify(row)}\n`).join(""));
process.exitCode = bad ? 1 : 0;
