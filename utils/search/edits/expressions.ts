/** Edits of one expression. */

import type { Facts } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Edit, replace, speaksOf, UNLIKELY } from "./edit.ts";
import type { Literals } from "./literals.ts";
import { askedOf } from "./statements.ts";

type Maker = (facts: Facts, node: Node, tables: CompiledTables, literals: Literals) => Iterable<Edit>;

const edit = (operator: string, node: Pick<Node, "startIndex" | "endIndex">, text: string, extra = 0): Edit => ({
  operator,
  changes: [replace(node, text)],
  extra,
});

const OPERATOR_OF: readonly [RegExp, string][] = [
  [/^(?:[<>]=?|[=!]==?)$/, "compare"],
  [/^(?:&&|\|\||and|or)$/, "boolean"],
  [/^(?:\+\+|--)$/, "step"],
  [/^(?:[-+*/%&|^:]|<<|>>)?=$/, "augmented"],
  [/^(?:true|false|none)$/i, "true_false"],
  [/^(?:\.\.=?|of|in)$/, "range_bounds"],
  [/^(?:not in|is(?: not)?)$/, "compare"],
  [/./, "arithmetic"],
];

function* signs(facts: Facts, node: Node, { symbols }: CompiledTables): Iterable<Edit> {
  const isOne = facts.is(node, "binary", "update", "assignment", "range", "each");
  const sign = facts.is(node, "truth") ? node : isOne ? facts.operator(node) : null;
  if (!sign) return;
  const isIn = facts.is(node, "binary") && sign.text === "in";
  const operator = isIn ? "compare" : (OPERATOR_OF.find(([pattern]) => pattern.test(sign.text))?.[1] ?? "arithmetic");
  const unlikely = operator === "boolean" && isGuarded(node) ? UNLIKELY : 0;
  for (const [at, other] of (symbols[sign.text] ?? []).entries())
    yield edit(operator, sign, other, isBoundary(sign.text, other) ? BOUNDARY : at * 0.2 + unlikely);
}

/** Whether a clause asks for a part of what the one before it asks for at all: `at < size && list[at] > 0`. */
function isGuarded(node: Node): boolean {
  const [all, right] = [node.childForFieldName("left")?.text ?? "", node.childForFieldName("right")?.text ?? ""];
  // In `list[at] > 0 && list[at + 1] > 0` nothing asks for the place by itself.
  const left = all.replace(/\[[^\]]*\]/g, "[]");
  const names = left.match(/(?<![\w.>])[A-Za-z_]\w*(?!\w|\.|->|\[|\()/g) ?? [];
  return names.some((name) => new RegExp(`\\b${name}(?:->|\\.|\\[)|\\[[^\\]]*\\b${name}\\b`).test(right));
}

/** Of all comparisons it is mostly the bound that is wrong: `<` for `<=`. */
const BOUNDARY = -1.2;
const isBoundary = (sign: string, other: string) =>
  /^[<>]/.test(sign) && (other === `${sign}=` || sign === `${other}=`);

function* operands(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.is(node, "binary")) return;
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  const sign = facts.operator(node)?.text ?? "";
  if (!left || !right) return;
  const isLogical = /^(?:&&|\|\||and|or)$/.test(sign);
  const dropped = isLogical ? "drop_clause" : ARITHMETIC.test(sign) ? "drop_operand" : null;
  if (dropped)
    for (const [at, kept] of [left, right].entries())
      yield edit(dropped, node, kept.text, at * 0.2 + (facts.is(kept, "number") ? UNLIKELY : 0));
  if (isLogical) yield* regrouped(facts, node, left, right);
  const isJoined = sign === "+" && facts.kind(node) === "str";
  // `2 % x` for `x % 2` is unlikely: a number usually stands on the right.
  const isOdd = facts.is(right, "number") && !facts.is(left, "number");
  if (/^(?:[-/%]|\/\/|\*\*|in)$/.test(sign) || isJoined)
    yield edit("swap_operands", node, `${side(facts, right)} ${sign} ${side(facts, left)}`, isOdd ? UNLIKELY : 0);
  if (!ARITHMETIC.test(sign)) return;
  // Twice in place of its square.
  if (sign === "*" && facts.is(right, "number") && !facts.is(left, "number", "binary"))
    yield edit("scale", right, left.text, 0.2);
  if (facts.is(left, "binary")) {
    const [a, b] = [left.childForFieldName("left"), left.childForFieldName("right")];
    const inner = facts.operator(left)?.text;
    const isSame = inner === sign && /[+*]/.test(sign);
    // Whole numbers lose what a division leaves before it is multiplied.
    if (a && b && inner === "/" && sign === "*") yield edit("regroup", node, `${a.text} * ${right.text} / ${b.text}`);
    if (a && b && inner && !isSame) yield edit("regroup", node, `${a.text} ${inner} (${b.text} ${sign} ${right.text})`);
  }
  if (facts.is(right, "binary")) {
    const [a, b] = [right.childForFieldName("left"), right.childForFieldName("right")];
    const inner = facts.operator(right)?.text;
    if (a && b && inner) {
      yield edit("regroup", node, `(${left.text} ${sign} ${a.text}) ${inner} ${b.text}`);
      yield edit("swap_operands", node, `${left.text} ${sign} ${side(facts, b)} ${inner} ${side(facts, a)}`, 0.5);
    }
  }
  for (const one of [left, right])
    if (facts.is(one, "parentheses") && facts.is(one.namedChildren.at(0), "binary"))
      yield edit("regroup", one, one.namedChildren.at(0)?.text ?? "", 0.3);
}

