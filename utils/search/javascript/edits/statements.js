// Operators on statements, and those that no template says: put in, delete, move; exchange; loops and patterns.

const JUMPS = /^(?:return|break|continue|throw)\b/;
const isLeaving = ({ type }) => /^(?:Return|Break|Continue|Throw)Statement$/.test(type);

/** Whether a statement may stand where `node` does: a jump out of a loop needs one. */
function canStand(node, text) {
  if (!/^(?:break|continue)\b/.test(text)) return true;
  for (const up of ancestors(node)) {
    if (FUNCTIONS.has(up.type)) return false;
    if (LOOPS.has(up.type)) return true;
  }
  return false;
}

for (const [name, row] of Object.entries(TABLES.insert)) {
  operator(name, row.family, null, function* (facts) {
    const { source } = facts;
    for (const block of source.blocks) {
      for (const [node, behind] of [...block.map((one) => [one, false]), [block.at(-1), true]]) {
        if (!node || !facts.isRelevant(node) || (behind && isLeaving(node))) continue;
        const [at, newline] = [behind ? node.end : node.start, `\n${source.indent(node)}`];
        for (const [text, extra] of expand(facts, node, row.edits, row.step ?? 0.12)) {
          if ((!behind && JUMPS.test(text)) || !canStand(node, text)) continue;
          yield edit(
            [[at, at, behind ? newline + text : text + newline]],
            "",
            text,
            extra + 0.1 * behind + facts.remoteness(node),
          );
        }
      }
    }
  });
}

const unit = (source) => (/\n\t/.test(source.text) ? "\t" : "  ");

operator("delete_statement", "delete", isStatement, function* (facts, node) {
  const { source } = facts;
  if (node.type === "VariableDeclaration" || !Array.isArray(node.up[node.field])) return;
  const isSimple = SIMPLE.test(node.type) && node.type !== "ReturnStatement";
  yield edit([[node.start, node.end, ";"]], source.code(node), "", isSimple ? 0 : 0.4);
  if (node.type !== "IfStatement") return;
  const inner =
    node.consequent.type === "BlockStatement"
      ? source.code(node.consequent).slice(1, -1).trim()
      : source.code(node.consequent);
  yield edit([[node.start, node.end, inner]], source.code(node), inner, 0.3);
  if (node.alternate) yield edit([[node.consequent.end, node.end, ""]], source.code(node.alternate), "", 0.4);
});

operator(
  "give_back",
  "returns",
  ({ type }) => type === "ExpressionStatement",
  function* ({ source }, node) {
    if (!/^(?:Call|Await|New)Expression$/.test(node.expression.type)) return;
    const text = source.code(node);
    yield edit([[node.start, node.start, "return "]], text, `return ${text}`);
  },
);

operator(
  "await",
  "calls",
  ({ type }) => type === "CallExpression",
  function* ({ source }, node) {
    if (node.up.type === "AwaitExpression") return;
    for (const up of ancestors(node)) {
      if (!FUNCTIONS.has(up.type)) continue;
      const text = source.code(node);
      const isPart = node.up.type === "MemberExpression" || node.up.type === "CallExpression";
      const now = isPart && node.field !== "arguments" ? `(await ${text})` : `await ${text}`;
      if (up.async) yield edit([[node.start, node.end, now]], text, now);
      if (up.async && nameOf(node.callee) === "map") {
        const all =
          isPart && node.field !== "arguments" ? `(await Promise.all(${text}))` : `await Promise.all(${text})`;
        yield edit([[node.start, node.end, all]], text, all);
      }
      return;
    }
  },
);

operator(
  "branches",
  "swap",
  (node) => node.type === "IfStatement" && node.alternate,
  function* (facts, { test, consequent, alternate }) {
    const next = alternate.type === "IfStatement" ? alternate : null;
    if (next) yield facts.source.swap(test, next.test, 0.4);
    const other = next ? next.consequent : alternate;
    const [old, now] = [facts.source.code(consequent), facts.source.code(other)];
    yield edit(
      [
        [consequent.start, consequent.end, now],
        [other.start, other.end, old],
      ],
      `${old} … ${now}`,
      `${now} … ${old}`,
    );
  },
);

operator("exchange_returns", "returns", null, function* ({ source }) {
  const values = source.statements
    .filter(({ type, argument }) => type === "ReturnStatement" && argument)
    .map(({ argument }) => argument);
  for (const [i, a] of values.entries()) for (const b of values.slice(i + 1)) yield source.swap(a, b);
});

operator("exchange_names", "names", null, function* (facts) {
  const { source } = facts;
  const places = source.expressions.filter(({ type, up }) => type === "Identifier" && !up.shorthand);
  const isPart = (node) =>
    SIMPLE.test(node.type) ||
    /^(?:VariableDeclaration|LogicalExpression|CallExpression)$/.test(node.type) ||
    kindOf(node) === "Compare";
  const parts = [source.target, ...source.statements.filter(isPart), ...source.expressions.filter(isPart)];
  const inside = parts.map((part) => places.filter(({ start }) => part.start <= start && start < part.end));
  const names = inside.map((some) => new Set(some.map(({ name }) => name)));
  const scope = facts.scope(source.target.body ?? source.target);
  for (const [i, a] of scope.entries()) {
    for (const b of scope.slice(i + 1).filter((name) => facts.areAlike(facts.nameTypes(a), facts.nameTypes(name)))) {
      for (const [number, part] of parts.entries()) {
        if (!names[number].has(a) || !names[number].has(b)) continue;
        const both = inside[number].filter(({ name }) => name === a || name === b);
        const splices = both.map(({ name, start, end }) => [start, end, name === a ? b : a]);
        yield edit(splices, `${a}, ${b}`, `${b}, ${a}`, part === source.target ? 0 : 0.1);
      }
    }
  }
});

