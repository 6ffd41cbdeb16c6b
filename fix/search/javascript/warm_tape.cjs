// The search in tests of tape: `warm_tape.cjs RUNNER RESULTS FILE...`, in the place of the runner that starts a process
// a file. A run of a file is what a process of it would be: a default harness of its own, which ends when nothing is
// left to wait for.
const fs = require("node:fs");
const path = require("node:path");
const { search } = require("./warm.cjs");
const { OwnModules } = require("./own_modules.cjs");

const [runner, , ...patterns] = process.argv.slice(2);
const { filesOf } = require(path.join(path.dirname(runner), "patterns.cjs"));
const { begin, TestLog, watch } = require(path.join(path.dirname(runner), "tape_tests.cjs"));

const TURNS = 10; // in which a test that waits says nothing
const TAPE = require.resolve("tape", { paths: [process.cwd()] });
const root = fs.realpathSync(process.cwd());
const modules = new OwnModules();
let heard = () => {};
watch((row) => heard(row));
/** What a run waits for, with what takes it back. tape goes from test to test by `setImmediate`. */
const awaited = new Map();
for (const name of ["Timeout", "Interval", "Immediate"]) {
  const original = globalThis[`set${name}`];
  const kept = (...given) => {
    const one = original(...given);
    awaited.set(one, globalThis[`clear${name}`]);
    return one;
  };
  globalThis[`set${name}`] = Object.defineProperties(kept, Object.getOwnPropertyDescriptors(original));
}

/** What `exit` listeners of a harness do: tests that did not end fail, and there is an exit code. */
function exitOf(listeners) {
  const { exit } = process;
  process.exit = () => {};
  try {
    for (const listener of listeners) listener.call(process, 0);
  } finally {
    process.exit = exit;
  }
}

/** Runs one file and adds the names of the tests that passed. @returns false where one of the wanted tests did not */
async function runFile(file, wanted, passed, waitMs) {
  modules.forget([...modules.names(), TAPE]);
  const name = path.relative(root, file);
  const told = new TestLog();
  begin();
  const before = process.listeners("exit");
  let ended;
  const end = new Promise((resolve) => {
    ended = resolve;
  });
  const fail = () => ended(false);
  const finish = () => ended(true);
  // Turns of the event loop, since a busy machine lets time pass in which nothing could run.
  let turns = 0;
  const look = () => {
    turns += 1;
    if (turns >= TURNS) fail();
  };
  setInterval(look, waitMs / TURNS).unref();
  process.on("uncaughtException", fail).on("unhandledRejection", fail).once("beforeExit", finish);
  heard = (row) => {
    turns = 0;
    told.tell(row);
    if (row.event === "failed" && wanted.has(`${name} > ${row.name}`)) fail();
  };
  // Its output is not used, but has to be read for the tests to go on.
  require(TAPE).createStream().resume();
  try {
    // A program that is empty comes to its end, too.
    setImmediate(() => {});
    require(file);
    if (!(await end)) return false;
  } finally {
    process.off("uncaughtException", fail).off("unhandledRejection", fail).off("beforeExit", finish);
    for (const [one, clear] of awaited) clear(one);
    awaited.clear();
    exitOf(process.listeners("exit").filter((listener) => !before.includes(listener)));
    process.removeAllListeners("exit");
    for (const listener of before) process.on("exit", listener);
  }
  for (const [title, { status }] of told.tests) if (status === "passed") passed.add(`${name} > ${title}`);
  return [...told.tests].every(([title, { status }]) => status === "passed" || !wanted.has(`${name} > ${title}`));
}

async function run(files, wanted, waitMs) {
  const passed = new Set();
  for (const file of files) if (!(await runFile(file, wanted, passed, waitMs))) return null;
  return [...wanted].every((name) => passed.has(name)) ? passed : null;
}

const files = [...new Set(patterns.map((pattern) => path.normalize(pattern)).flatMap(filesOf))];
search({ files, globals: [globalThis], put: (file, text) => modules.put(file, text), run });