const ARITHMETIC = /^(?:[-+*/%]|\/\/)$/;

/** `a && b || c` and `a && (b || c)`: the same clauses, taken together in the other way. */
function* regrouped(facts: Facts, node: Node, left: Node, right: Node): Iterable<Edit> {
  const sign = facts.operator(node)?.text;
  const [before, behind] = [inner(facts, left), inner(facts, right)];
  const partsOf = (one: Node) => [one.childForFieldName("left")?.text, one.childForFieldName("right")?.text];
  const isOther = (one: Node) => facts.is(one, "binary") && /^(?:&&|\|\||and|or)$/.test(signOf(facts, one));
  if (isOther(before) && signOf(facts, before) !== sign) {
    const [a, b] = partsOf(before);
    yield edit("regroup", node, facts.inPlace(`${a} ${signOf(facts, before)} (${b} ${sign} ${right.text})`, node));
  }
  if (isOther(behind) && signOf(facts, behind) !== sign) {
    const [a, b] = partsOf(behind);
    yield edit("regroup", node, facts.inPlace(`(${left.text} ${sign} ${a}) ${signOf(facts, behind)} ${b}`, node));
  }
}

/** What stands in parentheses. */
const inner = (facts: Facts, node: Node): Node =>
  facts.is(node, "parentheses") ? (node.namedChildren.at(0) ?? node) : node;

const side = (facts: Facts, node: Node) => (facts.is(node, "binary", "conditional") ? `(${node.text})` : node.text);

/** `[l.size() - 1 / 2]` and `x - 1 / 2`: the halves of a difference and a quotient, the other way round. */
function* exchangedTerms(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.is(node, "binary") || !/^[-+]$/.test(facts.operator(node)?.text ?? "")) return;
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (!left || !right || !facts.is(right, "binary")) return;
  const [a, b, inner] = [
    right.childForFieldName("left"),
    right.childForFieldName("right"),
    facts.operator(right)?.text,
  ];
  if (!a || !b || !inner || !/^(?:[*/%]|\/\/)$/.test(inner)) return;
  yield edit("regroup", node, `${left.text} ${inner} ${b.text} ${facts.operator(node)?.text} ${a.text}`, 0.3);
}

const INTEGER = /^-?\d+$/;

function* numbers(facts: Facts, node: Node, _: CompiledTables, literals: Literals): Iterable<Edit> {
  if (!facts.is(node, "number")) return;
  const own = node.text;
  const others = new Map<string, number>();
  const add = (text: string, extra: number) => {
    if (text !== own && !others.has(text)) others.set(text, extra);
  };
  if (INTEGER.test(own)) {
    // Places and numbers of times seldom begin below zero.
    add(String(Number(own) - 1), own === "0" ? 0.3 : 0);
    add(String(Number(own) + 1), 0);
    for (const [at, usual] of ["0", "1", "2"].entries()) add(usual, 0.2 + 0.2 * at);
    for (const far of [2, -2]) add(String(Number(own) + far), 0.6);
    if (own !== "0") add(`-${own}`, 0.5);
    // A zero too many or too few.
    if (Math.abs(Number(own)) > 1) add(`${own}0`, 0.6);
    if (/^-?\d+0$/.test(own)) add(own.slice(0, -1), 0.6);
  } else {
    const put = (text: string, extra: number) => add(facts.written(text, true), extra);
    for (const usual of ["0", "1", "0.5"]) put(usual, 0.4);
    const number = Number.parseFloat(own);
    for (const factor of [10, 0.1, 2, 0.5]) put(String(number * factor), 0.6);
  }
  const known = (text: string, extra: number) => {
    // `100` and not `100.0` in place of `10`.
    const [, whole] = (INTEGER.test(own) && /^(-?\d+)\.0+$/.exec(text)) || [];
    if (whole !== undefined && whole !== own) others.set(whole, Math.min(extra, others.get(whole) ?? extra));
    add(text, extra);
  };
  for (const text of literals.numbers) known(facts.written(text, !INTEGER.test(own)), 0.3);
  for (const one of facts.nodes) if (facts.is(one, "number")) known(one.text, 0.4);
  const isNegated = facts.is(node.parent, "unary") && facts.operator(node.parent as Node)?.text === "-";
  // `x - -1` is `x + 1`, which another edit gives.
  const isAdded =
    facts.is(node.parent, "binary", "assignment") &&
    node.parent?.childForFieldName("right")?.id === node.id &&
    /^[-+]=?$/.test(signOf(facts, node.parent));
  const isWhole = isNegated || isAdded || !facts.mayBeNegative(node);
  // A caller may give another value in place of a default, and counting by one is seldom wrong.
  const around = facts.parent(node);
  const isCount = own === "1" && around && facts.is(around, "assignment") && /^[-+]=$/.test(signOf(facts, around));
  const more = facts.is(node.parent, "default") ? 0.5 : isCount ? 1 : 0;
  for (const [text, usual] of others) {
    const extra = usual + more;
    const shown = text.startsWith("-") && !isAlone(facts, node) ? `(${text})` : text;
    const operator = INTEGER.test(own) && Math.abs(Number(text) - Number(own)) === 1 ? "step" : "number";
    if (!(text.startsWith("-") && isWhole)) yield edit(operator, node, shown, extra);
  }
  if (isNegated && node.parent) yield edit("number", node.parent, own);
}

