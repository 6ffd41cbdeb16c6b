// All candidate edits of a program, cheapest first.

/** Families of single tokens. */
const TOKENS = new Set(["comparison", "arithmetic", "boolean", "constants", "names", "functions"]);
const UNLEARNED = 3; // cost of an operator that was never learned

/** The exchanges of tokens that an operator makes, by what becomes what. */
class Tokens {
  constructor() {
    this.groups = new Map();
    this.repeated = 0;
  }

  add(one) {
    const [[start, end, now], ...others] = one.splices;
    if (start === end || others.length > 0) return;
    const key = JSON.stringify([one.old, now]);
    const places = this.groups.get(key) ?? new Map();
    if (places.size === 1 && !places.has(start)) this.repeated++;
    this.groups.set(key, places.set(start, one));
  }

  /** Those made at every place at once: a consistent mistake. */
  *everywhere() {
    for (const places of this.groups.values()) {
      if (places.size < 2) continue;
      const all = [...places.values()];
      const extra = Math.min(...all.map((one) => one.extra));
      const splices = all.map(({ splices: [first] }) => first);
      yield edit(splices, all[0].old, all[0].new, extra, "everywhere");
    }
  }
}

const FIRST_MADE = 5_000; // edits that the list begins with
const MORE_MADE = 4; // times those that it had, where more are asked for
const SAMPLE = 1_000; // edits of each operator that are made in any case
const LEAST_EXTRA = -0.4; // the cheapest that a row can be, beside its operator

/**
 * The edits of a program with their costs, cheapest first, made as far as they are asked for: an operator that gives so
 * many that none of them can come yet waits, since each of many is less likely than one of few. A task may switch
 * families `off`, ask for `only` some, or for edits within `lines` (first, last).
 */
class Candidates {
  constructor(facts, priors, { only, off = [], lines }) {
    Object.assign(this, { facts, priors, lines, priced: [], isWhole: false });
    const { source } = facts;
    const nodes = [...source.expressions, ...source.statements].filter((node) => facts.isRelevant(node));
    const rows = [...OPERATORS.values()].filter(
      ({ family }) => !off.includes(family) && (!only || only.includes(family)),
    );
    /**
     * {name, edits, tokens, made, costs}: edits that are still to be made, those that are, and what they cost when all
     * are.
     */
    this.operators = rows.map((row) => {
      const tokens = TOKENS.has(row.family) ? new Tokens() : null;
      return { name: row.name, edits: this.madeBy(row, nodes, tokens), tokens, made: [], costs: null };
    });
    this.ofTokens = this.operators.filter(({ tokens }) => tokens);
    this.everywhere = { name: "everywhere", edits: this.madeEverywhere(), made: [], costs: null };
    /** How many edits an operator gave, where all of them are made. */
    this.counts = new Map();
  }

  *madeBy(row, nodes, tokens) {
    const { facts } = this;
    for (const node of row.accepts ? nodes.filter(row.accepts) : [null]) {
      const remote = node ? facts.remoteness(node) : 0;
      for (const one of row.edits(facts, node)) {
        one.operator = row.name;
        one.extra += remote;
        tokens?.add(facts.source.written(one));
        yield one;
      }
    }
  }

  *madeEverywhere() {
    for (const { tokens } of this.ofTokens) yield* tokens.everywhere();
  }

  isIn(one) {
    const { lines, facts } = this;
    if (!lines) return true;
    const at = (offset) => facts.source.lineAt(offset);
    return facts.source.written(one).splices.every(([start]) => lines[0] <= at(start) && at(start) <= lines[1]);
  }

  /** What an edit of an operator costs that gives so many. */
  cost({ name }, count, extra) {
    const { operators, weights } = this.priors;
    const share = (operators[name] ?? UNLEARNED) + weights.choices * Math.log(Math.max(1, count));
    return share + weights.extra * extra;
  }

  /** Makes edits of an operator until it has no more, or until there are enough. */
  make(row, isEnough) {
    while (!row.costs && !isEnough()) {
      const { value, done } = row.edits.next();
      if (!done && this.isIn(value)) row.made.push(value);
      if (!done) continue;
      row.costs = row.made.map(({ extra }) => this.cost(row, row.made.length, extra));
      if (row.made.length > 0) this.counts.set(row.name, row.made.length);
    }
  }

  /** Makes the list so long, or shorter where there are no more. */
  grow(length) {
    const { operators, ofTokens, everywhere } = this;
    const all = [...operators, everywhere];
    /** No edit that costs more can be among so many. */
    const limit = () => {
      const costs = Float64Array.from(all.flatMap((row) => row.costs ?? [])).sort();
      return costs[length - 1] ?? Number.POSITIVE_INFINITY;
    };
    for (const row of operators) this.make(row, () => row.made.length >= Math.min(SAMPLE, length));
    let most = limit();
    const isLate = (row, count) => this.cost(row, count, LEAST_EXTRA) > most;
    for (const row of operators.filter(({ costs }) => !costs)) {
      this.make(row, () => isLate(row, row.made.length));
      if (row.costs) most = limit();
    }
    // What can be changed everywhere is known when all tokens are; before that how many there are at least.
    const repeated = () => (this.lines ? 0 : ofTokens.reduce((sum, { tokens }) => sum + tokens.repeated, 0));
    for (const row of ofTokens) this.make(row, () => isLate(everywhere, repeated()));
    if (ofTokens.every(({ costs }) => costs)) this.make(everywhere, () => false);
    this.isWhole = all.every(({ costs }) => costs);
    most = this.isWhole ? Number.POSITIVE_INFINITY : limit();
    this.priced = [];
    for (const { made, costs } of all)
      for (const [i, cost] of costs?.entries() ?? []) if (cost <= most) this.priced.push({ cost, one: made[i] });
    this.priced.sort((a, b) => a.cost - b.cost);
    if (!this.isWhole) this.priced.length = length;
  }

  /** Makes the list longer than this, if it can. */
  reach(number, least = FIRST_MADE) {
    while (number >= this.priced.length && !this.isWhole)
      this.grow(Math.max(least, number + 1, MORE_MADE * this.priced.length));
  }

  /** { cost, one }, or undefined behind the last. */
  at(number) {
    this.reach(number);
    return this.priced[number];
  }

  slice(start, end) {
    this.reach(end - 1, end);
    return this.priced.slice(start, end);
  }

  /** { cost, one, number } of each. */
  *all() {
    for (let number = 0; this.at(number); number++) yield { ...this.at(number), number };
  }

  /** Number of edits made so far. */
  get made() {
    return [...this.operators, this.everywhere].reduce((sum, { made }) => sum + made.length, 0);
  }
}

const PAIR_COST = 1; // of two edits, when neither is known to help
const PAIRED = 100; // the cheapest edits

/** Any two of the cheapest edits at once, cheapest first. */
function pairs(source, priced) {
  const cheap = priced.slice(0, PAIRED).map(({ cost, one }) => ({ cost, one: source.written(one) }));
  const found = cheap.flatMap((a, i) =>
    cheap.slice(i + 1).map((b) => ({ cost: a.cost + b.cost + PAIR_COST, a: a.one, b: b.one })),
  );
  return found
    .sort((a, b) => a.cost - b.cost)
    .map(({ cost, a, b }) => ({
      cost,
      one: {
        ...edit([...a.splices, ...b.splices], `${a.old} and ${b.old}`, `${a.new} and ${b.new}`, 0, "pair"),
        parts: [a.splices, b.splices],
      },
    }));
}
