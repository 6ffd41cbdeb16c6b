// Templates of rows: `{part}` is a field of the node, `$kind` what may stand there: a name, a sign, a number, code from
// elsewhere.

const ALIASES = { args: "arguments", op: "operator", func: "callee", elts: "elements", value: "object" };
const PART = /(^|[([:]|, )?\{([a-zA-Z._]+)(\d?)(?:!(\d))?\}(?=([)\],:]|$)?)/g;
const SLOT = /\$\$|\$([a-z]+)(\d?)/;
/** Names that are tried for a slot. */
const MOST_CHOICES = 8;
const SIMPLE = /^(?:ExpressionStatement|ReturnStatement|BreakStatement|ContinueStatement|ThrowStatement)$/;

/** [[item, extra cost]] for every item of the tiers; later tiers cost more. */
function ranked(tiers, step = 0.3) {
  const found = new Map();
  tiers.forEach((tier, rank) => {
    for (const item of tier) if (!found.has(item)) found.set(item, step * rank);
  });
  return [...found];
}

const oneByOne = (items, step) =>
  ranked(
    items.map((item) => [item]),
    step,
  );

/** A part of a node by its fields; `_` is the node, unless it is a constant. Null where it has no such part. */
function partOf(node, path, number) {
  if (path === "_") return node.type === "Literal" ? null : node;
  let part = node;
  for (const field of path.split(".")) part = part?.[field] ?? part?.[ALIASES[field]];
  if (number) part = Array.isArray(part) ? part[Number(number)] : null;
  if (part?.type === "SpreadElement" && number) return null;
  return part ?? null;
}

/**
 * A template with parts of a node written in; null where the node lacks one. Parts are in parentheses where they could
 * be read otherwise, or if the row is `bare` only where they were.
 */
function fill(source, node, template, bare) {
  let lacks = false;
  const text = template.replace(PART, (_, before, path, number, dropped, behind) => {
    let part = partOf(node, path, number);
    const alone = before !== undefined && behind !== undefined;
    if (Array.isArray(part)) {
      const kept = part.filter((_, i) => String(i) !== dropped);
      if (dropped !== undefined && kept.length === part.length) lacks = true;
      part = kept.map((one) => (one ? source.code(one) : "")).join(", ");
    } else if (isNode(part)) {
      part = alone ? source.code(part) : bare ? source.operand(part) : source.atom(part);
    }
    if (typeof part !== "string") lacks = true;
    // A dollar of the program begins no slot.
    return (before ?? "") + (typeof part === "string" ? part.replaceAll("$", "$$$$") : "");
  });
  return lacks ? null : text.replace(/\(, /g, "(").replace(/, \)/g, ")");
}

/**
 * All ways to fill the slots of a row of templates: [text, extra cost]. Later templates cost more. `own`: what the slot
 * of a kind and number is filled with, where not with the usual.
 */
function* expand(facts, node, templates, step = 0.1, own = null) {
  for (const [rank, template] of templates.entries()) {
    if (template === null) continue;
    const pieces = template.split(/(\$\$|\$[a-z]+\d?)/);
    const slots = [...new Set(pieces.filter((piece) => /^\$[a-z]/.test(piece)))];
    const choices = slots.map((slot, i) => own?.(SLOT.exec(slot)[1], i) ?? choicesOf(facts, node, SLOT.exec(slot)[1]));
    for (const choice of product(choices)) {
      const texts = choice.map(([text]) => text);
      if (new Set(texts).size < texts.length) continue;
      const chosen = new Map(slots.map((slot, i) => [slot, texts[i]]));
      const text = pieces.map((piece) => (piece === "$$" ? "$" : (chosen.get(piece) ?? piece))).join("");
      yield [text, step * Math.min(rank, 10) + choice.reduce((sum, [, extra]) => sum + extra, 0)];
    }
  }
}

function* product(lists) {
  if (lists.length === 0) yield [];
  else for (const one of lists[0]) for (const rest of product(lists.slice(1))) yield [one, ...rest];
}

