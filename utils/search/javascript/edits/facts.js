// What is known about the program before editing it: types seen at run time, names in scope, words told.

const NUMBERS = new Set(["int", "float"]);
const REMOTE = 1.5;
const OF_MODULES = new Set(["require", "module", "exports"]);
const MOST_NAMES = 24;
/** No other expression is put in their place. */
const NOT_REPLACED =
  /^(?:ArrowFunctionExpression|FunctionExpression|ClassExpression|AssignmentExpression|YieldExpression)$/;

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

const union = (...sets) => new Set(sets.flatMap((set) => [...set]));
const meets = (a, b) => [...a].some((one) => b.has(one));

class Facts {
  /** @param failedTexts of the checks that the program fails */
  constructor(source, instruction, seen, failedTexts = []) {
    this.source = source;
    this.seen = seen;
    const declared = source.nodes.filter(({ type }) => FUNCTIONS.has(type));
    this.functions = [...new Set(declared.map((node) => nameOf(node.id ?? node.up?.id)).filter(Boolean))];
    this.top = source.tree.body.flatMap(declaredBy);
    const values = source.expressions.filter(({ type }) => type === "Literal").map(({ value }) => value);
    this.numbers = [...new Set(values.filter((value) => typeof value === "number"))];
    this.strings = [...new Set(values.filter((value) => typeof value === "string"))];
    const call = `${source.target.id?.name ?? nameOf(source.target.up?.id)}(`;
    this.prose = instruction
      .split("\n")
      .filter((line) => !line.includes(">>>") && !line.includes(call))
      .join("\n");
    const numbers = [...this.prose.matchAll(/(?<![\w.[,])-?\d+(?:\.\d+)?(?![\w\]])|\b\d+(?=[a-z]\b)/g)].map(Number);
    this.toldNumbers = [...new Set(numbers.filter((n) => Math.abs(n) < 10 ** 6))].slice(0, 14);
    this.toldStrings = quotedIn(instruction, 12);
    this.shownStrings = quotedIn(failedTexts.join("\n"), 20);
    this.memo = new Map();
  }

  /** What `make` gives for a key, asked for once. */
  once(kind, key, make) {
    if (!this.memo.has(kind)) this.memo.set(kind, new Map());
    const known = this.memo.get(kind);
    if (!known.has(key)) known.set(key, make());
    return known.get(key);
  }

  /** Type names that an expression had while the visible tests ran; `any` where it never ran. */
  types(node) {
    if (node.type === "Literal") return new Set([node.regex ? "regex" : typeName(node.value)]);
    return this.seen.types.get(node) ?? this.nameTypes(node.name ?? "");
  }

  nameTypes(name) {
    return this.seen.names.get(name) ?? new Set(["any"]);
  }

  /** Whether values of these types could stand for each other. */
  areAlike(a, b) {
    return meets(a, b) || a.has("any") || b.has("any") || [...a, ...b].every((one) => NUMBERS.has(one));
  }

  /** Names that can be read at a node, nearest first: of the blocks and functions around it, then of the file. */
  scope(node) {
    const owner = [node, ...ancestors(node)].find(
      ({ type }) => /^(?:BlockStatement|For\w*Statement|Program)$/.test(type) || FUNCTIONS.has(type),
    );
    return this.once("scope", owner, () => {
      const names = [];
      for (const up of [owner, ...ancestors(owner)]) {
        if (FUNCTIONS.has(up.type)) names.push(...up.params.flatMap(boundIn));
        if (up.type === "BlockStatement" && up.up !== null)
          names.push(...up.body.flatMap((one) => (one.type === "ClassDeclaration" ? [] : declaredBy(one))));
        const head = up.type === "ForStatement" ? up.init : /^For(?:In|Of)/.test(up.type) ? up.left : null;
        if (head?.type === "VariableDeclaration") names.unshift(...declaredBy(head));
      }
      const values = this.top.filter((name) => !this.functions.includes(name));
      return [...new Set([...names.filter((name) => !this.functions.includes(name)), ...values])].slice(0, MOST_NAMES);
    });
  }

  areKnown(names, scope) {
    return [...names].every(
      (name) => scope.includes(name) || this.functions.includes(name) || name in globalThis || OF_MODULES.has(name),
    );
  }

  /** A name that is not a variable: a built-in, a function of the program, a module. */
  isLibrary(node) {
    return node.type === "Identifier" && !this.scope(node).includes(node.name);
  }

  /** Where tests fail, only code that runs in a failing test, or in no test, can be at fault. */
  isRelevant(node) {
    return this.seen.failing.size === 0 || this.seen.failing.has(node) || !this.seen.passing.has(node);
  }

  /** What an edit there costs more: one edit repairs all failing tests only where all of them pass by. */
  remoteness(node) {
    return this.seen.always.size > 0 && !this.seen.always.has(node) ? REMOTE : 0;
  }

  /** Whether an expression may be replaced by any other of its type. */
  isPlace(node) {
    const { up, field } = node;
    const isCalled =
      up.type === "ExpressionStatement" || field === "callee" || field === "tag" || field === "superClass";
    return node.read && !isCalled && !up.shorthand && !NOT_REPLACED.test(node.type) && !this.isLibrary(node);
  }

  /** `condition`, its `operand`, `filter` (what a function given to `filter` and the like returns), or nothing. */
  role(node) {
    const { up, field } = node;
    if (up.type === "LogicalExpression") return "operand";
    if (
      up.type === "ArrowFunctionExpression" &&
      up.up.type === "CallExpression" &&
      /^(?:filter|some|every|find|findIndex)$/.test(nameOf(up.up.callee))
    )
      return "filter";
    const types = this.types(node);
    const isYesOrNo =
      /^(?:ReturnStatement|VariableDeclarator|ArrowFunctionExpression)$/.test(up.type) &&
      types.size === 1 &&
      types.has("bool");
    return field === "test" || isYesOrNo ? "condition" : "";
  }

  /** Expressions of the function that may stand elsewhere: {text, names, types, size}. */
  copied() {
    return this.once("copied", "", () => {
      const found = new Map();
      for (const node of this.source.expressions) {
        const text = this.source.code(node);
        const isPlain = node.type === "Literal" && typeof node.value === "number";
        if (!this.isPlace(node) || isPlain || text.length > 60 || text.includes("\n")) continue;
        const size = Math.min(8, [...below(node)].filter(isExpression).length);
        const one = found.get(text) ?? { text, names: freeNames(node), types: new Set(), size };
        for (const type of this.types(node)) one.types.add(type);
        found.set(text, one);
      }
      return [...found.values()];
    });
  }
}

/** Names a piece of code needs from outside itself. */
function freeNames(node) {
  const all = [...below(node)];
  const bound = new Set(all.flatMap((one) => (FUNCTIONS.has(one.type) ? one.params.flatMap(boundIn) : [])));
  return new Set(
    all.flatMap((one) => (one.type === "Identifier" && one.read && !bound.has(one.name) ? [one.name] : [])),
  );
}

const quotedIn = (text, longest) => {
  const found = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]+)`/g)].map(([, a, b, c]) => a ?? b ?? c);
  return [...new Set(found.filter((one) => one.length <= longest))].slice(0, 12);
};
