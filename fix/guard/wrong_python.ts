/** Tests in Python whose expectations are wrong. */

import type { Node } from "../../utils/search/syntax/tree.ts";
import type { TextEdit } from "../project/edits.ts";
import type { Draw } from "./draw.ts";
import { callOf, Expectations, isCall, isText, opposites, sidesOf, TOLERANT, unwrapped } from "./expectations.ts";

const EQUAL = /^(?:eq_?|assert_?(?!.*not).*(?:equals?|allclose|close)(?:_.*|ing)?)$/i;
const TRUE = /^(?:assertTrue|assertFalse|assert_|ok_)$/;
const CALLED = /^assert_(?:called|any|has).*(?:with|call)/;
/** Errors that tests rarely expect. */
const RAISED = [
  [
    /^(?:raises|assertRaises|assertRaisesRegex|assert_raises)$/,
    ["ZeroDivisionError", "StopAsyncIteration", "BufferError", "EOFError"],
  ],
  [/^(?:warns|assertWarns|assertWarnsRegex)$/, ["ImportWarning", "BytesWarning", "UnicodeWarning"]],
] as const;
const OPPOSITE = opposites([
  ["assertIsNone", "assertIsNotNone"],
  ["assertIn", "assertNotIn"],
  ["assertIs", "assertIsNot"],
  ["assertRegex", "assertNotRegex"],
  ["assertIsInstance", "assertNotIsInstance"],
  ["assertNotEqual", "assertEqual"],
  ["assertGreater", "assertLessEqual"],
  ["assertLess", "assertGreaterEqual"],
  ["assert_called", "assert_not_called"],
]).set("assert_called_once", "assert_not_called");
const INSTEAD_OF = { None: "0", "[]": "[0]", "()": "(0,)", "{}": "{0: 0}" };
const STATEMENTS = ["assert_statement", "expression_statement", "with_statement"];
/** More are not looked at. */
const [MOST_USES, MOST_MARKS] = [200, 20];
const DOCUMENTED = ["module", "class_definition", "function_definition"];

/** What a statement can tell of the function that it stands in. */
interface Scope {
  /** Values that a test is given by name, row by row. */
  columns: ReadonlyMap<string, readonly Node[]>;
  /** Where each name stands. */
  names: ReadonlyMap<string, readonly Node[]>;
}

export class PythonExpectations extends Expectations {
  readonly #text: string;
  readonly #token: string;
  readonly #isOwn: boolean;
  /** The statement that is changed. */
  #now: { statement: Node; scope: Scope } | null = null;

  /** @param isOwn true where source stands beside the tests: what is not in a test stays */
  constructor(text: string, draw: Draw, token: string, isOwn: boolean) {
    super(draw, { not: ["not (", ")"], unlike: ["(", ", 0)"], insteadOf: INSTEAD_OF });
    this.#text = text;
    this.#token = token;
    this.#isOwn = isOwn;
  }