const isAlone = (facts: Facts, node: Node) => !facts.is(node.parent, "binary", "unary", "field");

function* texts(facts: Facts, node: Node, _: CompiledTables, literals: Literals): Iterable<Edit> {
  if (!facts.is(node, "text", "character")) return;
  const quote = node.text.slice(-1);
  if (!node.text.startsWith(quote) || node.text.startsWith(quote.repeat(3))) return;
  const inner = node.text.slice(1, -1);
  const isText = facts.is(node, "text");
  const others = new Map<string, number>();
  const add = (text: string, extra: number) => {
    if (text !== inner && !others.has(text)) others.set(text, extra);
  };
  if (isText) {
    add("", 0);
    add(" ", 0.2);
    if (inner.length > 1) {
      add(inner.slice(0, -1), 0.1);
      add(inner.slice(1), 0.2);
      for (let at = 1; at < inner.length - 1 && inner.length < 40; at++)
        add(inner.slice(0, at) + inner.slice(at + 1), 0.4);
      // A character that goes, large and small.
      for (const one of new Set(inner.toLowerCase()))
        if (/[a-z]/.test(one)) add(inner.replace(new RegExp(one, "gi"), ""), 0.3);
    }
  }
  add(swapCase(inner), 0.3);
  // A blank at the other end.
  if (inner.length > 1) add(inner.startsWith(" ") ? `${inner.slice(1)} ` : inner.replace(/^(.*) $/, " $1"), 0.3);
  const usable = literals.texts.filter((text) => isText || [...text].length === 1);
  for (const text of usable)
    add(
      JSON.stringify(text)
        .slice(1, -1)
        .replaceAll("'", quote === "'" ? "\\'" : "'"),
      0.4,
    );
  for (const one of facts.nodes) if (one.type === node.type) add(one.text.slice(1, -1), 0.3);
  for (const [text, extra] of others)
    if (isText || text !== "") yield edit("string", node, quote + text + quote, extra);
  const isShort = isText && inner.length <= MOST_EXTENDED;
  for (const [at, one] of SEPARATORS.entries())
    for (const text of [one, ...(isShort ? [inner + one, one + inner] : [])])
      if (text !== inner && !others.has(text)) yield edit("usual_string", node, quote + text + quote, 0.05 * at);
}

/** Usual separators and digits. */
const SEPARATORS = [",", "-", ".", "_", " ", ":", "/", "0", "1", "\\n"];
/** Longer texts are not extended. */
const MOST_EXTENDED = 24;

const swapCase = (text: string) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

/** Maximum depth of an expression below the operator that is checked. */
const MOST_LEVELS = 5;

/** Whether a text in place of a node makes both sides of an operator the same, as in `x != x`. */
function isItself(facts: Facts, node: Node, text: string): boolean {
  let side: Node = node;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const { parent } = side;
    if (!parent || facts.is(parent, "block", "statement")) return false;
    const [left, right] = [parent.childForFieldName("left"), parent.childForFieldName("right")];
    if (left && right && facts.is(parent, "binary") && !/^[+*]$|<<|>>/.test(signOf(facts, parent))) {
      const other = side.id === left.id ? right : left;
      const [from, to] = [node.startIndex - side.startIndex, node.endIndex - side.startIndex];
      return side.text.slice(0, from) + text + side.text.slice(to) === other.text;
    }
    side = parent;
  }
  return false;
}

function* variables(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.is(node, "name") || facts.isTarget(node)) return;
  const own = facts.nameAt(node.text, node.startIndex);
  if (!own) return;
  const kind = own.kind === "" && facts.is(facts.parent(node), "return") ? facts.resultKind : own.kind;
  for (const other of facts.namesAt(node.startIndex)) {
    const isLike = other.kind === kind || facts.isLike(other.kind, kind);
    const isCalled = isReceiver(facts, node) && haveLikeMethods(facts, kind, other.kind);
    if (other.name === own.name || (!isLike && !isCalled)) continue;
    const extra = (other.type === own.type ? 0 : 0.3) + (isItself(facts, node, other.name) ? UNLIKELY : 0);
    yield edit("variable", node, other.name, extra + (isAsTarget(facts, node, other.name) ? AS_TARGET : 0));
  }
}