operator("move_statement", "move", isStatement, function* (facts, node) {
  const { source } = facts;
  const block = source.blocks.find((one) => one.includes(node));
  if (!block || !source.standsAlone(node)) return;
  const [at, owner] = [block.indexOf(node), node.up.up];
  const gone = [source.lineStarts[source.lineAt(node.start) - 1], node.end, ""];
  const put = (place, before, indent, extra) => {
    const text = source.moved(node, indent);
    return edit(
      [gone, [place, place, before ? `${text}\n${indent}` : `\n${indent}${text}`]],
      source.code(node),
      text,
      extra,
    );
  };
  if (at > 0) {
    const before = block[at - 1];
    yield edit(
      [[before.start, node.end, source.code(node) + source.text.slice(before.end, node.start) + source.code(before)]],
      source.code(node),
      source.code(node),
    );
    const inner = before.body?.body ?? before.consequent?.body;
    if (inner?.length > 0) yield put(inner.at(-1).end, false, source.indent(inner.at(-1)), 0.2);
  }
  const isIn = owner && (LOOPS.has(owner.type) || owner.type === "IfStatement") && source.standsAlone(owner);
  if (isIn && block.length > 1 && at === block.length - 1) yield put(owner.end, false, source.indent(owner), 0.1);
  if (isIn && block.length > 1 && at === 0) yield put(owner.start, true, source.indent(owner), 0.3);
});

operator("wanted", "insert", null, function* ({ source, wanted = [] }) {
  const { body } = source.target;
  const last = body?.type === "BlockStatement" ? body.body.at(-1) : undefined;
  if (!last) return;
  for (const [expression, extra] of wanted) {
    const text = `return ${expression};`;
    yield edit([[last.end, last.end, `\n${source.indent(last)}${text}`]], "", text, extra);
  }
});

operator(
  "loop_kind",
  "ranges",
  ({ type }) => /^For(?:In|Of)/.test(type),
  function* ({ source }, { left, right, type }) {
    const between = source.text.slice(left.end, right.start);
    const now = type === "ForInStatement" ? between.replace("in", "of") : between.replace("of", "in");
    yield edit([[left.end, right.start, now]], between.trim(), now.trim());
  },
);

/** Edits that put patterns near its own in the place of one: [pattern, flags]. */
function* otherPatterns(source, node, near) {
  const { pattern, flags } = node.regex;
  for (const [other, marks = flags] of near(pattern, flags)) {
    try {
      new RegExp(other, marks);
    } catch {
      continue;
    }
    if (other !== "" && (other !== pattern || marks !== flags))
      yield edit([[node.start, node.end, `/${other}/${marks}`]], source.code(node), `/${other}/${marks}`);
  }
}

function patternOperator(name, near) {
  const isPattern = (node) => node.regex !== undefined;
  operator(name, "constants", isPattern, ({ source }, node) => otherPatterns(source, node, near));
}

const COUNT = /(?<!\\)\{(\d+)(?:(,)(\d*))?\}/g;

/** Numbers of times near `{first}`, `{first,}` or `{first,last}`: one more or less at each end, from one on, no end. */
function counts(first, comma, last) {
  const [low, high] = [Number(first), Number(last || first)];
  const ends = [1, low - 1, low, low + 1].flatMap((from) => [from, high - 1, high, high + 1].map((to) => [from, to]));
  const fitting = ends.filter(([from, to]) => from >= 0 && to >= from);
  const bounded = fitting.map(([from, to]) => (from === to ? `{${from}}` : `{${from},${to}}`));
  const open = (comma && !last ? [low - 1, low + 1] : [low]).filter((from) => from >= 0).map((from) => `{${from},}`);
  return [...new Set([...open, ...bounded])];
}

// Of few kinds, so that each costs less than one of all patterns.
patternOperator("times", function* (pattern) {
  const found = [...pattern.matchAll(COUNT)];
  for (const { 0: text, 1: first, 2: comma, 3: last, index } of found)
    for (const other of counts(first, comma, last)) {
      yield [pattern.slice(0, index) + other + pattern.slice(index + text.length)];
      if (found.filter(([one]) => one === text).length > 1) yield [pattern.replaceAll(text, other)];
    }
});

/** A dot stands for itself: one that stands for any character, and all. */
patternOperator("escape", function* (pattern) {
  const dots = [...pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./g)].filter(([text]) => text === ".");
  const escaped = (chosen) => [...pattern].map((char, i) => (chosen.includes(i) ? `\\${char}` : char)).join("");
  const all = dots.map(({ index }) => index);
  for (const dot of all) yield [escaped([dot])];
  if (all.length > 1) yield [escaped(all)];
});

patternOperator("regex", function* (pattern, flags) {
  for (const flag of ["g", "i", "m", "u", "s"])
    yield [pattern, flags.includes(flag) ? flags.replace(flag, "") : flags + flag];
  yield* [`^${pattern}`, `${pattern}$`, `^${pattern}$`].map((one) => [one]);
  yield* [pattern.replace(/^\^/, ""), pattern.replace(/\$$/, "")].map((one) => [one]);
  const at = (i, gone, now) => [pattern.slice(0, i) + now + pattern.slice(i + gone)];
  for (let i = 0; i < Math.min(pattern.length, 120); i++) {
    const isSign = /[+*?]/.test(pattern[i]);
    for (const sign of ["+", "*", "?", ""]) yield at(i, isSign ? 1 : 0, sign);
    yield isSign ? at(i + 1, 0, "?") : at(i, 1, "");
    if (pattern[i] === "]") for (const more of TABLES.classes) yield at(i, 0, more);
  }
});
