// What expressions would be worth where they would stand, asked in one run of the program as it is for many edits at a
// time: an edit that changes no value in a failing check repairs nothing, and edits that are worth the same do the
// same.

const ASKED_VISITS = 40; // of a place in one check
const [ASKED_FAILING, ASKED_PASSING] = [3, 2]; // checks that are run
const ASKING_STEPS = 2_000; // for one expression at one visit
const ASKS_A_STEP = 4;
const MOST_ALIKE = 6; // conditions that hold at the same visits
const PLAIN = new Set(["int", "float", "bool", "str", "list", "dict", "map", "set", "none"]);
const PURE = new Set(
  `Number String Boolean parseInt parseFloat isNaN isFinite Set Map Array abs max min floor ceil round trunc sqrt cbrt
  pow sign log log2 log10 exp isInteger isArray from of keys values entries fromEntries is stringify fromCharCode at
  charAt charCodeAt codePointAt concat includes indexOf lastIndexOf join slice substring substr split startsWith
  endsWith trim trimStart trimEnd padStart padEnd repeat toLowerCase toUpperCase toFixed toString localeCompare replace
  replaceAll some every find findIndex findLast findLastIndex filter map flatMap flat reduce reduceRight has get`.split(
    /\s+/,
  ),
);
const COPYING = new Set(
  "concat slice split filter map flatMap flat from of keys values entries fromEntries".split(" "),
);
const IN_PLACE = new Set(["sort", "reverse"]);

/** Whether a value is made anew by an expression, so that nothing else holds it. */
function isFresh({ type, callee }) {
  if (type !== "CallExpression") return /^(?:Array|Object|New)Expression$/.test(type);
  const name = nameOf(callee);
  return COPYING.has(name) || (IN_PLACE.has(name) && isFresh(callee.object));
}

/** Whether an expression may be asked more than once: it changes nothing, and the names in it hold plain values. */
function isPure(facts, node, bound = []) {
  const all = (...nodes) => nodes.flat().every((one) => one === null || isPure(facts, one, bound));
  switch (node.type) {
    case "Literal":
      return true;
    case "Identifier":
      return (
        bound.includes(node.name) ||
        node.name in globalThis ||
        [...facts.nameTypes(node.name)].every((one) => PLAIN.has(one))
      );
    case "TemplateLiteral":
      return all(node.expressions);
    case "ArrayExpression":
      return all(node.elements);
    case "ObjectExpression":
      return all(node.properties);
    case "Property":
      return node.kind === "init" && all(node.value, node.computed ? node.key : []);
    case "SpreadElement":
      return all(node.argument);
    case "UnaryExpression":
      return node.operator !== "delete" && all(node.argument);
    case "BinaryExpression":
    case "LogicalExpression":
      return all(node.left, node.right);
    case "ConditionalExpression":
      return all(node.test, node.consequent, node.alternate);
    case "MemberExpression":
      return all(node.object, node.computed ? node.property : []);
    case "ChainExpression":
      return all(node.expression);
    case "ArrowFunctionExpression":
      return !node.async && node.expression && isPure(facts, node.body, [...bound, ...node.params.flatMap(boundIn)]);
    case "CallExpression":
    case "NewExpression":
      return isPureCall(facts, node.callee) && all(node.arguments, node.callee.object ?? []);
    default:
      return false;
  }
}

function isPureCall(facts, callee) {
  const name = nameOf(callee);
  if (facts.functions.includes(name)) return false;
  return PURE.has(name) || (IN_PLACE.has(name) && callee.object && isFresh(callee.object));
}

const [MOST_WORTH, MOST_WORTH_PARTS] = [600, 200]; // characters, and values in one

/** A value as text that tells it from others; null where it is too large, or no plain one. */
function worth(value) {
  if (value !== null && /^(?:object|function|symbol)$/.test(typeof value) && !PLAIN.has(typeName(value))) return null;
  try {
    const text = shown(value, { most: MOST_WORTH_PARTS });
    return text.length > MOST_WORTH ? null : `${typeof value} ${text}`;
  } catch (error) {
    if (!(error instanceof Opaque)) throw error;
    return null;
  }
}