/** `best[i] = max(best[j], …)`: lists and places of an item's value are mostly those of the item. */
const AS_TARGET = -0.8;

function isAsTarget(facts: Facts, node: Node, name: string): boolean {
  let around = node.parent;
  while (around && !facts.is(around, "assignment", "statement", "block")) around = around.parent;
  const target = around && facts.is(around, "assignment") ? around.childForFieldName("left") : null;
  const whole = facts.is(node.parent, "index") ? node.parent : node.parent?.parent;
  if (!target || !facts.is(target, "index") || !whole || !facts.is(whole, "index") || whole.id === target.id)
    return false;
  const [from, to] = [node.startIndex - whole.startIndex, node.endIndex - whole.startIndex];
  const isList = from === 0;
  return isList
    ? target.namedChildren.at(0)?.text === name
    : whole.text.slice(0, from) + name + whole.text.slice(to) === target.text;
}

/** A size becomes a number that has a name: `sum / values.length` becomes `sum / window`. */
function* sizes(facts: Facts, node: Node): Iterable<Edit> {
  if (!SIZE.test(node.text) || !facts.is(node, "call", "field") || facts.isCalled(node)) return;
  const own = facts.kind(node);
  for (const { name, kind } of facts.namesAt(node.startIndex))
    if (facts.isNumber(own) && facts.isNumber(kind) && facts.fits(kind, own) && !isItself(facts, node, name))
      yield edit("size_to_name", node, name, 0.2);
}

const SIZE = /(?:\.|->)(?:length|size|len)(?:\(\))?$|^len\([\w.]+\)$/;

const isReceiver = (facts: Facts, node: Node): boolean =>
  facts.is(node.parent, "field") ||
  (facts.is(node.parent, "call") && facts.receiver(node.parent as Node)?.id === node.id);

/** Whether values of two kinds may have a method in common: the compiler knows the types of others. */
function haveLikeMethods(facts: Facts, a: string, b: string): boolean {
  const isOther = (kind: string) =>
    /^[A-Za-z_]\w*$/.test(kind) && !facts.isNumber(kind) && !/^(?:str|bool)$/.test(kind);
  const [one, other] = [a, b].map((kind) => (kind.startsWith("[") ? "list" : kind === "char" ? "str" : kind));
  return one === other || (isOther(a) && other === "list") || (isOther(b) && one === "list");
}

function* calls(facts: Facts, node: Node, { siblings }: CompiledTables): Iterable<Edit> {
  if (!facts.is(node, "call")) return;
  const called = facts.called(node);
  const found = facts.argumentsOf(node);
  const receiver = facts.receiver(node);
  for (const group of siblings.filter((names) => called && names.includes(called.text)))
    for (const other of group) if (called && other !== called.text) yield edit("function", called, other);
  if (facts.is(node.parent, "statement") && !facts.is(node.parent, "return")) return;
  const own = facts.kind(node);
  // A method of a value seldom returns its argument: `text.charAt(at)` is not `at`.
  const isOf = receiver !== null && facts.kind(receiver) !== "";
  for (const [at, one] of found.entries())
    if (facts.fits(facts.kind(one), own))
      yield edit("unwrap", node, facts.inPlace(one.text, node), at * 0.15 + (isOf ? 0.7 : 0));
  // A receiver that is not a value is a package or a type.
  if (receiver && facts.isExpression(receiver)) {
    if (facts.fits(facts.kind(receiver), own)) yield edit("unwrap", node, facts.inPlace(receiver.text, node), 0.3);
    for (const one of found) yield* exchanged(facts, { receiver, argument: one, called: called?.text ?? "" });
  }
}

const COMPARES = /^(?:partial_cmp|total_cmp|cmp|compareTo|compareToIgnoreCase|compare)$/;

/** `a.cmp(&b)` becomes `b.cmp(&a)`: what has no known kind is of one where it is compared, or reads alike. */
function* exchanged(
  facts: Facts,
  { receiver, argument, called }: { receiver: Node; argument: Node; called: string },
): Iterable<Edit> {
  const inner = argument.text.startsWith("&") ? (argument.namedChildren.at(-1) ?? argument) : argument;
  const [own, other] = [facts.kind(receiver), facts.kind(argument)];
  const shape = ({ text }: Node) => text.replace(/[A-Za-z_]\w*/g, "_");
  const isAlike = COMPARES.test(called) || (shape(receiver) !== "_" && shape(receiver) === shape(inner));
  if (own !== other || inner.text === receiver.text || (own === "" && !isAlike)) return;
  const isOdd = facts.is(inner, "text") && called !== "equals";
  yield {
    operator: "swap_arguments",
    changes: [replace(receiver, facts.inPlace(inner.text, receiver)), replace(inner, receiver.text)],
    extra: isOdd ? UNLIKELY : 0,
  };
}

