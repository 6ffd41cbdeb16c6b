// Conditions put before statements, and other branches.

const MOST_ACTIONS = 16;

/** What may be done under a condition: what the function does elsewhere, then what rows of the table say. */
function actions(facts, node) {
  const found = statementsFor(facts, node).filter((text) => canStand(node, text));
  const returned = facts.once("returned", "", () =>
    facts.source.statements
      .filter(({ type }) => type === "ReturnStatement")
      .map((one) => closed(facts.source.code(one))),
  );
  const built = [...expand(facts, node, TABLES.actions)].map(([text]) => text).filter((text) => canStand(node, text));
  const all = [...found.filter((text) => JUMPS.test(text)), ...returned, ...built, ...found];
  return [...new Set(all.filter((text) => text.length < 60 && !text.includes("\n")))].slice(0, MOST_ACTIONS);
}

const MOST_CONDITIONS = 40; // where nothing is known of them

/**
 * Conditions with their extra cost: what never holds (or what always holds, `side`) in a failing check changes nothing
 * there.
 */
function* askedBefore(facts, node, side) {
  const known = facts.conditions?.get(node);
  if (!known) for (const [text, extra] of predicates(facts, node).slice(0, MOST_CONDITIONS)) yield { text, extra };
  for (const one of known ?? []) {
    const tests = one[side];
    if (tests.some(Boolean)) yield { ...one, extra: one.extra + (tests.every(Boolean) ? 0 : REMOTE) };
  }
}

operator("guard", "guard", isStatement, function* (facts, node) {
  const { source } = facts;
  if (!Array.isArray(node.up[node.field])) return;
  const done = actions(facts, node);
  for (const { text: condition, extra, number } of askedBefore(facts, node, "holds")) {
    for (const [rank, action] of done.entries()) {
      const text = `if (${condition}) ${action}`;
      const made = edit([[node.start, node.start, `${text}\n${source.indent(node)}`]], "", text, extra + 0.1 * rank);
      const leaves = JUMPS.test(action) && !action.startsWith("continue");
      yield leaves && number !== undefined ? { ...made, alike: `guard ${node.start} ${number} ${action}` } : made;
    }
  }
});

operator(
  "condition_of_statement",
  "guard",
  (node) => SIMPLE.test(node.type),
  function* (facts, node) {
    for (const { text: condition, extra } of askedBefore(facts, node, "fails")) {
      const text = `if (${condition}) ${facts.source.code(node)}`;
      yield edit([[node.start, node.start, `if (${condition}) `]], facts.source.code(node), text, extra);
    }
  },
);

operator(
  "else_branch",
  "guard",
  (node) => node.type === "IfStatement" && !node.alternate,
  function* (facts, node) {
    const { source } = facts;
    const indent = source.indent(node);
    const templates = [...Object.values(TABLES.insert).flatMap(({ edits }) => edits), ...TABLES.actions];
    const inBlock = node.consequent.type === "BlockStatement";
    for (const [text, extra] of expand(facts, node, templates, 0.05)) {
      if (!canStand(node, text)) continue;
      const branch = inBlock ? ` else {\n${indent}${unit(source)}${text}\n${indent}}` : ` else ${text}`;
      yield edit([[node.end, node.end, branch]], "", `else ${text}`, extra);
    }
  },
);

/** Behind a loop once more what it does with a name that it gives new values, where something is left in it. */
operator(
  "leftover",
  "guard",
  ({ type }) => LOOPS.has(type),
  function* (facts, node) {
    const { source } = facts;
    const inside = [...below(node)];
    const given = new Set(
      inside.flatMap(({ type, left }) => (type === "AssignmentExpression" && left.name ? [left.name] : [])),
    );
    for (const { type, expression: done, start, end } of inside) {
      if (type !== "ExpressionStatement") continue;
      const parts = {
        CallExpression: done.arguments,
        YieldExpression: [done.argument],
        AssignmentExpression: [done.right],
      };
      const code = closed(source.text.slice(start, end));
      if (code.includes("\n") || done.operator === "=") continue;
      const handed = (parts[done.type] ?? []).flatMap((part) => (part ? [...below(part)] : []));
      const names = new Set(
        handed.flatMap(({ type, name }) => (type === "Identifier" && given.has(name) ? [name] : [])),
      );
      for (const name of names)
        for (const condition of [`${name}.length > 0`, name]) {
          const text = `if (${condition}) ${code}`;
          yield edit([[node.end, node.end, `\n${source.indent(node)}${text}`]], "", text);
        }
    }
  },
);