function choicesOf(facts, node, kind) {
  if (Object.hasOwn(SPECIAL, kind)) return SPECIAL[kind](facts, node);
  return facts.once(kind, String(facts.scope(node)), () =>
    oneByOne(named(facts, facts.scope(node), kind).slice(0, MOST_CHOICES), 0.05),
  );
}

/** Names of a scope that hold a `$kind`, nearest first; `$told` numbers, short `$text`. */
function named(facts, scope, kind) {
  if (kind === "told") return facts.toldNumbers.filter((n) => ![0, 1, 2, -1].includes(n)).map(String);
  if (kind === "text") {
    const texts = [...facts.strings.slice(0, 4), ...facts.toldStrings.slice(0, 4)];
    return [...new Set(texts.filter(({ length }) => length > 0 && length <= 3))].map((text) => JSON.stringify(text));
  }
  if (kind === "any") return scope.filter((name) => !facts.nameTypes(name).has("function"));
  const names = scope.filter((name) => meets(facts.nameTypes(name), new Set(TABLES.kinds[kind] ?? [kind])));
  return kind === "fun" ? [...names, ...facts.functions] : names;
}

/** What stands for a sign, a number, a string, a name, a condition or code from elsewhere: [[text, extra cost]]. */
const SPECIAL = {
  symbol: (_, node) => oneByOne(TABLES.symbols[node.operator ?? String(node.value)] ?? [], 0.15),
  step: (_, node) => [1, -1].map((by) => [String(node.value + by), 0]),
  /** Usual numbers, those of the instruction and of the program, multiples, and those near the ones told. */
  number: (facts, { value }) => {
    const multiples = [-value, value + 2, value - 2, value * 2, Math.floor(value / 2), value * 10];
    const found = ranked([
      [0, 1],
      [2, -1, ...facts.toldNumbers, ...facts.numbers, ...multiples],
      [3, 10],
      facts.toldNumbers.flatMap((number) => [number + 1, number - 1]),
      TABLES.numbers,
    ]);
    const isStep = (n) => Math.abs(n - value) <= 1 && Number.isInteger(n - value);
    return [...new Map(found.flatMap(([n, extra]) => (isStep(n) ? [] : [[String(n), extra]])))];
  },
  /** Strings of the instruction and of the program, this one in another case, without a character, usual ones. */
  string: (facts, { value }) => {
    const cut = (i) => value.slice(0, i) + value.slice(i + 1);
    const varied = [
      value.slice(0, -1),
      value.slice(1),
      value.trim(),
      value.toUpperCase(),
      value.toLowerCase(),
      [...value].reverse().join(""),
    ];
    const shorter = [...value]
      .slice(1, -1)
      .map((_, i) => cut(i + 1))
      .slice(0, 40);
    const near = value.length < 24 ? [...new Set([...TABLES.characters, ...facts.toldStrings.join("")])] : [];
    const longer = near.flatMap((c) =>
      Array.from({ length: value.length + 1 }, (_, i) => value.slice(0, i) + c + value.slice(i)),
    );
    const tiers = [
      ["", " "],
      [...varied, ...facts.strings, ...facts.toldStrings],
      shorter,
      facts.shownStrings,
      TABLES.strings,
      longer,
    ];
    return ranked(tiers).flatMap(([text, extra]) => (text === value ? [] : [[JSON.stringify(text), extra]]));
  },
  /**
   * Other names in place of one, those of another type at a higher cost. A library is read and called, and not written.
   */
  variable: (facts, node) => {
    if (node.read && facts.isLibrary(node)) return [];
    const types = node.read ? facts.types(node) : facts.nameTypes(node.name);
    const extra = (name) => (facts.areAlike(types, facts.nameTypes(name)) ? 0 : 0.9) + (node.read ? 0 : 0.4);
    return facts.scope(node).flatMap((name) => (name === node.name ? [] : [[name, extra(name)]]));
  },
  /** Siblings of a function or method, and other ones of the program. */
  sibling: (facts, node) => {
    if (node.type === "Identifier" && !facts.isLibrary(node)) return [];
    const members = facts.once("members", "", () => {
      const isNamed = ({ type, computed }) => type === "MemberExpression" && !computed;
      return [...new Set(facts.source.expressions.filter(isNamed).map(nameOf))].sort();
    });
    const others = node.type === "Identifier" ? facts.functions : members;
    const near = [...new Set(TABLES.siblings.filter((group) => group.includes(nameOf(node))).flat())];
    const rest = others.filter((name) => !near.includes(name) && name !== nameOf(node)).map((name) => [name, 0.7]);
    return [
      ...oneByOne(
        near.filter((name) => name !== nameOf(node)),
        0.06,
      ),
      ...rest,
    ];
  },
  predicate: (facts, node) => predicates(facts, node),
  /** Expressions from elsewhere in the function. */
  copy: (facts, node) => {
    const place = 0.5 * (node.type === "Literal") - 0.4 * (node.up?.type === "ReturnStatement");
    const [scope, types] = [facts.scope(node), isExpression(node) ? facts.types(node) : new Set(["any"])];
    return facts
      .copied()
      .flatMap((one) =>
        facts.areKnown(one.names, scope)
          ? [[one.text, 0.15 * one.size + place + (facts.areAlike(types, one.types) ? 0 : 1.2)]]
          : [],
      );
  },
  statement: (facts, node) => statementsFor(facts, node).map((text) => [text, 0]),
  mirrored: (facts, node) => mirrored(facts, node),
};

