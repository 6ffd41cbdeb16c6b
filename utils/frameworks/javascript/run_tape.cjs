// Runs files of tape's tests, each in a process of its own: `run_tape.cjs RESULTS FILE...` (files, or patterns with * and **).
// RESULTS gets one JSON line a test, {"name": "FILE > TITLE", "status", "message", "file"}, and {"end": true}.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { filesOf } = require("./patterns.cjs");
const { Tap } = require("./tap.cjs");

const [results, ...patterns] = process.argv.slice(2);

const rows = [];
let bad = false;
for (const file of patterns.map((pattern) => path.normalize(pattern)).flatMap(filesOf)) {
  const hooks = process.env.MEND_HOOKS ? ["-r", process.env.MEND_HOOKS] : [];
  const { stdout, stderr, status } = spawnSync(process.execPath, [...hooks, file], { encoding: "utf8", maxBuffer: 1 << 26 });
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  const tap = new Tap();
  for (const line of stdout.split("\n")) tap.read(line);
  const { tests, current } = tap;
  const failed = [...tests.values()].some((test) => test.status === "failed");
  if (status !== 0 && !failed) {
    // It ended early: in the test that was under way, or before any.
    const message = stderr.split("\n").filter((line) => line.trim() !== "").slice(0, 6).join("\n");
    if (current !== null) tests.set(current, { status: "failed", message: message || `it ended with exit code ${status}` });
    else rows.push({ fatal: `${file}: ${message || `exit code ${status}`}` });
  }
  bad ||= status !== 0;
  for (const [title, { status, message }] of tests) rows.push({ name: `${file} > ${title}`, status, message, file });
}
if (rows.length === 0) rows.push({ fatal: "no tests were found" });
fs.writeFileSync(results, [...rows, { end: true }].map((row) => `${JSON.stringify(row)}\n`).join(""));
process.exitCode = bad ? 1 : 0;