function* lists(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.is(node, "arguments")) return;
  const found = facts.argumentsOf(node);
  // Items of a list seldom stand in a wrong order.
  const isDisplay = facts.is(node, "display");
  for (let first = 0; first < found.length; first++)
    for (let second = first + 1; second < found.length; second++) {
      const [a, b] = [found[first], found[second]];
      if (!a || !b || a.text === b.text) continue;
      yield {
        operator: "swap_arguments",
        changes: [replace(a, b.text), replace(b, a.text)],
        extra: (second - first > 1 ? 0.5 : 0) + (isDisplay ? 0.6 : 0),
      };
    }
  if (found.length < 2) return;
  for (const [at, one] of found.entries()) {
    const [before, after] = [found[at - 1], found[at + 1]];
    const span = before
      ? { startIndex: before.endIndex, endIndex: one.endIndex }
      : { startIndex: one.startIndex, endIndex: after?.startIndex ?? one.endIndex };
    yield edit("drop_argument", span, "");
  }
}

/** Where a number off by one is likely. */
function isCounted(facts: Facts, node: Node): boolean {
  const { parent } = node;
  if (!parent || facts.is(node, "number", "character", "parentheses")) return false;
  const sign = facts.is(parent, "binary") ? (facts.operator(parent)?.text ?? "") : "";
  if (/^[-+]$/.test(sign) && facts.is(parent.namedChildren.at(-1), "number")) return false;
  // `x + 1` with one more or less is another number.
  const own = facts.is(node, "binary") ? (facts.operator(node)?.text ?? "") : "";
  return !(/^[-+]$/.test(own) && facts.is(node.namedChildren.at(-1), "number"));
}

function* near(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.isExpression(node) || !facts.isNumber(facts.kind(node)) || !isCounted(facts, node)) return;
  if (facts.is(node.parent, "update", "field") || facts.isWritten(node)) return;
  const isBound =
    facts.is(node.parent, "index", "slice", "range") ||
    isCompared(facts, node) ||
    facts.is(facts.parent(node), "return");
  const one = facts.written("1", /^f\d+$/.test(facts.kind(node)));
  for (const sign of ["-", "+"] as const) {
    const usual = isMiddle(facts, node) ? MIDDLE : isOtherSign(facts, node, sign) ? 1 : isBound ? 0.1 : 0.3;
    const extra = usual + (isOwnCall(facts, node) ? UNLIKELY : 0);
    const text = `${isSum(facts, node) ? node.text : side(facts, node)} ${sign} ${one}`;
    yield edit("plus_minus_one", node, isCompared(facts, node) ? text : facts.inPlace(text, node), extra);
  }
}

/** Halves go on beside their middle: `lo = mid + 1`. */
const MIDDLE = -0.7;
const isMiddle = (facts: Facts, node: Node): boolean =>
  /^mid(?:dle)?$/.test(node.text) && facts.is(facts.parent(node), "assignment");

/** What needs no parentheses before one more. */
const isSum = (facts: Facts, node: Node) =>
  facts.is(node, "binary") && ARITHMETIC.test(facts.operator(node)?.text ?? "");

/** Whether `x + 1 > y` is another way to write `x >= y`: then another sign is meant. */
function isOtherSign(facts: Facts, node: Node, sign: "-" | "+"): boolean {
  const { parent } = node;
  const compared = facts.is(parent, "binary") && parent ? (facts.operator(parent)?.text ?? "") : "";
  if (!parent || !/^[<>]=?$/.test(compared)) return false;
  const isLeft = parent.childForFieldName("left")?.id === node.id;
  // On the left of `>` and `<=` more by one gives the other sign, on the right less by one.
  return ([">", "<="].includes(compared) === isLeft) === (sign === "+");
}

const isCompared = (facts: Facts, { parent }: Node) =>
  facts.is(parent, "binary") && /^(?:[<>]=?|[=!]==?)$/.test(facts.operator(parent as Node)?.text ?? "");

/** What putting something around a value is called, by its kind; around a number it has two names. */
const WRAPPED: Readonly<Record<string, string>> = {
  str: "wrap_string",
  "[num]": "sort_unique",
  "[str]": "sort_unique",
  StringBuilder: "wrap_string",
};

function* wraps(facts: Facts, node: Node, { wrap }: CompiledTables): Iterable<Edit> {
  // Another number is written for a number.
  if (!facts.isExpression(node) || facts.is(node, "parentheses", "number") || facts.isWritten(node)) return;
  // Before another method of a text one more may be called.
  const isObject = facts.is(node.parent, "field");
  const isChained = isObject && facts.kind(node) === "str" && facts.isCalled(node.parent as Node);
  if (facts.is(node.parent, "update") || (isObject && !isChained)) return;
  for (const [at, template] of facts.rowsFor(wrap, facts.kind(node), facts.typeOf(node)).entries()) {
    const isSmall = facts.is(node, "name");
    if (template.startsWith("-") && !facts.mayBeNegative(node)) continue;
    if (isChained && !/^\{_\}\.\w+\(\)$/.test(template)) continue;
    const isSigned = template.startsWith("{_}.") && facts.is(node, "cast", "unary", "range");
    const inner = isSigned ? `(${node.text})` : side(facts, node);
    const text = template.replaceAll("{_}", /^[\w.]+\(\{_\}\)$/.test(template) ? node.text : inner);
    const isList = facts.kind(node).startsWith("[");
    if (isList && facts.receiver(node.parent as Node)?.id === node.id) continue;
    const operator = WRAPPED[facts.kind(node)] ?? (/[*/]/.test(template) ? "scale" : "wrap_number");
    const usual = at * 0.1 + (isSmall ? 0.5 : 0) + (isList ? 0.5 : 0);
    yield edit(operator, node, facts.inPlace(text, node), isWrappedBeside(facts, node, template) ? BESIDE : usual);
  }
}

