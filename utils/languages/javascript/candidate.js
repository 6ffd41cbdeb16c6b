// The confined process: runs a program for its output, or loads one and answers its judge's calls with plain values.
// It shares its process with the program, so nothing that it says is believed.

const vm = require("node:vm");

const CHANNEL = 3;

/** The line of `file` that an error points at, or null. */
function lineOf(error, file) {
  const found = new RegExp(`${file}:(\\d+)`).exec(String(error?.stack ?? ""));
  return found ? Number(found[1]) : null;
}

/** What was thrown, as data. It may be anything, and its properties may throw. */
function describe(thrown, file) {
  try {
    const isError = thrown instanceof Error;
    const type = isError ? String(thrown.name).slice(0, 80) : "thrown";
    const message = String(isError ? thrown.message : thrown).slice(0, 300);
    return { type, message, line: isError ? lineOf(thrown, file) : null };
  } catch {
    return { type: "thrown", message: "something without a text", line: null };
  }
}

/** A stack as Node prints it, without our own part of it. */
function told(error) {
  try {
    const stack = error instanceof Error ? String(error.stack) : `Uncaught ${require("node:util").inspect(error)}`;
    return stack
      .split("\n")
      .filter((line) => !/^\s+at (?:.*\()?(?:node:|\[eval\])/.test(line))
      .join("\n");
  } catch {
    return "Uncaught exception (its text cannot be shown)";
  }
}

/** As `node program.js` would, but that a failed `console.assert` shows its line and makes the exit code 1. */
function runProgram(job) {
  let script;
  try {
    script = new vm.Script(job.program, { filename: "program.js" });
  } catch (error) {
    send(CHANNEL, { syntax_error: describe(error, "program.js") });
    return;
  }
  send(CHANNEL, { compiled: true });
  // The program gets no channel: what it writes anywhere cannot be taken for ours.
  fs.closeSync(CHANNEL);
  const lines = job.program.split("\n");
  console.assert = (holds, ...message) => {
    if (holds) return;
    const line = lineOf(new Error(), "program.js");
    console.error(`Assertion failed (line ${line}): ${(lines[line - 1] ?? "").trim()}`, ...message);
    process.exitCode = 1;
  };
  process.on("uncaughtException", (error) => {
    console.error(told(error));
    process.exit(1);
  });
  process.argv = ["node", "program.js"];
  globalThis.require.main = globalThis.module;
  try {
    script.runInThisContext();
  } catch (error) {
    console.error(told(error));
    process.exitCode = 1;
  }
}

/** The function `name` of the program that was run: declared at its top level, or exported. */
function entryPoint(name) {
  let found;
  try {
    found = vm.runInThisContext(name);
  } catch {
    found = globalThis.module?.exports?.[name];
  }
  return found;
}

function serveCalls(job) {
  let reply;
  let entry;
  try {
    new vm.Script(job.program, { filename: "solution.js" }).runInThisContext();
    entry = entryPoint(job.entryPoint);
    reply = typeof entry === "function" ? { loaded: true } : { missing: true };
  } catch (error) {
    reply = { raised: describe(error, "solution.js") };
  }
  send(CHANNEL, { id: job.id, ...reply });
  for (;;) {
    const call = receive(CHANNEL);
    if (call.end) return send(CHANNEL, { id: call.id, ended: true });
    answer(entry, call);
  }
}

function answer(entry, { id, args }) {
  let reply;
  try {
    const value = entry(...decode(args));
    try {
      reply = { value: encode(value) };
    } catch (problem) {
      reply = { value: { o: problem instanceof NotPlain ? problem.message : "a value that cannot be read" } };
    }
  } catch (error) {
    reply = { raised: describe(error, "solution.js") };
  }
  try {
    send(CHANNEL, { id, ...reply });
  } catch (problem) {
    if (!(problem instanceof TooLarge)) throw problem;
    send(CHANNEL, { id, value: { o: `a value of ${problem.message}` } });
  }
}

try {
  const job = receive(CHANNEL);
  if (job.entryPoint === undefined) runProgram(job);
  else serveCalls(job);
} catch (error) {
  if (!(error instanceof Closed)) throw error;
}
