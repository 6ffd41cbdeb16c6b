/** Statements put in: usual ones for a name, those of other places and functions, and an `if` with other values. */

import type { Facts, Name } from "../syntax/facts.ts";
import type { Node } from "../syntax/grammar.ts";
import type { CompiledTables } from "../tables.ts";
import { type Edit, speaksOf, UNLIKELY } from "./edit.ts";
import type { Literals } from "./literals.ts";
import { aboutName } from "./rewrites.ts";
import { askedOf, before, behind, isChanged, isInLoop, laidOut, moved, nextOf, statementsOf } from "./statements.ts";

/** Where a statement can be put in: before a node, or behind the last of a block. */
interface Place {
  node: Node;
  isLast: boolean;
  inLoop: boolean;
}

function placesOf(facts: Facts): Place[] {
  const found = new Map<string, Place>();
  for (const node of statementsOf(facts)) {
    const parent = node.parent;
    if (!facts.is(parent, "block", "section") || facts.is(node, "block")) continue;
    const inLoop = isInLoop(facts, node);
    found.set(`${node.startIndex}`, { node, isLast: false, inLoop });
    if (!nextOf(facts, node) && !facts.is(facts.core(node), "return", "jump"))
      found.set(`${node.endIndex} ${facts.indentAt(node.startIndex)}`, { node, isLast: true, inLoop });
  }
  for (const node of [facts.body, ...facts.nodes]) {
    const value = facts.is(node, "block") ? node.namedChildren.at(-1) : null;
    // What a block gives: statements come before it.
    if (value && facts.isExpression(value))
      found.set(`${value.startIndex}`, { node: value, isLast: false, inLoop: isInLoop(facts, value) });
  }
  return [...found.values()];
}

/** The line of the statement behind a place; behind the last statement, that of the one before. */
function lineBeside({ program }: Facts, offset: number, isLast: boolean): string {
  const end = program.indexOf("\n", offset);
  return isLast
    ? program.slice(program.lastIndexOf("\n", offset - 1) + 1, offset)
    : program.slice(offset, end === -1 ? undefined : end);
}

/** The text of the innermost loop around a place; empty if there is none. */
function loopAround(facts: Facts, offset: number): string {
  const around = facts.nodes.filter(
    (node) => facts.is(node, "loop") && node.startIndex < offset && offset < node.endIndex,
  );
  return around.toSorted((a, b) => a.endIndex - a.startIndex - (b.endIndex - b.startIndex))[0]?.text ?? "";
}

/** What a statement costs more that gives a name a value which has got one elsewhere. */
const MORE_CHANGED = 1.6;