/** What one side of an operator has around it is likely missing on the other: `abs(dx) + dy`. */
const BESIDE = -2;

/** Also where two declarations or assignments stand one behind the other: `dx = abs(a); dy = b`. */
function isWrappedBeside(facts: Facts, { parent, id, text }: Node, template: string): boolean {
  const [before = "", behind = ""] = template.split("{_}");
  const isIt = (other: string) => other.startsWith(before) && other.endsWith(behind);
  if (!parent || !/[a-z]/.test(template)) return false;
  if (parent.namedChildren.some((one) => one && one.id !== id && isIt(one.text))) return true;
  const own = facts.is(parent, "statement", "declaration") ? parent : parent.parent;
  const isValue = own !== null && facts.is(own, "statement") && own.text.replace(/;$/, "").endsWith(`= ${text}`);
  const all = isValue ? (own.parent?.namedChildren ?? []) : [];
  const at = all.findIndex((one) => one?.id === own?.id);
  const givenBy = (one: Node | null | undefined) => one?.text.replace(/^[^=]*= /, "").replace(/;$/, "") ?? "";
  return [all[at - 1], all[at + 1]].some((one) => at >= 0 && isIt(givenBy(one)));
}

function* indexed(facts: Facts, node: Node): Iterable<Edit> {
  if (facts.isWritten(node) || facts.is(node.parent, "update")) return;
  if (facts.is(node, "index")) {
    const inside = facts.argumentsOf(node).at(-1);
    const index = facts.is(inside, "number", "name", "binary", "call") ? inside : inside?.namedChildren.at(0);
    if (index) yield edit("index", node, facts.inPlace(index.text, node), 0.5);
    return;
  }
  const own = facts.kind(node);
  if (facts.indexKind !== "") yield* itemsFor(facts, node, own);
  if (!facts.is(node, "name") || facts.isTarget(node)) return;
  if (!facts.isNumber(own) || (facts.indexKind !== "" && own !== facts.indexKind)) return;
  for (const { name, kind } of facts.namesAt(node.startIndex))
    if (facts.itemOf(kind) === own) yield edit("index", node, `${name}[${node.text}]`, 0.5);
}

/** Items of a kind, by what can be an index: `at as i32` becomes `list[at]`. */
function* itemsFor(facts: Facts, node: Node, own: string): Iterable<Edit> {
  const isCast = facts.is(node, "cast");
  if (own === "" || !(isCast || (facts.is(node, "name") && !facts.isTarget(node)))) return;
  const value = isCast ? node.childForFieldName("value") : null;
  const names = facts.namesAt(node.startIndex);
  const places = names.filter(({ kind }) => kind === facts.indexKind).map(({ name }) => name);
  if (value && facts.kind(value) === facts.indexKind && !places.includes(value.text)) places.push(value.text);
  for (const { name, kind } of names)
    if (kind.startsWith("[") && facts.itemOf(kind) === own)
      for (const place of places)
        if (place !== node.text) yield edit("index", node, `${name}[${place}]`, place === value?.text ? 0 : 0.5);
}

const MOST_COPIED = 48;

const sources = new WeakMap<Facts, readonly Node[]>();
/** Copied into one place. */
const MOST_SOURCES = 300;

/** Expressions that may be copied; of many those that stand nearest. */
function sourcesNear(facts: Facts, node: Node): readonly Node[] {
  const isSource = (one: Node) =>
    facts.is(one, "call", "index", "binary", "conditional", "cast", "unary") ||
    (facts.is(one, "field") && !facts.isCalled(one)) ||
    (facts.is(one, "name") && !facts.isTarget(one)) ||
    facts.is(one, "character");
  const all = sources.get(facts) ?? facts.nodes.filter((one) => isSource(one) && one.text.length <= MOST_COPIED);
  sources.set(facts, all);
  if (all.length <= MOST_SOURCES) return all;
  const at = all.findIndex(({ startIndex }) => startIndex >= node.startIndex);
  const from = Math.max(0, Math.min(all.length - MOST_SOURCES, (at === -1 ? all.length : at) - MOST_SOURCES / 2));
  return all.slice(from, from + MOST_SOURCES);
}

