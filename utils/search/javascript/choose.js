// Choosing among candidates that pass: cost of the edit, words of the instruction, behaviour on other inputs.

const TOKEN = /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"[^"\n]*"|'[^'\n]*'|[*/<>=!+-]=+|\*\*|\S/g;
const INPUTS = 40; // mutated inputs on which a candidate is compared with the buggy program
const MOST_RANKED = 200;
/** What nobody would write: a value compared with itself or with a new one, a thing done twice or undone, `x - 0`. */
const ABSURD = new RegExp(
  [
    /\b([\w.]+) === \1(?![\w.([])/,
    /\b(String|Number|Boolean|Math\.abs)\(\2\(/,
    /\.(trim|toLowerCase|toUpperCase|sort)\(\)\.\3\(\)/,
    /=== (?:\[|\{|NaN)/,
    /\.sort\(\)\.reverse\(\)\.sort|\.slice\(\)\.slice\(/,
    /[+-]= 0\b|\*= 1\b|!!!/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Tokens that went and tokens that came. */
function changedTokens(old, now) {
  const count = (text) => {
    const found = new Map();
    for (const token of text.replace(/\/\/.*/g, "").match(TOKEN) ?? []) found.set(token, (found.get(token) ?? 0) + 1);
    return found;
  };
  const [before, after] = [count(old), count(now)];
  const minus = (a, b) => [...a].flatMap(([token, n]) => Array(Math.max(0, n - (b.get(token) ?? 0))).fill(token));
  return [minus(before, after), minus(after, before)];
}

const LIBRARY = new Set(
  [String.prototype, Array.prototype, Map.prototype, Set.prototype, Math, Number, Object].flatMap((one) =>
    Object.getOwnPropertyNames(one),
  ),
);

/** Whether the instruction speaks of a token: by its own name, by a like word, or as a value. */
function isAsked(token, prose) {
  if (/^["']/.test(token)) return token.length > 2 && prose.includes(token.slice(1, -1).toLowerCase());
  if (/^\d/.test(token)) return new RegExp(`(?<![\\w.])${token.replace(".", "\\.")}(?!\\w\\w|\\.\\d)`).test(prose);
  const asked = TABLES.asked_by[token];
  return (
    LIBRARY.has(token) &&
    (prose.includes(token.toLowerCase().slice(0, 4)) || (asked !== undefined && new RegExp(asked).test(prose)))
  );
}

/** Numbers that are the same for every run with a seed. */
function drawing(seed) {
  let state = seed * 2654435761 + 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, choice: (items) => items[Math.floor(next() * items.length)] };
}

/** A value of the same type near another one. */
function mutated(value, draw) {
  if (typeof value === "number") return draw.choice([value + 1, value - 1, value + 2, -value, value * 2, 0]);
  if (typeof value === "boolean") return draw.next() < 0.5;
  if (typeName(value) === "dict")
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) => (draw.next() < 0.8 ? [[key, mutated(one, draw)]] : [])),
    );
  if (!(typeof value === "string" || Array.isArray(value)) || value.length === 0) return value;
  const items = [...value];
  const at = Math.floor(draw.next() * items.length);
  const near = typeof value === "string" ? swapCase(draw.choice(items)) : mutated(items[at], draw);
  const without = [...items.slice(0, at), ...items.slice(at + 1)];
  const changed = [...items.slice(0, at), near, ...items.slice(at + 1)];
  const shuffled = [...items].sort(() => draw.next() - 0.5);
  const others = [
    without,
    [...items.slice(0, at), items[0], ...items.slice(at)],
    [...items].reverse(),
    items.slice(0, at),
    shuffled,
  ];
  const made = draw.choice([...others, changed, changed, changed, changed]);
  return typeof value === "string" ? made.join("") : made;
}

const swapCase = (text) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

const MOST_SHOWN = 2000; // values in one that is shown

/** A value as a person writes it; it tells values apart that tests tell apart. */
function show(value, depth = 0, budget = { left: MOST_SHOWN }) {
  if (typeof value === "string") return JSON.stringify(value);
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  budget.left--;
  if (depth > 4 || budget.left < 0) return "…";
  const inner = (items) => items.map((one) => show(one, depth + 1, budget)).join(", ");
  if (Array.isArray(value)) return `[${inner(value.slice(0, 200))}${value.length > 200 ? ", …" : ""}]`;
  const kind = typeName(value);
  if (kind === "map" || kind === "set") return `new ${kind === "map" ? "Map" : "Set"}([${inner([...value])}])`;
  if (value instanceof Date) return `new Date(${Number(value)})`;
  const entries = Object.entries(value).map(
    ([key, one]) => `${/^[\w$]+$/.test(key) ? key : JSON.stringify(key)}: ${show(one, depth + 1, budget)}`,
  );
  const name = kind === "dict" && value.constructor === Object ? "" : `${value.constructor?.name ?? kind} `;
  return `${name}{${entries.length > 0 ? ` ${entries.join(", ")} ` : ""}}`;
}

/** Arguments near those of the visible tests, and some with the numbers that the program compares with. */
function mutatedInputs(inputs, seed, numbers = []) {
  const draw = drawing(seed);
  const usable = inputs.filter((given) => given.length > 0 && show(given).length < 2000);
  const found = new Map();
  for (let i = 0; usable.length > 0 && i < INPUTS * 4; i++) {
    const given = usable[i % usable.length];
    const at = Math.floor(draw.next() * given.length);
    const made = given.map((one, j) => (j === at ? mutated(one, draw) : one));
    found.set(show(made), made);
  }
  const bounds = usable
    .slice(0, 1)
    .flatMap((given) =>
      given.flatMap((one, at) =>
        typeof one === "number"
          ? numbers.slice(0, 4).flatMap((n) => [n, n - 1, n + 1].map((bound) => given.with(at, bound)))
          : [],
      ),
    );
  return [...[...found.values()].slice(0, INPUTS), ...bounds.slice(0, INPUTS)];
}

/** What a program gives or throws for each input, as text. */
async function behaviour(trial, compiled, inputs) {
  const seen = [];
  for (const given of inputs) {
    let text = "";
    const [outcome] = await trial.call(() => {
      const own = trial.entryOf(compiled);
      const value = own(...structuredClone(given));
      text = show(value).slice(0, 400);
      return typeof value?.then === "function"
        ? value.then((got) => {
            text = show(got).slice(0, 400);
          })
        : undefined;
    });
    seen.push(outcome === "ok" ? text : outcome);
  }
  return seen;
}

/** How much of a program nobody would write. */
const absurdities = (program) => (program.match(ABSURD) ?? []).length;

/**
 * Candidates with their features and scores, best first, those that cost more than the limit behind all others; of
 * those that behave like the best the smallest leads.
 */
async function rank(passing, { buggy, source, facts, trial, inputs, weights, limit, mustEnd }) {
  const prose = facts.prose.toLowerCase();
  const found = [];
  const unchanged = await behaviour(trial, buggy, inputs);
  for (const candidate of passing.slice(0, MOST_RANKED)) {
    if (found.length > 0 && mustEnd()) break;
    const [gone, come] = changedTokens(source.text, candidate.program);
    const seen = candidate.seen ?? (await behaviour(trial, candidate.compiled, inputs));
    const features = {
      asked_come: -Math.min(2, come.filter((token) => isAsked(token, prose)).length),
      shorter: Math.min(12, gone.length),
      unchanged: Number(String(seen) === String(unchanged)),
      opaque: Number(seen.some((text) => OPAQUE.test(text))),
    };
    const score = Object.entries(features).reduce(
      (sum, [name, value]) => sum + (weights[name] ?? 0) * value,
      candidate.cost,
    );
    found.push({ ...candidate, features, score, size: gone.length + come.length, seen });
  }
  const isFar = ({ cost }) => cost > limit;
  found.sort((a, b) => isFar(a) - isFar(b) || a.score - b.score);
  const alike = found.filter((one) => String(one.seen) === String(found[0].seen) && (!isFar(one) || one === found[0]));
  const first = alike.reduce((best, one) => (one.size < best.size ? one : best));
  return [first, ...found.filter((one) => one !== first)];
}

/** Where a value says nothing of what it does, programs that give such a value cannot be compared. */
const OPAQUE = /\ba function\b|[\w\]] \{\}/;

/** How often each function is called, by its text; those whose arguments are unpacked; names of parameters. */
function callsIn(program) {
  const [counts, unpacked, parameters] = [new Map(), new Set(), new Set()];
  for (const node of below(parse(program))) {
    if (node.type === "CallExpression") {
      const name = program.slice(node.callee.start, node.callee.end);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (node.arguments.some(({ type }) => type === "SpreadElement")) unpacked.add(name);
    }
    if (FUNCTIONS.has(node.type)) for (const name of node.params.flatMap(boundIn)) parameters.add(name);
  }
  return { counts, unpacked, parameters };
}

/**
 * A function that is called in one more place than before, and of which nobody knows what it does a second time: one
 * that is handed over, or called with the arguments of another.
 */
function repeats(before, after) {
  const { counts, unpacked, parameters } = callsIn(before);
  for (const [name, count] of callsIn(after).counts) {
    const [plain] = name.split(/\.(?:call|apply)$/);
    const earlier = [name, plain, `${plain}.call`, `${plain}.apply`].reduce(
      (sum, one) => sum + (counts.get(one) ?? 0),
      0,
    );
    if (earlier > 0 && count > (counts.get(name) ?? 0) && (parameters.has(plain) || unpacked.has(plain))) return plain;
  }
  return undefined;
}

const isResult = (text) => text !== "raised" && text !== "cut" && text !== "wrong";

/** Numbers of the inputs that tell two behaviours apart. */
const differences = (one, other) =>
  [...one.keys()].filter((i) => one[i] !== other[i] && isResult(one[i]) && isResult(other[i]));

/**
 * Of those ranked, at most so many that do something else than the best and than each other, with the input that shows
 * it. On an input that lies outside of what the function is for, all may throw what they like.
 */
function distinct(all, inputs, most) {
  const [best, ...rest] = all;
  const known = best ? [best.seen] : [];
  const found = [];
  for (const one of rest) {
    const differing = differences(one.seen, best.seen);
    if (differing.length === 0 || known.some((seen) => String(seen) === String(one.seen)) || found.length >= most)
      continue;
    const i = differing.reduce((a, b) => (show(inputs[b]).length < show(inputs[a]).length ? b : a));
    found.push({
      one,
      at: i,
      input: `(${inputs[i].map((given) => show(given)).join(", ")})`,
      gives: one.seen[i],
      bestGives: best.seen[i],
    });
    known.push(one.seen);
  }
  return found;
}

/** Whether what a call gave is told as a value that a test can name. */
const isTold = (text) => !/^(?:raised|cut|wrong)$|…|\ba function\b/.test(text);

/** An edit for a reader and for whoever applies it, with what its rank is made of. */
function described(
  { edit: { splices, operator: name, old, new: now, extra }, cost, score, features, program },
  typed,
  counts,
) {
  const round = (value) => Math.round(value * 1000) / 1000;
  const all = { ...features, extra, choices: Math.log(Math.max(1, counts.get(name) ?? 1)) };
  return {
    splices: typed.inPoints(splices),
    operator: name,
    line: typed.lineIn(splices),
    old: typed.written(old).slice(0, 80),
    new: typed.written(now).slice(0, 80),
    repeats: repeats(typed.js, program),
    score: round(score),
    cost: round(cost),
    features: Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value ? [[key, round(value)]] : []))),
  };
}
