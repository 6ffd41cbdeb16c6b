// Running candidates in this thread: cut by counted steps. A step is a call of a function or a turn of a loop.

const HUGE = 500_000; // items or characters that a value may have
const ITEMS_A_STEP = 16;
/** Thrown where a candidate used up its steps. Caught by it, it comes again at the next step. */
class Cut extends Error {}
Error.stackTraceLimit = 0;

const CUT = new Cut("cut");
const meter = { left: 0, draws: 1, runs: false };

function step() {
  if (--meter.left < 0) throw CUT;
}

/** The same random numbers for every run. */
Math.random = () => {
  meter.draws = (Math.imul(meter.draws, 1664525) + 1013904223) >>> 0;
  return meter.draws / 2 ** 32;
};

function cut() {
  meter.left = -1;
  throw CUT;
}

process.exit = process.reallyExit = process.abort = cut;

/** A value that was put together; one that doubles at every step fills the memory long before the steps are used up. */
function size(value) {
  if ((typeof value === "string" || Array.isArray(value)) && value.length > HUGE) cut();
  return value;
}

// Built-ins that make or go through much in a single step.
for (const [owner, name, length] of [
  [String.prototype, "repeat", (text, [count]) => text.length * count],
  [String.prototype, "padStart", (_, [count]) => count],
  [String.prototype, "padEnd", (_, [count]) => count],
  [Array.prototype, "concat", (list, given) => given.reduce((sum, one) => sum + (one?.length ?? 1), list.length)],
  [Array.prototype, "push", (list, given) => list.length + given.length],
  ...["fill", "keys", "entries", "map", "join"].map((name) => [Array.prototype, name, (list) => list.length]),
  [Array, "from", (_, [list]) => list?.length],
]) {
  const original = owner[name];
  owner[name] = function (...given) {
    if (!meter.runs) return original.apply(this, given);
    const count = length(this, given);
    if (count > HUGE) cut();
    // Lists in lists, each twice, take for ever to write out.
    if (name === "join") meter.left -= 1 + count / ITEMS_A_STEP;
    if (meter.left < 0) cut();
    return original.apply(this, given);
  };
}

// Time does not pass while a search runs: what waits for a timer is next.
const timers = new Map();
let lastTimer = 0;
const later = (action, delay = 0, ...given) => {
  timers.set(++lastTimer, { due: lastTimer / 1e9 + Number(delay), action: () => action(...given) });
  return lastTimer;
};
const realImmediate = setImmediate;
const ownTimers = {
  setTimeout: later,
  setInterval: later,
  setImmediate: (action, ...given) => later(action, 0, ...given),
  clearTimeout: (id) => timers.delete(id),
  clearInterval: (id) => timers.delete(id),
  clearImmediate: (id) => timers.delete(id),
};

/** The outcome of a promise, which may wait for timers alone; 'cut' where it waits for something else. */
async function settled(promise) {
  let outcome = null;
  promise.then(
    () => {
      outcome = "ok";
    },
    (error) => {
      outcome = failure(error);
    },
  );
  for (let idle = 0; outcome === null && idle < 3; ) {
    await new Promise((resolve) => realImmediate(resolve));
    const next = [...timers].sort((a, b) => a[1].due - b[1].due)[0];
    idle = next ? 0 : idle + 1;
    if (outcome !== null || !next) continue;
    timers.delete(next[0]);
    try {
      next[1].action();
    } catch (error) {
      outcome = failure(error);
    }
  }
  return outcome ?? "cut";
}

const { defineProperty } = Object;
const GLOBALS = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([, one]) => one.writable);
const globalNames = new Set(Object.getOwnPropertyNames(globalThis));

/** The global names as they were, which a program may have written: the next one and the search need them. */
function restoreGlobals() {
  for (const [name, one] of GLOBALS) if (globalThis[name] !== one.value) defineProperty(globalThis, name, one);
}

/** Takes away the global names that programs have made. */
function forgetGlobals() {
  for (const name of Object.keys(globalThis)) if (!globalNames.has(name)) delete globalThis[name];
}

const failure = (error) => (error === CUT ? "cut" : error instanceof Wrong ? "wrong" : "raised");

/** [outcome, steps used] of an action: 'ok', 'wrong' (an assertion failed), 'raised' or 'cut'. */
async function runMetered(action, steps) {
  meter.left = steps;
  meter.draws = 1;
  meter.runs = true;
  timers.clear();
  let outcome = "ok";
  try {
    const value = action();
    if (typeof value?.then === "function") outcome = await settled(value);
  } catch (error) {
    outcome = failure(error);
  }
  restoreGlobals();
  meter.runs = false;
  return [meter.left < 0 ? "cut" : outcome, steps - Math.max(0, meter.left)];
}
