// The table of edit operators, and the rows of tables.json for expressions.

const OPERATORS = new Map();
/** @param edits (facts, node) gives edits and drafts @param accepts the nodes it is tried on; null: asked once */
const operator = (name, family, accepts, edits) => OPERATORS.set(name, { name, family, accepts, edits });

/** Whether a value was a float while the tests ran, or never was there. */
function mayBeFloat(facts, node) {
  const types = facts.types(node);
  return types.has("float") || (types.size === 1 && types.has("any"));
}

/**
 * What rows may call a node: its kind, also with a number of parts or a constant's type, what it calls, its sign, and
 * where another expression may stand `place`, its role and the types of its values; `float()` in front of a sign that
 * compares what is or may be floats.
 */
function labels(facts, node) {
  return facts.once("labels", node, () => {
    const isCall = /^(?:Call|New)Expression$/.test(node.type);
    const kinds = [kindOf(node), ...(isCall ? [nameOf(node.callee)] : [])];
    const parts = node.arguments ?? node.elements;
    const details = ["", "()", ...(parts ? [`(${parts.length})`] : [])];
    if (node.type === "Literal") details.push(node.regex ? "(regex)" : `(${typeName(node.value)})`);
    const found = new Set(kinds.flatMap((kind) => details.map((detail) => kind + detail)));
    if (node.operator) found.add(node.operator);
    if (kindOf(node) === "Compare") {
      found.add("Compare(1)");
      if (mayBeFloat(facts, node.left) || mayBeFloat(facts, node.right)) found.add(`float()${node.operator}`);
    }
    if (isExpression(node) && facts.isPlace(node)) {
      for (const label of ["place", facts.role(node), ...facts.types(node)]) found.add(label);
    }
    return found;
  });
}

for (const [name, row] of Object.entries(TABLES.expressions)) {
  const cases = Object.entries(row.edits).map(([when, templates]) => {
    const words = when.split(" ");
    return [
      words.filter((word) => word[0] !== "~"),
      words.flatMap((word) => (word[0] === "~" ? [word.slice(1)] : [])),
      templates,
    ];
  });
  operator(
    name,
    row.family,
    (node) => isExpression(node),
    function* (facts, node) {
      const known = labels(facts, node);
      for (const [wanted, unwanted, templates] of cases) {
        if (!wanted.some((label) => known.has(label)) || unwanted.some((label) => known.has(label))) continue;
        const filled = templates.map((template) => fill(facts.source, node, template, row.bare));
        for (const [text, extra] of expand(facts, node, filled, row.step)) {
          yield { node, text, extra: extra + (row.extra ?? 0), bare: row.bare ?? false };
        }
      }
    },
  );
}
