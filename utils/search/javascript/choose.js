// Choosing among candidates that pass: cost of the edit, words of the instruction, behaviour on other inputs.

const TOKEN = /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"[^"\n]*"|'[^'\n]*'|[*/<>=!+-]=+|\*\*|\S/g;
const MOST_RANKED = 200;
/** Absurd code: a value compared with itself or with a new object, a step done twice or undone, `x - 0`. */
const ABSURD = new RegExp(
  [
    /\b([\w.]+) === \1(?![\w.([])/,
    /\b(String|Number|Boolean|Math\.abs)\(\2\(/,
    /\bMath\.(?:floor|ceil|round|trunc)\(Math\.(?:floor|ceil|round|trunc)\(/,
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

/** Whether the instruction mentions a token: by its name, by a similar word, or as a value. */
function isAsked(token, prose) {
  if (/^["']/.test(token)) return token.length > 2 && prose.includes(token.slice(1, -1).toLowerCase());
  if (/^\d/.test(token)) return new RegExp(`(?<![\\w.])${token.replace(".", "\\.")}(?!\\w\\w|\\.\\d)`).test(prose);
  const asked = TABLES.asked_by[token];
  return (
    LIBRARY.has(token) &&
    (prose.includes(token.toLowerCase().slice(0, 4)) || (asked !== undefined && new RegExp(asked).test(prose)))
  );
}

/** Number of absurd expressions in a program. */
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
      shorter: Math.min(12, Math.max(0, gone.length - come.length)),
      replaced: Math.min(12, gone.length, come.length),
      unchanged: Number(String(seen) === String(unchanged)),
      opaque: Number(seen.some(isOpaque)),
    };
    const score = Object.entries(features).reduce(
      (sum, [name, value]) => sum + (weights[name] ?? 0) * value,
      candidate.cost,
    );
    const breaks = come.includes("throw") ? undefined : newError(unchanged, seen, inputs);
    found.push({ ...candidate, features, score, size: gone.length + come.length, seen, breaks });
  }
  const isFar = ({ cost }) => cost > limit;
  found.sort((a, b) => isFar(a) - isFar(b) || a.score - b.score);
  const alike = found.filter((one) => String(one.seen) === String(found[0].seen) && (!isFar(one) || one === found[0]));
  const first = alike.reduce((best, one) => (one.size < best.size ? one : best));
  return [first, ...found.filter((one) => one !== first)];
}

/** The arguments as they are written in a call. */
const written = (input) => `(${input.map((given) => show(given)).join(", ")})`;

/** The shortest arguments for which a program throws and did not before; undefined if there are none. */
function newError(before, after, inputs) {
  const thrown = inputs.filter((_, i) => after[i] === "raised" && !["raised", "cut"].includes(before[i])).map(written);
  return thrown.length === 0 ? undefined : thrown.reduce((a, b) => (b.length < a.length ? b : a));
}

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
 * A function that is called in one more place than before and may have effects that we cannot see: a parameter, or one
 * that is called with spread arguments.
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

/**
 * At most `most` ranked candidates that behave differently from the best and from each other, with the input that shows
 * it. An input on which one of them throws shows nothing: invalid input may have any effect.
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
      input: written(inputs[i]),
      gives: readable(one.seen[i]),
      bestGives: readable(best.seen[i]),
    });
    known.push(one.seen);
  }
  return found;
}

/** Whether the result of a call is a value that a test can name. */
const isTold = (text) => !/^(?:raised|cut|wrong)$|…/.test(text) && !isOpaque(text);

/** An edit as the search reports it, with the parts of its score. */
function described(
  { edit: { splices, operator: name, old, new: now, extra }, cost, score, features, program, breaks },
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
    breaks,
    score: round(score),
    cost: round(cost),
    features: Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (value ? [[key, round(value)]] : []))),
  };
}