/** Names of constants. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Statements put in: what is usually done with a name, or with it and another, what leaves, and copies of others. */
export function* insertions(facts: Facts, tables: CompiledTables): Iterable<Edit> {
  const copied = new Map<string, Node>();
  for (const node of statementsOf(facts)) {
    const isShort = node.text.length < 80 && !facts.is(node, "declaration", "block");
    if (isShort && !copied.has(node.text)) copied.set(node.text, node);
  }
  const siblings = siblingsOf(facts).filter((text) => !copied.has(text));
  for (const { node: beside, isLast, inLoop } of placesOf(facts)) {
    const offset = isLast ? beside.endIndex : beside.startIndex;
    const names = facts.namesAt(offset).filter(({ name }) => !CONSTANT.test(name));
    const put = (operator: string, text: string, extra: number): Edit => ({
      operator,
      changes: [isLast ? behind(facts, beside, text) : before(facts, offset, text)],
      extra,
    });
    const loop = inLoop ? loopAround(facts, offset) : "";
    const made = (template: string, name: string) =>
      laidOut(facts, beside.startIndex, template.replaceAll("{_}", name));
    // No compiler lets a constant be changed.
    const variables = names.filter(({ type }) => !/\bconst\b/.test(type));
    for (const { name, kind } of variables)
      if (isChanged(loop, name))
        for (const template of facts.rowsFor(tables.reset, kind)) yield put("reset", made(template, name), 0);
    for (const { name, kind } of variables)
      for (const [index, template] of facts.rowsFor(tables.insert, kind).entries())
        for (const [text, extra] of aboutName(facts, template, name, offset)) {
          const operator = speaksOf(lineBeside(facts, offset, isLast), name) ? "effect" : "distant_effect";
          yield put(operator, laidOut(facts, beside.startIndex, text), index * 0.15 + (inLoop ? 0.3 : 0) + extra);
        }
    for (const own of names)
      for (const [text, operator, extra] of givenTo(facts, tables, own, names))
        for (const [shown, unlikely] of inLoop || operator !== "collect"
          ? [[text, 0] as const]
          : flushed(facts, tables, text, names))
          yield put(operator, laidOut(facts, beside.startIndex, shown), extra + unlikely);
    // Before other statements a jump leaves these without use.
    if (inLoop && isLast) for (const jump of tables.jumps) yield put("jump", jump, 0);
    for (const text of siblings)
      if (canBeRead(facts, text, offset)) yield put("sibling_statement", text, inLoop ? 0.3 : 0);
    for (const node of copied.values()) {
      const isHere = node.startIndex <= offset && offset <= node.endIndex;
      const isTwice = facts.program.slice(node.endIndex, offset).trim() === "" && offset > node.endIndex;
      if (isHere || !facts.canStand(node, offset)) continue;
      const operator = isOfOtherBranch(facts, node, beside) ? "branch_statement" : "copy_statement";
      yield put(operator, moved(facts, node, beside.startIndex), 0.2 + (isTwice ? UNLIKELY : 0));
    }
  }
}

/** Whether a statement is done in another branch than one beside it: also behind an `if` whose branch leaves. */
function isOfOtherBranch(facts: Facts, node: Node, beside: Node): boolean {
  const [choice, last] = [choiceAround(facts, beside), beside.parent?.namedChildren.at(-1)];
  if (!choice || !last || facts.is(facts.core(node), "return", "jump", "if", "loop") || node.parent === beside.parent)
    return false;
  const isBehind = node.parent === choice.parent && choice.endIndex <= node.startIndex;
  return choice === choiceAround(facts, node) || (isBehind && facts.is(facts.core(last), "return", "jump"));
}

/** The whole `if`, `switch` or the like in whose branch a statement stands; null where there is none. */
function choiceAround(facts: Facts, statement: Node): Node | null {
  let found = statement.parent;
  const isListed = (one: Node) => facts.is(one.parent, "block", "section") && !facts.is(one, "block");
  while (found && found.id !== facts.function.id && !isListed(found)) found = found.parent;
  return found && found.id !== facts.function.id && !facts.is(facts.core(found), "loop") ? found : null;
}

/** What another function does beside a statement that this one has, too: `this.count = 0` beside `this.sum = 0`. */
export function* neighbours(facts: Facts): Iterable<Edit> {
  const own = new Map(statementsOf(facts).map((one) => [one.text, one]));
  const isOther = ({ startIndex, endIndex }: Node) =>
    endIndex <= facts.function.startIndex || facts.function.endIndex <= startIndex;
  const all = facts.function.root.descendantsOfType(facts.kindsOf("statement")).filter(isOther);
  for (const first of all) {
    const second = nextOf(facts, first);
    if (!second) continue;
    const [here, after] = [own.get(first.text), own.get(second.text)];
    if (here && !after && isMissing(facts, second, here.endIndex))
      yield { operator: "neighbour", changes: [behind(facts, here, second.text)], extra: 0 };
    if (after && !here && isMissing(facts, first, after.startIndex))
      yield { operator: "neighbour", changes: [before(facts, after.startIndex, first.text)], extra: 0.2 };
  }
}

/** Whether a short statement of another function may stand at a place. */
const isMissing = (facts: Facts, node: Node, offset: number): boolean =>
  node.text.length < MOST_SIBLING_CHARS && !node.text.includes("\n") && canBeRead(facts, node.text, offset);