/** What stands elsewhere in the function in place of an expression of its kind. */
function* copies(facts: Facts, node: Node): Iterable<Edit> {
  if (!facts.isExpression(node) || facts.isWritten(node) || facts.is(node.parent, "update")) return;
  const kind = facts.kind(node);
  if (kind === "" || facts.is(node, "parentheses")) return;
  const seen = new Set([node.text]);
  for (const other of sourcesNear(facts, node)) {
    const isSwap = facts.is(other, "name");
    if ((isSwap && facts.is(node, "name")) || seen.has(other.text)) continue;
    const own = facts.kind(other);
    const isNumber = facts.is(node, "number");
    if (facts.is(other, "character") && !isCharacter(facts, node)) continue;
    const isCounted = isNumber && isSwap && facts.isNumber(own) && !node.text.includes(".");
    const isSame = own === kind || isCounted || (!isNumber && !facts.is(other, "number") && facts.isLike(own, kind));
    if (!isSame || (kind === "bool" && facts.is(node, "truth"))) continue;
    seen.add(other.text);
    const isInside = other.startIndex >= node.startIndex && other.endIndex <= node.endIndex;
    if (!facts.canStand(other, node.startIndex)) continue;
    // `a / 10` in place of its own `a` does the same twice.
    const isAround = other.startIndex <= node.startIndex && other.endIndex >= node.endIndex;
    const extra = (isInside ? 0 : 0.3) + (isAround || isItself(facts, node, other.text) ? UNLIKELY : 0);
    yield edit("copy_expression", node, facts.inPlace(other.text, node), extra);
  }
}

/** A name of one, or one of a text. */
const isCharacter = (facts: Facts, node: Node): boolean =>
  /^(?:char|rune|byte|u8)$/.test(facts.typeOf(node)) ||
  (facts.is(node, "index") && facts.kind(node.namedChildren.at(0) ?? null) === "str");

/** `this.now()`: what an object gives when it is asked is seldom changed by a number. */
const isOwnCall = (facts: Facts, node: Node): boolean =>
  facts.is(node, "call") && /^(?:this|self)(?:\.|->)/.test(node.text);

/** A name more: `x` becomes `x - y`. */
function* combined(facts: Facts, node: Node, { symbols }: CompiledTables): Iterable<Edit> {
  const wholes = "//" in symbols ? ["//"] : [];
  const own = facts.kind(node);
  const unlikely = isOwnCall(facts, node) ? UNLIKELY : 0;
  if (!facts.isExpression(node) || !facts.isNumber(own) || facts.isWritten(node)) return;
  if (facts.is(node, "number", "character", "parentheses") || facts.is(node.parent, "update", "field")) return;
  for (const { name, kind } of facts.namesAt(node.startIndex)) {
    if (facts.isNumber(kind) && facts.fits(kind, own) && name !== node.text)
      for (const [at, sign] of ["-", "+", "*", ...wholes, "/", "%"].entries()) {
        const text = facts.inPlace(`${side(facts, node)} ${sign} ${name}`, node);
        const twice = speaksOf(node.text, name) ? UNLIKELY : 0;
        yield edit("combine_name", node, text, 0.3 + at * 0.1 + unlikely + twice);
      }
    // What is left of a whole: `size - (end - begin)`.
    const isWhole = facts.isNumber(kind) && facts.fits(kind, own) && !speaksOf(node.text, name);
    if (isWhole && facts.is(node, "binary") && signOf(facts, node) === "-")
      yield edit(
        WHOLE.test(name) ? "rest" : "combine_name",
        node,
        facts.inPlace(`${name} - ${side(facts, node)}`, node),
        0.3,
      );
  }
}

/** Names of sizes. */
const WHOLE = /^(?:[A-Z][A-Z0-9_]*|[nN]|\w*(?:[sS]ize|[cC]apacity|[lL]ength|[cC]ount|[tT]otal|[wW]idth|[lL]imit))$/;

const MOST_NUMBERS = 4;

/** A number of the function or of the instruction more: `x` becomes `x % 60`. */
function* combinedTold(facts: Facts, node: Node, { symbols }: CompiledTables, literals: Literals): Iterable<Edit> {
  const wholes = "//" in symbols ? ["//", "+", "-"] : [];
  const own = facts.kind(node);
  if (!facts.isExpression(node) || !facts.isNumber(own) || facts.isWritten(node)) return;
  if (facts.is(node, "number", "character", "parentheses") || facts.is(node.parent, "update", "field", "index")) return;
  const written = facts.nodes.filter((one) => facts.is(one, "number")).map(({ text }) => text);
  if (/^(?:char|rune|byte)$/.test(facts.typeOf(node))) return;
  const known = [...new Set([...written, ...literals.numbers])].filter((text) => !/^-?[01](?:\.0)?$/.test(text));
  for (const [at, number] of known.slice(0, MOST_NUMBERS).entries())
    for (const [index, sign] of ["%", "/", "*", ...wholes].entries()) {
      const plain = isSum(facts, node) && /[*/%]/.test(signOf(facts, node));
      const text = `${plain ? node.text : side(facts, node)} ${sign} ${number}`;
      const unlikely = isOwnCall(facts, node) || /^(?:this|self)\b/.test(node.text) ? UNLIKELY : 0;
      yield edit("combine_told", node, facts.inPlace(text, node), at * 0.1 + index * 0.1 + unlikely);
    }
}