  change(root: Node): void {
    const scopes = new Map<Node, Scope>();
    for (const statement of root.descendantsOfType(STATEMENTS)) {
      const around = ancestorsOf(statement);
      const test = around.findLast(({ type }) => type === "function_definition");
      const outside = this.#isOwn ? /^(?:class_definition|if_statement)$/ : /^class_definition$/;
      const isFree = !around.some(({ type }) => outside.test(type));
      if (!(test ? !this.#isOwn || isTest(test) : isFree)) continue;
      const scope = scopes.get(test ?? root) ?? scopeOf(test ?? root);
      scopes.set(test ?? root, scope);
      this.#now = { statement, scope };
      if (this.#statement(statement)) this.reaching.push(this.#failing(statement));
      const isPlain = test === undefined && statement.type === "assert_statement" && statement.parent === root;
      if (isPlain) this.starts.push(this.#failing(statement));
    }
    for (const one of root.descendantsOfType("function_definition")) {
      const [first] = one.childForFieldName("body")?.namedChildren ?? [];
      const isInner = ancestorsOf(one).some(({ type }) => type === "function_definition");
      if (first && !isInner && isTest(one)) this.starts.push(this.#failing(first));
    }
    for (const one of root.descendantsOfType(DOCUMENTED)) this.#examples(one);
  }

  #statement({ type, namedChildren }: Node): boolean {
    const [first] = namedChildren;
    if (!first) return false;
    if (type === "assert_statement") return this.condition(first);
    const calls = type === "with_statement" ? first.namedChildren.map(managed) : [unwrapped(first)];
    return calls.filter(isCall).filter((one) => this.#call(one)).length > 0;
  }

  /** Changes an assertion that is a call; false where it is none. */
  #call(call: Node): boolean {
    const { name, word, given } = callOf(call);
    const [first, second] = given;
    const all = call.childForFieldName("arguments");
    if (!word || !all) return false;
    const [, errors] = RAISED.find(([pattern]) => pattern.test(name)) ?? [];
    const [error] = this.draw.shuffled((errors ?? []).filter((one) => !first?.text.includes(one)));
    if (first && error !== undefined) return this.put(first, error);
    if (EQUAL.test(name) && first && second)
      return this.expected(first, second, TOLERANT.test(name) || all.namedChildren.length > 2);
    if (TRUE.test(name) && first) return this.opposite(first);
    const opposite = OPPOSITE.get(name);
    if (opposite !== undefined && word.parent?.type === "attribute") return this.put(word, opposite);
    if (!CALLED.test(name)) return false;
    const at = all.startIndex + 1;
    this.wrong.push([at, at, all.namedChildren.length > 0 ? "0, " : "0"]);
    return true;
  }

  protected override condition(node: Node): boolean {
    const { type, children } = unwrapped(node);
    const [left, operator, right] = children;
    if (type === "boolean_operator" && operator?.text === "and" && left && right)
      return [left, right].filter((one) => this.condition(one)).length > 0;
    return super.condition(node);
  }

  protected expected(left: Node, right: Node, tolerant = false): boolean {
    const sides = [right, left];
    return (
      sides.some((one) => this.other(one, tolerant)) ||
      sides.some((one) => one.type === "identifier" && this.#variable(one.text, tolerant)) ||
      this.unlike(right)
    );
  }

  /** Changes the value of a variable that is only compared with. */
  #variable(name: string, tolerant: boolean): boolean {
    if (!this.#now) return false;
    const { scope, statement } = this.#now;
    const uses = (scope.names.get(name) ?? []).slice(0, MOST_USES);
    const stores = uses.filter(isStored);
    if (!uses.every((one) => isStored(one) || isCompared(one))) return false;
    const rows = scope.columns.get(name);
    if (rows) return rows.filter((one) => this.other(one, tolerant) || this.unlike(one)).length > 0;
    const [value, ...more] = stores.flatMap(({ parent, field }) =>
      field === "left" && parent?.type === "assignment" ? (parent.childForFieldName("right") ?? []) : [],
    );
    if (value && more.length === 0 && this.other(value, tolerant)) return true;
    return stores.length > 0 && this.#changedBefore(name, statement);
  }

  /** Gives a name another value before the statement: code that reads the test's variables finds the wrong one. */
  #changedBefore(name: string, { startIndex }: Node): boolean {
    const { line, indent } = this.#lineOf(startIndex);
    if (indent === null) return false;
    this.wrong.push([line, line, `${indent}${name} = (${name}, 0)\n`]);
    return true;
  }

  /** The start of a line, and what stands before a place in it; null where that is more than blanks. */
  #lineOf(at: number): { line: number; indent: string | null } {
    const line = this.#text.lastIndexOf("\n", at - 1) + 1;
    const before = this.#text.slice(line, at);
    return { line, indent: before.trim() === "" ? before : null };
  }

  /** Puts what fails before a statement, on its line where that can be. */
  #failing({ startIndex: at, type }: Node): TextEdit {
    const { line, indent } = this.#lineOf(at);
    const fails = `assert False, "${this.#token}"`;
    const isSimple = type === "assert_statement" || type === "expression_statement";
    return indent === null || isSimple ? [at, at, `${fails}; `] : [line, line, `${indent}${fails}\n`];
  }

  /** Changes what examples of a docstring print. */
  #examples(documented: Node): void {
    const statement = (documented.childForFieldName("body") ?? documented).namedChildren.at(0);
    const text = statement?.type === "expression_statement" ? statement.namedChildren.at(0) : undefined;
    if (text?.type !== "string") return;
    const [start, end] = [text.children.at(0)?.endIndex ?? 0, text.children.at(-1)?.startIndex ?? 0];
    const first = this.#lineOf(start).line;
    let isBegun = false;
    let example: TextEdit | null = null;
    let at = start;
    for (const line of this.#text.slice(start, end).split("\n")) {
      const [, indent] = /^( *)>>> /.exec(line) ?? [];
      const want = line.trim();
      if (indent !== undefined) {
        example = [at, at, `${indent}>>> raise AssertionError("${this.#token}")\n`];
        if (!isBegun && at > first) this.starts.push(example);
        isBegun = true;
      } else if (want === "") example = null;
      else if (example && !/^ *\.\.\.(?: |$)/.test(line)) {
        if (!/^(?:Traceback |\.\.\.)/.test(want)) {
          const place = at + line.indexOf(want);
          this.wrong.push([place, place + want.length, this.#printed(want)]);
          if (example[0] !== start) this.reaching.push(example);
        }
        example = null;
      }
      at += line.length + 1;
    }
  }

  #printed(want: string): string {
    if (/^-?\d+(?:\.\d+)?$/.test(want)) return this.draw.written(want);
    return { True: "False", False: "True" }[want] ?? this.draw.text(want);
  }
}

function ancestorsOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let at = node.parent; at; at = at.parent) found.push(at);
  return found;
}