const MOST_SIBLINGS = 24;

/** Short statements of the file's other functions: what is done there may be missing here. */
function siblingsOf(facts: Facts): string[] {
  const found = new Set<string>();
  const { root } = facts.function;
  for (const node of root.descendantsOfType(facts.kindsOf("statement"))) {
    const isOwn = facts.function.startIndex <= node.startIndex && node.endIndex <= facts.function.endIndex;
    const core = facts.is(node, "assignment", "update") ? node : node.namedChildren.at(0);
    const isPlain = facts.is(core, "call", "assignment", "update") && node.text.length < MOST_SIBLING_CHARS;
    if (!isOwn && isPlain) found.add(node.text);
  }
  return [...found].slice(0, MOST_SIBLINGS);
}

const MOST_SIBLING_CHARS = 60;

/** Whether each word of a text that is no member of another means something at a place. */
const canBeRead = (facts: Facts, text: string, offset: number): boolean =>
  (text.replace(/"[^"]*"|'[^']*'/g, "").match(/(?<![\w.])[A-Za-z_]\w*/g) ?? []).every(
    (word) =>
      facts.nameAt(word, offset) !== undefined ||
      /^(?:this|self|true|false|null|nil|none)$/i.test(word) ||
      facts.callables.some(({ name }) => name === word),
  );

/** Statements that give a name a value, or collect in it; a parameter gets one within a list's size. */
function* givenTo(
  facts: Facts,
  tables: CompiledTables,
  own: Name,
  names: readonly Name[],
): Iterable<[text: string, operator: string, extra: number]> {
  const isOwn = own.from > facts.body.startIndex;
  const isStill = !isChanged(facts.program.slice(own.from, own.to), own.name);
  for (const [index, template] of facts.rowsFor(tables.given, own.kind).entries()) {
    if (!isOwn && !template.includes("{list}")) continue;
    for (const other of namesFor(facts, template, own, names)) {
      const text = template.replaceAll("{_}", own.name).replaceAll(/\{(?:item|other|list)\}/g, other);
      yield [text, template.includes("{item}") ? "collect" : "assign", index * 0.15 + (isStill ? 0 : MORE_CHANGED)];
    }
  }
}

/** Whether a statement puts what is in a name into another. */
const isHeld = (text: string, name: string) => new RegExp(`^(?!${name}\\b).*[(, *&]${name}[),]`).test(text);

/** What is left at the end is collected where there is something: alone, and under what is asked of its names. */
function* flushed(
  facts: Facts,
  tables: CompiledTables,
  text: string,
  names: readonly Name[],
): Iterable<[text: string, extra: number]> {
  yield [text, 0];
  const { guarded } = tables;
  for (const one of names.filter(({ name }) => isHeld(text, name)))
    for (const [at, condition] of askedOf(facts, tables, one, facts.body.endIndex - 1).entries())
      yield [guarded.replace("{condition}", () => condition).replace("{statement}", () => text), 0.2 + at * 0.1];
}