const closed = (text) => (/[;}]$/.test(text) ? text : `${text};`);

/** Simple statements from elsewhere in the function whose names are all known at a node. */
function statementsFor(facts, node) {
  const simple = facts.once("simple", "", () => {
    const found = facts.source.statements.map((one) => ({ one, code: facts.source.code(one) }));
    const isSimple = ({ one, code }) => SIMPLE.test(one.type) && !code.includes("\n");
    return found.filter(isSimple).map(({ one, code }) => ({ one, text: closed(code), names: freeNames(one) }));
  });
  const scope = node && facts.scope(node);
  const known = facts.once("known", scope, () => simple.filter(({ names }) => !scope || facts.areKnown(names, scope)));
  return known.flatMap(({ one, text }) => (one === node ? [] : [text]));
}

/** A text with two names exchanged. */
const exchanged = (text, a, b) =>
  text.replace(/(?<![\w$.])[A-Za-z_$][\w$]*/g, (word) => (word === a ? b : word === b ? a : word));

/** Simple statements of the function with a name exchanged for another of a like type. */
function mirrored(facts, node) {
  const scope = facts.scope(node);
  return facts.once("mirrored", scope, () => {
    const found = new Map();
    for (const text of statementsFor(facts, null)) {
      for (const name of new Set(text.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g) ?? [])) {
        for (const other of scope.includes(name) ? scope.slice(0, 10) : []) {
          if (other === name || !facts.areAlike(facts.nameTypes(name), facts.nameTypes(other))) continue;
          const made = exchanged(text, name, other);
          if (!found.has(made)) found.set(made, Math.min(1.5, 0.05 * found.size));
        }
      }
    }
    return [...found];
  });
}

/** Conditions that can be asked of names: those the function already asks, also of other names, and built ones. */
function predicates(facts, node) {
  const scope = facts.scope(node);
  return facts.once("predicates", String(scope), () => {
    const asked = [];
    const renamed = [];
    for (const other of facts.source.expressions.filter((one) => kindOf(one) === "Compare" || one.field === "test")) {
      const text = facts.source.atom(other);
      if (text.length > 60 || !facts.areKnown(freeNames(other), scope)) continue;
      asked.push(facts.source.code(other), `!${text}`);
      for (const name of freeNames(other)) {
        for (const now of scope.includes(name) ? scope.slice(0, 5) : []) {
          if (now !== name && facts.areAlike(facts.nameTypes(name), facts.nameTypes(now)))
            renamed.push(exchanged(facts.source.code(other), name, now));
        }
      }
    }
    const built = TABLES.predicates.flatMap((row) =>
      [...expand(facts, node, row, 0.08)].map(([text, extra]) => [text, 0.2 + extra]),
    );
    const found = new Map(ranked([asked, renamed], 0.2));
    for (const [text, extra] of built) if (!found.has(text)) found.set(text, extra);
    return [...found].sort((a, b) => a[1] - b[1]).slice(0, 100);
  });
}