/** A run of the program in which expressions are asked at places: nodes, each with texts. */
class Asking {
  constructor(facts, { program, suite, trial }) {
    Object.assign(this, { facts, program, suite, trial });
    const isFailed = ({ text }) => facts.seen.failed.includes(text);
    const all = suite.checks.map((check, i) => ({ i, text: check.text, failed: isFailed(check) }));
    const some = (failed, most) => all.filter((check) => check.failed === failed).slice(0, most);
    this.checks = [...some(true, ASKED_FAILING), ...some(false, ASKED_PASSING)];
    this.isWhole = this.checks.length === all.length;
    this.catches =
      facts.source.nodes.some(({ type }) => type === "TryStatement") ||
      /\bcatch\b/.test(facts.source.text) ||
      this.checks.some(({ text }) => /throw|reject|catch/i.test(text));
  }

  /** An expression to be asked; null where it may not be. */
  asked(text) {
    const node = expressionAt(text, 0);
    const isOpen = node?.end === text.length && (node.type === "Identifier" || isPure(this.facts, node));
    return isOpen ? { text, isFresh: isFresh(node), checks: [], rows: [] } : null;
  }

  /** @param places `{node, texts, at}`, at: where they are asked, if not as the node
   * @returns for each place a Map from texts to checks, or null where nothing is known of them */
  async run(places) {
    this.places = places.map(({ node, texts }) => ({
      asked: texts.map((text) => this.asked(text)).filter(Boolean),
      isFresh: isFresh(node),
      visits: 0,
    }));
    Object.assign(this, { ids: new WeakMap(), identities: 0 });
    const points = places.flatMap(({ node, at }, i) =>
      at !== undefined
        ? [[at, OPEN_BLOCK, `_watch(${i},(_e)=>eval(_e));`]]
        : wrapped(node, `_watch(${i},(_e)=>eval(_e),(`, "))"),
    );
    const compiled = this.program.watched(points);
    const visit = (number, evaluate, value) => {
      this.visit(this.places[number], value, evaluate);
      return value;
    };
    for (const { i, failed } of compiled ? this.checks : []) {
      const [outcome] = await this.trial.call(() => this.suite.open(this.program.load(compiled, visit))[i]());
      if (outcome === "cut") this.isWhole = false;
      else if (failed === (outcome === "ok")) return places.map(() => null); // being asked changed what it does
      for (const place of this.places) {
        place.visits = 0;
        for (const one of place.asked) {
          if (outcome !== "cut") one.checks.push({ failed, rows: one.rows });
          one.rows = [];
        }
      }
    }
    return this.places.map(({ asked, isLost }) =>
      compiled && !isLost ? new Map(asked.map(({ text, checks }) => [text, checks])) : null,
    );
  }

  visit(place, value, evaluate) {
    place.isLost ||= ++place.visits > ASKED_VISITS;
    if (place.isLost || place.asked.length === 0) return;
    const { left, draws } = meter;
    this.trial.used += place.asked.length / ASKS_A_STEP;
    try {
      const values = evaluate(`[${place.asked.map(({ text }) => `()=>(${text})`)}]`);
      for (const [i, one] of place.asked.entries()) one.rows.push(this.row(values[i], one, value, place));
    } catch {
      place.isLost = true;
    }
    Object.assign(meter, { left, draws });
  }