/** Names for a placeholder: `{other}` has the kind of the name, `{item}` that of its items, `{list}` is a list. */
function namesFor(facts: Facts, template: string, own: Name, names: readonly Name[]): string[] {
  const others = names.filter(({ name }) => name !== own.name);
  if (template.includes("{list}"))
    return others.filter(({ kind }) => /^\[|^str$|\[\]$/.test(kind)).map(({ name }) => name);
  if (!template.includes("{item}"))
    return others
      .filter(({ kind }) => kind === own.kind || own.kind === "none" || facts.isLike(kind, own.kind))
      .map(({ name }) => name);
  const item = facts.heldBy(own.kind);
  // If the kind of its items is unknown, any plain value fits.
  const isPlain = (kind: string) => facts.isNumber(kind) || kind === "str" || kind === "bool";
  const isItem = ({ kind }: Name) => (item === "" ? isPlain(kind) : kind === item || facts.isLike(kind, item));
  return others.filter(isItem).map(({ name }) => name);
}

const MOST_LIKE_CHARS = 120;
const MOST_LITERALS = 3;
/** Of one `if`, at one place. */
const MOST_LIKES = 16;

/** Before and after each `if` with a few literals, a copy with literals of the instruction in their places. */
export function* likes(facts: Facts, literals: Literals): Iterable<Edit> {
  for (const node of facts.nodes.filter((one) => facts.is(one, "if"))) {
    const statement = facts.is(node.parent, "wrapper") && node.parent ? node.parent : node;
    const isAlone = facts.is(statement.parent, "block") && node.childForFieldName("alternative") === null;
    if (!isAlone || statement.text.length > MOST_LIKE_CHARS) continue;
    const indent = facts.indentAt(statement.startIndex);
    for (const copy of copiesOf(facts, statement, literals)) {
      // The last case of a chain is missing more often than one in between.
      const next = statement.nextNamedSibling;
      const isBetween = next !== null && facts.is(facts.core(next), "if");
      yield like(statement.endIndex, `\n${indent}${copy}`, isBetween ? 0.3 : 0);
      yield like(statement.startIndex, `${copy}\n${indent}`, 0.4);
    }
  }
}

const like = (at: number, text: string, extra: number): Edit => ({
  operator: "like_statement",
  changes: [{ start: at, end: at, text }],
  extra,
});

/** Copies in which all numbers and texts become ones that the function does not have. */
function copiesOf(facts: Facts, statement: Node, literals: Literals): string[] {
  const own = facts.nodes.filter(
    (one) =>
      facts.is(one, "number", "text") && statement.startIndex <= one.startIndex && one.endIndex <= statement.endIndex,
  );
  if (own.length === 0 || own.length > MOST_LITERALS) return [];
  const written = new Set(facts.nodes.filter((one) => facts.is(one, "number", "text")).map(({ text }) => text));
  const others = own.map((one) => {
    const known = facts.is(one, "number") ? literals.numbers : literals.texts.map((text) => JSON.stringify(text));
    return known.filter((text) => !written.has(text));
  });
  let made = [statement.text];
  // The last first, so that the places of those before it stay.
  for (const [at, { startIndex, endIndex }] of [...own.entries()].toReversed()) {
    const [start, end] = [startIndex - statement.startIndex, endIndex - statement.startIndex];
    made = made.flatMap((text) => (others[at] ?? []).map((other) => text.slice(0, start) + other + text.slice(end)));
    made = made.slice(0, MOST_LIKES);
  }
  return made;
}

/** `java.util.regex.Matcher`. */
const QUALIFIED = /(?<![\w.])(java(?:\.[a-z]+)+)\.([A-Z]\w*)/g;

/** With short names of what the file imports, and in the function an import of each module that it does not. */
export function withModules(facts: Facts, { modules }: CompiledTables): (edit: Edit) => Edit {
  const missing = modules.filter((name) => !isImported(facts, name));
  const [first] = facts.body.namedChildren.filter((one) => one.startIndex >= facts.from);
  const short = (text: string) =>
    text.replace(QUALIFIED, (all, path: string, name: string) =>
      [`import ${path}.${name};`, `import ${path}.*;`].some((one) => facts.program.includes(one)) ? name : all,
    );
  return (edit) => {
    const needed = missing.filter((name) => edit.changes.some(({ text }) => isUsed(text, name)));
    const imports = first ? needed.map((name) => before(facts, first.startIndex, `import ${name}`)) : [];
    const changes = edit.changes.map((one) => (one.text.includes("java.") ? { ...one, text: short(one.text) } : one));
    return { ...edit, changes: [...imports, ...changes] };
  };
}

const isUsed = (text: string, module: string) => text.includes(`${module}.`) && hasWord(text, `${module}\\.`);
const hasWord = (text: string, pattern: string) => new RegExp(`(?<![\\w.])${pattern}`).test(text);

/** Whether a file has the name at all: for another thing, too. */
const isImported = ({ program }: Facts, name: string) => hasWord(program, `${name}(?!\\w)`);
