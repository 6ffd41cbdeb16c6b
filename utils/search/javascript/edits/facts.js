// What is known about the program before edits are made: kinds of values seen at run time, numbers, words.

/** The name of a value's type, the same in every language. */
function typeName(value) {
  if (value === null || value === undefined) return "none";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "str";
  if (typeof value === "function") return "function";
  if (Array.isArray(value)) return "list";
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return { Map: "map", Set: "set", Object: "dict" }[kind] ?? kind.toLowerCase();
}

const ORDERS = ["<", "<=", ">", ">="];
const WHOLE = ["%", "&", "|", "^", "<<", ">>", ">>>"];

class Facts {
  /** @param failedTexts of the checks that the program fails */
  constructor(source, instruction, seen, failedTexts = []) {
    Object.assign(this, { source, seen });
    const values = source.expressions.filter(({ type }) => type === "Literal").map(({ value }) => value);
    this.numbers = [...new Set(values.filter((value) => typeof value === "number"))];
    const call = `${source.target.id?.name ?? nameOf(source.target.up?.id)}(`;
    this.prose = instruction
      .split("\n")
      .filter((line) => !line.includes(">>>") && !line.includes(call))
      .join("\n");
    this.toldStrings = quotedIn(instruction, 12);
    this.shownStrings = quotedIn(failedTexts.join("\n"), 20);
  }

  /**
   * Places of the parameters that may be fractions: the function compares them with a number, and does nothing with
   * them that whole numbers alone allow.
   */
  measures() {
    const { target } = this.source;
    const own = nameOf(target.id ?? target.up?.id);
    const [compared, whole] = [new Set(), new Set()];
    const add = (names, nodes) => {
      for (const { type, name } of nodes) if (type === "Identifier") names.add(name);
    };
    for (const node of below(target)) {
      const sides = node.type === "BinaryExpression" ? [node.left, node.right] : [];
      if (ORDERS.includes(node.operator) && sides.some(({ value }) => typeof value === "number")) add(compared, sides);
      else if (WHOLE.includes(node.operator)) add(whole, sides);
      else if (node.computed && node.type === "MemberExpression") add(whole, below(node.property));
      else if (node.type === "CallExpression" && own !== "" && nameOf(node.callee) === own)
        add(
          whole,
          node.arguments.flatMap((one) => [...below(one)]),
        );
    }
    const isMeasure = ({ type, name }) => type === "Identifier" && compared.has(name) && !whole.has(name);
    return (target.params ?? []).flatMap((one, at) => (isMeasure(one) ? [at] : []));
  }

  /** Where tests fail, only code that runs in a failing test, or in no test, can be at fault. */
  isRelevant(node) {
    return this.seen.failing.size === 0 || this.seen.failing.has(node) || !this.seen.passing.has(node);
  }

  /** What an edit there costs more: one edit repairs all failing tests only where all of them pass by. */
  remoteness(node) {
    return this.seen.always.size > 0 && !this.seen.always.has(node) ? REMOTE : 0;
  }

  /** Kinds of values, as the shared vocabulary names them, by place and by name; only where all values agree. */
  kinds() {
    const places = [...this.seen.kinds].map(([{ start, end }, kinds]) => [`${start} ${end}`, oneOf(kinds)]);
    const names = new Map();
    for (const [node, kinds] of this.seen.kinds)
      for (const name of heldIn(node)) names.set(name, new Set([...(names.get(name) ?? []), ...kinds]));
    for (const given of this.seen.inputs)
      for (const [i, one] of (this.source.target.params ?? []).entries())
        if (one.type === "Identifier" && i < given.length)
          names.set(one.name, new Set([...(names.get(one.name) ?? []), kindOfValue(given[i])]));
    const known = (all) => new Map(all.filter(([, kind]) => kind !== ""));
    return { places: known(places), names: known([...names].map(([name, kinds]) => [name, oneOf(kinds)])) };
  }
}

function firstOf(items, most) {
  const found = [];
  for (const one of items) if (found.push(one) === most) break;
  return found;
}

/** The kind of a value and of its items: `[num]`. A list may hold itself. */
function kindOfValue(value, depth = 3) {
  const holding = (items) =>
    depth === 0 ? "" : oneOf(new Set(firstOf(items, 4).map((one) => kindOfValue(one, depth - 1))));
  const name = typeName(value);
  if (name === "int" || name === "float") return "num";
  if (name === "list") return `[${holding(value)}]`;
  return name === "set" ? `<${holding(value)}>` : name;
}

/** The kind that values have in common, apart from `null` and empty lists; empty if they differ. */
function oneOf(kinds) {
  const all = [...kinds].filter((one) => one !== "none" || kinds.size === 1);
  const held = all.filter((one) => one !== "[]" && one !== "<>");
  if (held.length < 2) return held[0] ?? all[0] ?? "";
  const [first] = held;
  return held.every((one) => one[0] === first[0] && /^[[<]/.test(one)) ? (first[0] === "[" ? "[]" : "<>") : "";
}

/** Names that hold the value of a node. */
function heldIn(node) {
  if (node.type === "Identifier") return [node.name];
  const written = node.field === "init" ? node.up.id : node.field === "right" ? node.up.left : null;
  return written?.type === "Identifier" ? [written.name] : [];
}

const quotedIn = (text, longest) => {
  const found = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]+)`/g)].map(([, a, b, c]) => a ?? b ?? c);
  return [...new Set(found.filter((one) => one.length <= longest))].slice(0, 12);
};
