// Running the buggy program once with every expression watched: types of values, and what failing tests execute.

const NOTHING_SEEN = {
  types: new Map(),
  kinds: new Map(),
  names: new Map(),
  failing: new Set(),
  passing: new Set(),
  always: new Set(),
  inputs: [],
  steps: 0,
  failed: [],
};

/** What a run of the program shows on all checks. */
async function observe(source, program, suite, call) {
  const seen = {
    ...NOTHING_SEEN,
    types: new Map(),
    kinds: new Map(),
    names: new Map(),
    failing: new Set(),
    passing: new Set(),
    inputs: [],
    failed: [],
  };
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
  nameTypes(source, seen);
  return seen;
}

/** Notes what a value of an expression is. */
function note({ types, kinds }, node, value) {
  if (!types.has(node)) [types, kinds].map((one) => one.set(node, new Set()));
  types.get(node).add(typeName(value));
  kinds.get(node).add(kindOfValue(value));
}

function record(inputs, given) {
  try {
    inputs.push(structuredClone(given));
  } catch {
    // An argument that cannot be copied cannot be used to compare candidates.
  }
}

function nameTypes(source, seen) {
  const add = (name, types) => {
    if (!seen.names.has(name)) seen.names.set(name, new Set());
    for (const type of types) seen.names.get(name).add(type);
  };
  for (const [node, types] of seen.types) {
    if (node.type === "Identifier") add(node.name, types);
    const written =
      node.field === "init"
        ? node.up.id
        : node.field === "right" && node.up.type === "AssignmentExpression"
          ? node.up.left
          : null;
    if (written?.type === "Identifier") add(written.name, types);
  }
  for (const given of seen.inputs)
    (source.target.params ?? []).forEach((one, i) => {
      if (one.type === "Identifier" && i < given.length) add(one.name, [typeName(given[i])]);
    });
}
