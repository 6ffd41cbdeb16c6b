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
  meter.runs = false;
  return [meter.left < 0 ? "cut" : outcome, steps - Math.max(0, meter.left)];
}

// Order of what is put in at the same place.
const [CLOSE, CLOSE_BLOCK, OPEN_BLOCK, OPEN, EDIT] = [0, 1, 2, 3, 4];

/** The points that put an expression into a call: [offset, order, text, offset of the other end]. */
const wrapped = ({ start, end }, before, behind = ")") => [
  [start, OPEN, before, end],
  [end, CLOSE, behind, start],
];

/** Whether an expression can make a long text or list of shorter ones. */
function grows({ type, operator: sign, expressions, elements, up }) {
  if (type === "TemplateLiteral") return expressions.length > 0 && up.type !== "TaggedTemplateExpression";
  if (type === "ArrayExpression") return elements.some((one) => one?.type === "SpreadElement");
  return (type === "BinaryExpression" && sign === "+") || (type === "AssignmentExpression" && sign === "+=");
}

/** What makes a tree count its steps. */
function meterPoints(nodes) {
  const points = [];
  for (const node of nodes) {
    if (grows(node)) points.push(...wrapped(node, "_size("));
    const body = FUNCTIONS.has(node.type) || LOOPS.has(node.type) ? node.body : null;
    if (body?.type === "BlockStatement") {
      const directives = FUNCTIONS.has(node.type) ? body.body.filter(({ directive }) => directive) : [];
      points.push([
        directives.at(-1)?.end ?? body.start + 1,
        OPEN_BLOCK,
        `${directives.length > 0 ? ";" : ""}_step();`,
      ]);
    } else if (body && FUNCTIONS.has(node.type)) {
      points.push(...wrapped(body, "(_step(),(", "))"));
    } else if (body) {
      points.push([body.start, OPEN_BLOCK, "{_step();"], [body.end, CLOSE_BLOCK, "}"]);
    }
  }
  return points;
}

/** Whether a splice reaches into what a point belongs to, or stands where it could mean another thing with the point. */
function disturbs([start, end], [at, order, , other]) {
  if (at < start || at > end) return false;
  if (start < at && at < end) return true;
  if (other === undefined) return start === end && order === CLOSE_BLOCK;
  return start === end || Math.min(at, other) !== start || Math.max(at, other) !== end;
}

/** A text with points and splices put in; null where one of these disturbs one of those. */
function woven(text, points, splices) {
  if (splices.some((one) => points.some((point) => disturbs(one, point)))) return null;
  const parts = [...points.map(([at, order, now]) => [at, at, now, order]), ...splices.map((one) => [...one, EDIT])];
  parts.sort((a, b) => a[0] - b[0] || a[3] - b[3] || a[1] - b[1]);
  let out = "";
  let last = 0;
  for (const [start, end, now] of parts) {
    if (start < last) return null;
    out += text.slice(last, start) + now;
    last = end;
  }
  return out + text.slice(last);
}

/** Modules are run as scripts: `import` becomes `require`, `export` goes. Splices over the text. */
function asScript(text, tree) {
  const found = [];
  for (const node of tree.body) {
    const source = node.source && `require(${node.source.raw})`;
    if (node.type === "ImportDeclaration") found.push([node.start, node.end, required(node.specifiers, source)]);
    else if (/^Export(Named|All)/.test(node.type) && !node.declaration) found.push([node.start, node.end, ""]);
    else if (/^Export/.test(node.type)) {
      const named = node.declaration.id || node.declaration.type === "VariableDeclaration";
      found.push([node.start, node.declaration.start, named ? "" : "const _exported = "]);
    }
  }
  return found;
}

function required(specifiers, source) {
  const parts = specifiers.map(({ type, local, imported }) => {
    if (type === "ImportNamespaceSpecifier") return `const ${local.name} = ${source};`;
    if (type === "ImportDefaultSpecifier") return `const ${local.name} = _importDefault(${source});`;
    return `const { ${imported.name ?? imported.raw}: ${local.name} } = ${source};`;
  });
  return parts.join(" ") || `${source};`;
}

/** What `import NAME from` gives of a module that `require` gave. */
const defaultOf = (module) => (module && typeof module === "object" && "default" in module ? module.default : module);