const signOf = (facts: Facts, node: Node): string => facts.operator(node)?.text ?? "";

/** `(double) (a / b)` becomes `(double) a / b`: the whole is made another type, and not its parts. */
function* distributed(facts: Facts, node: Node): Iterable<Edit> {
  const isCast = facts.is(node, "cast");
  const isConversion = facts.is(node, "call") && facts.isNumber(facts.called(node)?.text ?? "");
  if (!isCast && !isConversion) return;
  const value = isCast ? node.childForFieldName("value") : facts.argumentsOf(node).at(0);
  const inner = facts.is(value, "parentheses") ? value?.namedChildren.at(0) : value;
  const [left, right] = [inner?.childForFieldName("left"), inner?.childForFieldName("right")];
  if (!value || !inner || !left || !right || !/^[-+*/]$/.test(signOf(facts, inner))) return;
  const [before, behind] = [
    facts.program.slice(node.startIndex, value.startIndex),
    facts.program.slice(value.endIndex, node.endIndex),
  ];
  const made = (one: Node) => `${before}${isCast ? side(facts, one) : one.text}${behind}`;
  yield edit("regroup", node, facts.inPlace(`${made(left)} ${signOf(facts, inner)} ${made(right)}`, node));
}

/** What is always given becomes what is asked of a name: `return true` becomes `return open.isEmpty()`. */
function* asked(facts: Facts, node: Node, tables: CompiledTables): Iterable<Edit> {
  if (!facts.is(node, "truth") || !facts.is(facts.parent(node), "return")) return;
  for (const one of facts.namesAt(node.startIndex))
    for (const [at, text] of askedOf(facts, tables, one, node.startIndex).entries())
      yield edit("build_bool", node, text, at * 0.1);
}

/** What a search for the largest or the smallest begins with: the end of all numbers, or the first of a list. */
function* begun(facts: Facts, node: Node, { initial }: CompiledTables): Iterable<Edit> {
  const isGiven = facts.isIndented && facts.is(node.parent, "assignment") && signOf(facts, node.parent as Node) === "=";
  const isBegin = isGiven || facts.is(facts.parent(node), "declaration") || /declarator$/.test(node.parent?.type ?? "");
  if (!facts.is(node, "number") || !(isBegin || isFilling(facts, node))) return;
  const usual = isExtreme(facts, node) ? EXTREME : 0.4;
  for (const [at, text] of facts.rowsFor(initial, facts.kind(node)).entries())
    yield edit("number", node, text, usual + at * 0.1);
  for (const { name, kind } of facts.namesAt(node.startIndex))
    for (const template of facts.isNumber(kind) ? [] : facts.rowsFor(initial, kind))
      yield edit("number", node, template.replaceAll("{_}", name), 0.6);
}

/** What a search for an extreme begins with is likely one. */
const EXTREME = -1.5;

/** Whether a name that begins with the number is given larger or smaller values behind it. */
function isExtreme(facts: Facts, node: Node): boolean {
  const [, name] = /([A-Za-z_]\w*) *(?::[^=,;\n]*)?=\s*$/.exec(facts.program.slice(0, node.startIndex)) ?? [];
  if (name === undefined) return false;
  const called = `\\b${name} *= *(?:\\w+[.:]+)*(?:max|min)\\w*\\b|\\b${name}\\.(?:max|min)\\(`;
  const compared = `\\bif\\b.*(?:[<>]=? *${name}\\b|\\b${name} *[<>]).*\n?.*\\b${name} *= *\\w`;
  return new RegExp(`${called}|${compared}`).test(facts.program.slice(node.endIndex, facts.function.endIndex));
}

/** Whether a list is filled with a number: `vec![0; n]`, `[0] * n`, `vector<int> a(n, 0)`, `a.fill(0)`. */
function isFilling(facts: Facts, node: Node): boolean {
  let around = node.parent;
  while (around && !facts.is(around, "statement", "block")) around = around.parent;
  const before = facts.program.slice(around?.startIndex ?? 0, node.startIndex);
  const behind = facts.program.slice(node.endIndex, around?.endIndex);
  const isFirst = /\b(?:vec!\s*|\w*[fF]ill|repeat)[([]$/.test(before) || (/\[$/.test(before) && /^\] \*/.test(behind));
  return isFirst || (/\b(?:vector<.*|fill\(|assign\().*, *$/.test(before) && /^\)/.test(behind));
}

/** In the order in which an edit that several make is named. */
export const EXPRESSION_EDITS: readonly Maker[] = [
  ...[signs, operands, exchangedTerms, distributed, numbers, begun, texts, variables, sizes, calls, lists, near, wraps],
  ...[indexed, copies, combined, combinedTold, asked],
];
