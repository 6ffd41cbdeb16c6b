// All candidate edits of a program, cheapest first.

const TOKENS = new Set(["comparison", "arithmetic", "boolean", "constants", "names", "functions"]); // families of single tokens
const UNLEARNED = 3; // cost of an operator that was never learned

/** The same exchange of a token made at every place at once: a consistent mistake. */
function* everywhere(edits) {
  const groups = new Map();
  for (const one of edits) {
    const [[start, end, now], ...others] = one.splices;
    if (start === end || others.length > 0) continue;
    const key = JSON.stringify([one.operator, one.old, now]);
    if (!groups.has(key)) groups.set(key, new Map());
    groups.get(key).set(start, one);
  }
  for (const places of groups.values()) {
    if (places.size < 2) continue;
    const all = [...places.values()];
    const extra = Math.min(...all.map((one) => one.extra));
    yield edit(
      all.map(({ splices }) => splices[0]),
      all[0].old,
      all[0].new,
      extra,
      "everywhere",
    );
  }
}

/** Edits, most as drafts, with their cost, sorted, and how many each operator gave. A task may switch families `off`, ask for
 * `only` some, or for edits within `lines` (first, last). */
function candidates(facts, priors, { only, off = [], lines }) {
  const { source } = facts;
  const rows = [...OPERATORS.values()].filter(
    ({ family }) => !off.includes(family) && (!only || only.includes(family)),
  );
  const nodes = [...source.expressions, ...source.statements].filter((node) => facts.isRelevant(node));
  let found = [];
  for (const row of rows) {
    for (const node of row.accepts ? nodes.filter(row.accepts) : [null]) {
      const remote = node ? facts.remoteness(node) : 0;
      for (const one of row.edits(facts, node)) found.push({ ...one, operator: row.name, extra: one.extra + remote });
    }
  }
  const tokens = found
    .filter((one) => TOKENS.has(OPERATORS.get(one.operator).family))
    .map((one) => source.written(one));
  found.push(...everywhere(tokens));
  if (lines) {
    const isIn = ([start]) => lines[0] <= source.lineAt(start) && source.lineAt(start) <= lines[1];
    found = found.map((one) => source.written(one)).filter(({ splices }) => splices.every(isIn));
  }
  const counts = new Map();
  for (const { operator: name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  const { operators, weights } = priors;
  // One of many candidates of an operator is less likely than one of few.
  const share = (name) => (operators[name] ?? UNLEARNED) + weights.choices * Math.log(counts.get(name));
  const shares = new Map([...counts.keys()].map((name) => [name, share(name)]));
  const priced = found.map((one) => ({ cost: shares.get(one.operator) + weights.extra * one.extra, one }));
  return { priced: priced.sort((a, b) => a.cost - b.cost), counts };
}

const PAIR_COST = 1; // of two edits of which neither is known to help

/** Any two of the cheapest edits at once, cheapest first. */
function pairs(source, priced, first = 100) {
  const cheap = priced.slice(0, first).map(({ cost, one }) => ({ cost, one: source.written(one) }));
  const found = cheap.flatMap((a, i) =>
    cheap.slice(i + 1).map((b) => ({ cost: a.cost + b.cost + PAIR_COST, a: a.one, b: b.one })),
  );
  return found
    .sort((a, b) => a.cost - b.cost)
    .map(({ cost, a, b }) => ({
      cost,
      one: edit([...a.splices, ...b.splices], `${a.old} and ${b.old}`, `${a.new} and ${b.new}`, 0, "pair"),
    }));
}