  /** What an expression is worth at a visit: whether that is the same as now, holds as a condition, and a key of it. */
  row(ask, one, old, place) {
    meter.left = ASKING_STEPS;
    try {
      const value = ask();
      const isObject = value !== null && typeof value === "object";
      if (!isObject || one.isFresh) {
        const key = worth(value);
        const isSame = isObject ? place.isFresh && key !== null && key === worth(old) : Object.is(value, old);
        return { value, isSame, holds: Boolean(value), key };
      }
      if (!this.ids.has(value)) this.ids.set(value, `#${this.identities++}`);
      return { value, isSame: value === old, holds: true, key: this.ids.get(value) };
    } catch (error) {
      return { isSame: false, hasRaised: true, key: error === CUT ? null : `raised ${error?.name}` };
    }
  }
}

/**
 * Of edits of expressions: null where one repairs nothing, as it changes no value in a failing check or raises at once
 * in it; a key that those share which are worth the same where no check passes by twice. Of others nothing is known.
 */
async function foreseen(facts, search, drafts) {
  const { source, seen } = facts;
  const open = drafts.filter(({ node }) => node && isWatchable(node) && seen.types.has(node) && isPure(facts, node));
  const texts = new Map();
  for (const { node, text } of open) texts.set(node, [...(texts.get(node) ?? []), text]);
  const found = new Map();
  if (texts.size === 0 || seen.failed.length === 0) return found;
  const asking = new Asking(facts, search);
  const known = await asking.run([...texts].map(([node, all]) => ({ node, texts: all })));
  const places = new Map([...texts.keys()].map((node, i) => [node, { number: i, known: known[i] }]));
  for (const draft of open) {
    const { number, known: asked } = places.get(draft.node);
    const checks = asked?.get(draft.text);
    if (!checks) continue;
    const isFutile = ({ failed, rows }) =>
      failed && (rows.every(({ isSame }) => isSame) || (rows[0]?.hasRaised && !asking.catches));
    const keys = checks.map(({ rows }) => rows.map(({ key }) => key));
    if (checks.some(isFutile)) found.set(draft, null);
    else if (asking.isWhole && keys.every((rows) => rows.length < 2 && rows[0] !== null))
      found.set(draft, `${source.code(draft.node)} ${draft.node.start} ${JSON.stringify(keys)}`);
  }
  return found;
}

/**
 * Evaluates the conditions that edits put before statements.
 * @returns a function that gives an edit with its further cost, or null if its condition changes nothing in a failing
 * check, or enough others hold at the same visits
 */
async function conditions(facts, search, edits) {
  const places = new Map();
  for (const { asks } of edits) if (asks) places.set(asks.at, (places.get(asks.at) ?? new Set()).add(asks.condition));
  if (facts.seen.failed.length === 0 || places.size === 0) return (edit) => edit;
  const node = facts.source.target;
  const asked = [...places].map(([at, texts]) => ({ node, at, texts: [...texts] }));
  const known = await new Asking(facts, search).run(asked);
  const found = new Map();
  for (const [i, { at, texts }] of asked.entries()) {
    if (known[i] === null) continue;
    found.set(at, new Map(texts.map((text) => [text, null])));
    const classes = new Map();
    for (const text of texts) {
      const checks = known[i].get(text);
      if (!checks || checks.some(({ rows }) => rows.some(({ hasRaised }) => hasRaised))) continue;
      const failing = checks.filter(({ failed }) => failed);
      const key = JSON.stringify(checks.map(({ rows }) => rows.map(({ holds }) => holds)));
      const alike = classes.get(key) ?? 0;
      classes.set(key, alike + 1);
      if (alike >= MOST_ALIKE) continue;
      const some = (value) => failing.map(({ rows }) => rows.some(({ holds }) => holds === value));
      found.get(at).set(text, { extra: 0.5 * alike, holds: some(true), fails: some(false) });
    }
  }
  return (edit) => {
    if (!edit.asks || !found.has(edit.asks.at)) return edit;
    const { condition, at, isAround } = edit.asks;
    const one = found.get(at).get(condition);
    const tests = one?.[isAround ? "fails" : "holds"];
    if (!tests?.some(Boolean)) return null;
    return { ...edit, extra: edit.extra + one.extra + (tests.every(Boolean) ? 0 : REMOTE) };
  };
}
