// What a passing edit calls again that may have effects, and how a search reports it.

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

/** The arguments as they are written in a call. */
const written = (input) => `(${input.map((given) => show(given)).join(", ")})`;

/** Passing edits with their behaviour, as far as there is time. */
async function compared(passing, { trial, inputs, mustEnd }) {
  for (const one of passing)
    if (inputs.length > 0 && !one.seen && !mustEnd()) one.seen = await behaviour(trial, one.compiled, inputs);
  return passing;
}

/** An edit as the search reports it. @param behaviours numbers of the known ones, to which its own is added */
function described({ edit: { splices, operator }, cost, program, seen }, typed, behaviours) {
  const key = seen && JSON.stringify(seen);
  if (key && !behaviours.has(key)) behaviours.set(key, behaviours.size);
  return {
    splices: typed.inPoints(splices),
    operator,
    repeats: repeats(typed.js, program),
    cost: Math.round(cost * 1000) / 1000,
    behaviour: key ? behaviours.get(key) : null,
  };
}
