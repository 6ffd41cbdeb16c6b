// Running the buggy program once with every expression watched: kinds of values, and what failing tests execute.

const nothingSeen = () => ({
  kinds: new Map(),
  failing: new Set(),
  passing: new Set(),
  always: new Set(),
  inputs: [],
  steps: 0,
  failed: [],
});

/** What a run of the program shows on all checks. */
async function observe(source, program, suite, call) {
  const seen = nothingSeen();
  const nodes = source.expressions.filter(isWatchable);
  const hit = new Set();
  const points = nodes.flatMap((node, i) => wrapped(node, `_watch(${i},(`, "))"));
  const compiled = program.watched(points);
  if (!compiled) return seen;
  const watch = (number, value) => {
    const node = nodes[number];
    hit.add(node);
    note(seen, node, value);
    return value;
  };
  for (const [i, check] of [...suite.checks, ...suite.told].entries()) {
    hit.clear();
    const action = () => {
      const loaded = program.load(compiled, watch);
      const own =
        loaded.defined[suite.entry] ??
        (typeof loaded.exported === "function" ? loaded.exported : loaded.exported?.[suite.entry]);
      const isClass = typeof own === "function" && /^class\b/.test(Function.prototype.toString.call(own));
      const recorded = function (...given) {
        record(seen.inputs, given);
        return new.target ? Reflect.construct(own, given) : own.apply(this, given);
      };
      return suite.open(loaded, typeof own === "function" && !isClass ? { [suite.entry]: recorded } : {})[i]();
    };
    const [outcome, used] = await call(action);
    const ran = new Set([...hit].flatMap((node) => [node, ...ancestors(node)]));
    for (const node of ran) seen[outcome === "ok" ? "passing" : "failing"].add(node);
    if (outcome !== "ok") {
      seen.failed.push(check.text);
      seen.always = new Set(seen.failed.length === 1 ? ran : [...seen.always].filter((node) => ran.has(node)));
    }
    if (outcome === "ok" || outcome === "wrong") seen.steps = Math.max(seen.steps, used);
  }
  return seen;
}

/** Notes what a value of an expression is. */
function note({ kinds }, node, value) {
  if (!kinds.has(node)) kinds.set(node, new Set());
  kinds.get(node).add(kindOfValue(value));
}

function record(inputs, given) {
  try {
    inputs.push(structuredClone(given));
  } catch {
    // An argument that cannot be copied cannot be used to compare candidates.
  }
}
