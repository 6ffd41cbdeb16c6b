// Judges one job: runs its tests in this process, which is confined, against a candidate at the other end of a socket.
// Every reply is hostile until decoded.

const { randomBytes } = require("node:crypto");
const util = require("node:util");
const vm = require("node:vm");

/** Descriptors: of the supervisor, which gives the job and takes the verdict, and of the candidate. */
const CHANNEL = 3;
const CANDIDATE = 4;
const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
const MAX_LENGTH = 600;
const SHOWN = { depth: 6, maxArrayLength: 30, maxStringLength: 160, breakLength: Infinity, compact: true };

const job = receive(CHANNEL, TRUSTED_LIMIT);
let loaded = false;
let calls = 0;
let lastCall = "";

/** At most `limit` characters of `text`, on one line; the middle goes first. */
function shorten(text, limit) {
  const line = text.split(/\s+/).join(" ").trim();
  const tail = limit >> 2;
  return line.length <= limit ? line : `${line.slice(0, limit - tail - 5)} ... ${line.slice(-tail)}`;
}

function show(value) {
  try {
    return shorten(util.inspect(value, SHOWN), 160);
  } catch {
    return "<a value that cannot be shown>";
  }
}

/** Says the verdict and ends: nothing that the tests do afterwards can change it. */
function finish(outcome, ...explanation) {
  const text = shorten(explanation.filter(Boolean).join("; "), MAX_LENGTH);
  send(CHANNEL, { outcome, explanation: text, loaded, calls, during: lastCall });
  process.removeAllListeners("exit");
  process.reallyExit(0);
}

const forged = (what) => finish("forged", `the program broke the protocol: it sent ${what}`, lastCall);

/** Sends and waits. The reply echoes a number that could not be known before, and has one key out of `kinds`. */
function ask(request, kinds) {
  const id = randomBytes(8).toString("hex");
  let reply;
  try {
    send(CANDIDATE, { id, ...request });
    reply = receive(CANDIDATE);
  } catch (problem) {
    if (problem instanceof Malformed) forged(problem.message);
    // It ended; the supervisor explains why: it knows the exit status.
    if (problem instanceof Closed) finish("crashed");
    throw problem;
  }
  const isReply = typeof reply === "object" && reply !== null && reply.id === id && Object.keys(reply).length === 2;
  const kind = isReply ? Object.keys(reply).find((key) => key !== "id") : undefined;
  if (!kinds.includes(kind)) forged("a message of no known form");
  return [kind, reply[kind]];
}

/** What the candidate threw: the sentence about it, and the error to throw in the tests. */
function raised(content) {
  const { type, message, line } = content ?? {};
  if (typeof type !== "string" || typeof message !== "string" || !(line === null || Number.isInteger(line))) {
    forged("an exception of no known form");
  }
  const name = shorten(type, 80);
  const error = new (Object.hasOwn(ERRORS, name) ? ERRORS[name] : Error)(message);
  error.name = name;
  const text = message ? `${name}: ${shorten(message, 200)}` : name;
  return { error, told: text + (line ? ` (line ${line} of the program)` : "") };
}

function load() {
  let first;
  try {
    first = receive(CANDIDATE);
  } catch {
    finish("crashed");
  }
  if (first.setup) finish("sandbox_error", `the sandbox could not be set up: ${first.setup}`);
  const request = { program: job.program, entryPoint: job.entryPoint };
  const [kind, content] = ask(request, ["loaded", "missing", "raised"]);
  if (kind === "missing") finish("failed", `the program does not define a function \`${job.entryPoint}\``);
  if (kind === "raised") finish("failed", `the program does not load: ${raised(content).told}`);
  loaded = true;
}

/** Stands in the tests for the function under test. */
function proxy(...given) {
  let args;
  try {
    args = encode(given);
  } catch (problem) {
    // Earlier results can be what makes it so: the candidate's doing, not the tests'.
    if (calls > 0)
      throw new TypeError(`\`${job.entryPoint}\` cannot be called with a value that is not plain: ${problem.message}`);
    finish("sandbox_error", `the tests pass ${problem.message} to \`${job.entryPoint}\`, not a plain value`);
  }
  calls += 1;
  const call = `the last call ${job.entryPoint}(${shorten(given.map(show).join(", "), 200)})`;
  lastCall = `${call} did not return`;
  const [kind, content] = ask({ args }, ["value", "raised"]);
  if (kind === "raised") {
    const { error, told } = raised(content);
    lastCall = `${call} raised ${told}`;
    throw error;
  }
  let value;
  try {
    value = decode(content);
  } catch {
    forged("a value of no known form");
  }
  lastCall = `${call} returned ${show(value)}`;
  return value;
}

/** `line 3: console.assert(f(1) === 2)`, where the stack of `error` passes through the tests. */
function place(error) {
  const line = Number(/tests\.js:(\d+)/.exec(String(error?.stack))?.[1] ?? 0);
  return line === 0 ? "" : `line ${line}: ${shorten(job.test.split("\n")[line - 1] ?? "", 220)}`;
}

/** The verdict for tests that throw, with the message if it adds something. */
function failed(error) {
  const where = place(error);
  const text = error instanceof Error ? `${error.name}: ${shorten(error.message.split("\n")[0], 200)}` : show(error);
  const isKnown = error instanceof Error && error.message !== "" && (where + lastCall).includes(error.message);
  finish("failed", where, lastCall, isKnown ? "" : text);
}

function run(source, filename) {
  let script;
  try {
    script = new vm.Script(source, { filename });
  } catch (error) {
    finish("sandbox_error", `the tests do not compile: ${error.message}`);
  }
  script.runInThisContext();
}

// In Node a failed `console.assert` only prints. The reference harness takes that print for a failure.
console.assert = (holds, ...message) => {
  if (holds instanceof Opaque) finish("failed", place(new Error()), lastCall);
  if (!holds) finish("failed", place(new Error()), lastCall, message.map((part) => util.format(part)).join(" "));
};
process.on("uncaughtException", failed);
process.on("exit", () => finish("sandbox_error", "the tests ended their own process"));
process.on("beforeExit", () => {
  ask({ end: true }, ["ended"]);
  if (job.test.trim() !== "" && calls === 0) finish("failed", `the tests never called \`${job.entryPoint}\``);
  finish("passed");
});

load();
globalThis[job.entryPoint] = proxy;
// A user's tests may ask for the file by its name, `require("./NAME")`.
const ownRequire = globalThis.require;
globalThis.require = (name) => {
  // It reports after this process has ended, so a failure of it could be missed.
  if (name === "node:test") throw new Error("node:test cannot be used here: write plain assertions");
  return /^\.{1,2}\//.test(name) ? { [job.entryPoint]: proxy } : ownRequire(name);
};
try {
  run(job.helpers, "helpers.js");
} catch (error) {
  finish("sandbox_error", `the test helpers raised ${error}`);
}
try {
  run(job.test, "tests.js");
} catch (error) {
  failed(error);
}