/** The call of a context manager: `raises(E)` of `raises(E) as error`. */
function managed(item: Node): Node {
  const value = item.childForFieldName("value") ?? item;
  return value.type === "as_pattern" ? (value.namedChildren.at(0) ?? value) : value;
}

const isTest = (definition: Node): boolean =>
  [definition, ...ancestorsOf(definition).filter(({ type }) => type === "class_definition")].some((one) => {
    const name = one.childForFieldName("name")?.text.toLowerCase() ?? "";
    return one.type === "class_definition" ? name.includes("test") : name.startsWith("test");
  });

/** Names that get a value there. */
function isStored(name: Node): boolean {
  let at = name;
  while (at.parent && /^(?:pattern_list|tuple_pattern|list_pattern|as_pattern_target)$/.test(at.parent.type))
    at = at.parent;
  const { parent, field } = at;
  if (!parent) return false;
  if (/^(?:assignment|for_statement|for_in_clause)$/.test(parent.type)) return field === "left";
  if (/^(?:default_parameter|typed_default_parameter|named_expression)$/.test(parent.type)) return field === "name";
  return /^(?:parameters|lambda_parameters|typed_parameter)$/.test(parent.type) || field === "alias";
}

/** A side of `==`, or one of the two arguments of a call that compares. */
function isCompared(name: Node): boolean {
  const { parent } = name;
  if (!parent) return false;
  if (sidesOf(parent, "==")?.includes(name)) return true;
  const call = parent.type === "argument_list" ? parent.parent : null;
  if (!call || !isCall(call)) return false;
  const { name: called, given } = callOf(call);
  return EQUAL.test(called) && given.slice(0, 2).includes(name);
}

function scopeOf(around: Node): Scope {
  const marks = [around, ...ancestorsOf(around)]
    .filter(({ type }) => type === "decorated_definition")
    .flatMap(({ namedChildren }) => namedChildren.filter(({ type }) => type === "decorator"));
  const isName = ({ parent, field }: Node) =>
    field !== "attribute" && !(parent?.type === "keyword_argument" && field === "name");
  const names = new Map<string, Node[]>();
  for (const one of around.descendantsOfType("identifier").filter(isName)) {
    const known = names.get(one.text) ?? [];
    known.push(one);
    names.set(one.text, known);
  }
  const listed = marks.slice(0, MOST_MARKS).flatMap(({ namedChildren: [mark] }) => (mark ? columnsOf(mark) : []));
  return { columns: new Map(listed), names };
}

/** What `@pytest.mark.parametrize` gives a test by name. */
function columnsOf(mark: Node): [string, Node[]][] {
  const { name, given } = callOf(mark);
  const [named, listed] = given;
  if (name !== "parametrize" || !named || !listed) return [];
  const texts = (isText(named) ? named.text.split(",") : named.namedChildren.map(({ text }) => text)).map((one) =>
    one.replace(/^\W+|\W+$/g, ""),
  );
  const names = texts.filter((one) => one !== "");
  const rows = (valueIn(listed)?.namedChildren ?? []).map((row) =>
    isCall(row) && callOf(row).name === "param" ? callOf(row).given : names.length === 1 ? [row] : row.namedChildren,
  );
  if (rows.length === 0 || rows.some(({ length }) => length !== names.length)) return [];
  return names.map((one, i) => [one, rows.flatMap((row) => row[i] ?? [])]);
}

/** What names of a module stand for, by its root. */
const moduleValues = new WeakMap<Node, Map<string, Node>>();

function valueIn(node: Node): Node | null {
  if (node.type !== "identifier") return node;
  const values = moduleValues.get(node.root) ?? new Map<string, Node>();
  if (!moduleValues.has(node.root))
    for (const { namedChildren } of node.root.namedChildren) {
      const value = namedChildren[0]?.type === "assignment" ? namedChildren[0].childForFieldName("right") : null;
      if (value) values.set(namedChildren[0]?.childForFieldName("left")?.text ?? "", value);
    }
  moduleValues.set(node.root, values);
  return values.get(node.text) ?? null;
}
