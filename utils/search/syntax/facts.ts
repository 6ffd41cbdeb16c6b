/** What is known of a function: its nodes, the names that can be used at a place, and the kinds of its expressions. */

import { type Callable, type Field, type Outside, outsideOf, ownerOf, plainType, type Use } from "../outside.ts";
import type { Declared, Grammar, Node, Role } from "./grammar.ts";

export interface Name {
  name: string;
  /** As written. */
  type: string;
  /** `num`, `bool`, `str`, `[num]` for a list of numbers, `{str:num}` for a map, or the type as written. */
  kind: string;
  /** Where it can be used, as offsets. */
  from: number;
  to: number;
  /** What a comprehension goes over, where it has none of its names yet. */
  except?: Node | null;
}

/** What runs have shown: kinds of values by the place of an expression, `START END`, and by a name. */
export interface SeenKinds {
  places: ReadonlyMap<string, string>;
  names: ReadonlyMap<string, string>;
}

export class Facts {
  readonly program: string;
  readonly function: Node;
  /** Where the code of its body begins. */
  readonly from: number;
  /** Of the function's body, outer ones first. */
  readonly nodes: Node[] = [];
  readonly names: Name[] = [];
  /** The type whose method the function is. */
  readonly owner: string | null;
  readonly #outside: Outside;
  #uses: Use[] | undefined;
  #values: (readonly [owner: string, name: string])[] | undefined;
  readonly #grammar: Grammar;
  readonly #roles = new Map<string, Set<Role>>();
  readonly #named = new Map<number, readonly Name[]>();
  readonly #kinds = new Map<number, string>();
  readonly #visible = new Map<number, readonly Name[]>();
  /** Whether all names are known, so that what is found of them stays. */
  #isRead = false;

  readonly #seen: SeenKinds | undefined;

  constructor(grammar: Grammar, program: string, found: Node, seen?: SeenKinds) {
    this.#grammar = grammar;
    this.#seen = seen;
    this.program = program;
    this.function = found;
    for (const [role, kinds] of Object.entries(grammar.kinds) as [Role, readonly string[]][])
      for (const kind of kinds) this.#roles.set(kind, (this.#roles.get(kind) ?? new Set()).add(role));
    this.owner = ownerOf(grammar, found);
    this.#outside = outsideOf(grammar, found.root);
    for (const { name, type, kind } of this.#declaredOutside())
      this.names.push({ name, type, kind, from: 0, to: program.length });
    this.#walk(found, found.endIndex);
    this.#isRead = true;
    const body = this.body;
    this.from = this.isIndented ? this.#codeFrom(body) : body.startIndex + (this.isValue ? 0 : 1);
    this.nodes = this.nodes.filter(
      (node) => (node.startIndex >= this.from && (node !== body || this.isValue)) || this.#isInDefault(node),
    );
  }

  /** Takes what stands outside of the function as a part of it. */
  include(node: Node): void {
    if (node.isNamed) this.nodes.push(node);
    for (const child of node.children) this.include(child);
  }

  /** Where a block begins, behind the text that says what the function does. */
  #codeFrom(body: Node): number {
    const [first] = body.namedChildren;
    const isText = first !== undefined && first.namedChildren.length === 1 && this.is(first.namedChildren[0], "text");
    return isText ? first.endIndex : body.startIndex;
  }

  /** True where blocks are what is indented. */
  get isIndented(): boolean {
    return this.#grammar.isIndented ?? false;
  }

  /** Whether a node is within the value that a parameter has where none is given. */
  #isInDefault(node: Node): boolean {
    for (let one = node; one.parent && one !== this.function; one = one.parent)
      if (this.is(one.parent, "default")) return one === one.parent.children.at(-1);
    return false;
  }

  get body(): Node {
    return this.function.childForFieldName("body") ?? this.function;
  }

  /** Whether the body is the value that it gives, as in `(x) => x * 2`. */
  get isValue(): boolean {
    const isBlock = this.is(this.body, "block") || this.body.text.startsWith("{");
    return this.body !== this.function && !isBlock;
  }

  /** As written; empty where the function gives nothing. */
  get resultType(): string {
    return this.#grammar.resultOf(this.function);
  }

  get resultKind(): string {
    return this.kindOfType(this.resultType);
  }

  is(node: Node | null | undefined, ...roles: Role[]): boolean {
    const own = node && this.#roles.get(node.type);
    return own ? roles.some((role) => own.has(role)) : false;
  }

  /** Kinds of nodes that have any of these roles. */
  kindsOf(...roles: Role[]): string[] {
    return roles.flatMap((role) => this.#grammar.kinds[role]);
  }

  #walk(node: Node, end: number): void {
    if (node.isNamed) this.nodes.push(node);
    const isScope = this.isIndented ? this.is(node, "scope") : this.is(node, "block", "loop", "if", "scope");
    // Without a bracket at the end of a block, what is put behind its last statement stands where the block ends.
    const inner = isScope ? node.endIndex + Number(this.isIndented) : end;
    for (const one of this.#grammar.declares(node)) {
      const from = this.#startOf(node, one);
      if (this.isIndented && this.names.some((own) => own.name === one.name && own.from > 0 && own.to >= inner))
        continue;
      const kind = this.#seen?.names.get(one.name) ?? this.#kindOfDeclared(one);
      this.names.push({
        name: one.name,
        type: one.type,
        kind,
        from,
        to: inner,
        except: one.isAround ? node.childForFieldName("right") : null,
      });
    }
    for (const child of node.children) if (child) this.#walk(child, inner);
  }

  #startOf(node: Node, { isAround, each }: Declared): number {
    if (isAround) return node.parent?.startIndex ?? node.startIndex;
    if (!this.is(node, "each")) return node.endIndex;
    return each?.endIndex ?? node.childForFieldName("right")?.endIndex ?? node.startIndex;
  }

  /** Variables of the file, and fields that a method names as it names its own variables. */
  #declaredOutside(): Pick<Name, "name" | "type" | "kind">[] {
    const variables = this.#outside.variables.map((one) => ({ ...one, kind: this.#kindOfDeclared(one) }));
    const fields = this.#grammar.namesFields ? this.fieldsOf(this.owner) : [];
    return [...variables, ...fields.map((one) => ({ ...one, kind: this.kindOfType(one.type) }))];
  }

  #kindOfDeclared({ type, value, each, path, isKey = false }: Declared): string {
    if (type !== "" && !/\b(?:auto|var|let)\b/.test(type)) return this.#grammar.kindOf(type);
    if (each && path) {
      const whole = this.kind(each);
      const item = this.itemOf(whole, true);
      const pair = whole.startsWith("{") ? `(${keyOf(whole)},${item})` : item;
      return path.reduce((kind, at) => this.#grammar.kindOf(partOf(kind, at)), pair);
    }
    if (each) return isKey ? keyOf(this.kind(each)) : this.itemOf(this.kind(each), true);
    return value ? this.kind(value) : "";
  }

  /** Names that can be used at an offset; of two of one name the inner. */
  namesAt(offset: number): readonly Name[] {
    const known = this.#visible.get(offset);
    if (known) return known;
    const found = new Map<string, Name>();
    const isLeftOut = ({ except }: Name) => except && except.startIndex <= offset && offset < except.endIndex;
    for (const one of this.names)
      if (one.from <= offset && offset < one.to && !isLeftOut(one)) found.set(one.name, one);
    const all = [...found.values()];
    if (this.#isRead) this.#visible.set(offset, all);
    return all;
  }

  nameAt(text: string, offset: number): Name | undefined {
    return this.namesAt(offset).find(({ name }) => name === text);
  }

  /**
   * Whether all names in a node mean at an offset what they mean where it stands; those that it declares do not count.
   */
  canStand(node: Node, offset: number): boolean {
    return this.#namesIn(node).every((own) => this.nameAt(own.name, offset) === own);
  }

  /** Those in it that are declared outside of it. */
  #namesIn(node: Node): readonly Name[] {
    const known = this.#named.get(node.id);
    if (known) return known;
    const all = [node, ...node.descendantsOfType("identifier")].filter((one) => this.is(one, "name"));
    const found = all.flatMap((one) => {
      const own = one ? this.nameAt(one.text, one.startIndex) : undefined;
      return own && !(node.startIndex <= own.from && own.from <= node.endIndex) ? [own] : [];
    });
    this.#named.set(node.id, found);
    return found;
  }

  condition(node: Node): Node | null {
    return this.#grammar.condition(node);
  }

  /** What is called: `f` of `f(x)` and of `a.f(x)`. */
  called(node: Node): Node | null {
    const named = node.childForFieldName("name") ?? node.childForFieldName("macro");
    if (named) return named;
    const found = functionOf(node);
    return (found && this.member(found)) ?? lastOf(found);
  }

  /** `b` of `a.b`. */
  member(field: Node): Node | null {
    const names = ["field", "property", "attribute"];
    return names.map((name) => field.childForFieldName(name)).find((one) => one !== null) ?? null;
  }

  /** `a` of `a.f(x)`. */
  receiver(node: Node): Node | null {
    const direct = node.childForFieldName("object");
    if (direct) return direct;
    const found = functionOf(node);
    return found ? this.object(found) : null;
  }

  /** `a` of `a.b`. */
  object(node: Node): Node | null {
    const names = ["object", "argument", "operand", "value"];
    return names.map((name) => node.childForFieldName(name)).find((one) => one !== null) ?? null;
  }

  argumentsOf(node: Node): Node[] {
    const list = this.is(node, "call") ? node.childForFieldName("arguments") : node;
    return [...(list?.namedChildren ?? [])];
  }

  operator(node: Node): Node | null {
    return node.childForFieldName("operator") ?? node.children.find((one) => one !== null && !one.isNamed) ?? null;
  }

  /** Kind of an expression; empty if unknown. */
  kind(node: Node | null): string {
    if (!node) return "";
    const known = this.#kinds.get(node.id);
    if (known !== undefined) return known;
    const found = this.#kindOf(node);
    if (this.#isRead) this.#kinds.set(node.id, found);
    return found;
  }

  #kindOf(node: Node): string {
    const seen = this.#seen?.places.get(`${node.startIndex} ${node.endIndex}`);
    if (seen !== undefined) return seen;
    if (this.is(node, "number", "character")) return "num";
    if (this.is(node, "text")) return "str";
    if (this.is(node, "truth")) return /^(?:true|false)$/i.test(node.text) ? "bool" : "none";
    if (this.is(node, "name")) return this.nameAt(node.text, node.startIndex)?.kind ?? "";
    if (this.is(node, "parentheses")) return this.kind(node.namedChildren.at(0) ?? null);
    if (this.is(node, "update")) return "num";
    if (this.is(node, "cast")) return this.#grammar.kindOf(node.childForFieldName("type")?.text ?? "");
    if (this.is(node, "unary"))
      return /^(?:!|not)$/.test(this.operator(node)?.text ?? "")
        ? "bool"
        : this.kind(node.namedChildren.at(-1) ?? null);
    if (this.is(node, "conditional")) return this.kind(node.childForFieldName("consequence"));
    if (this.is(node, "index")) {
      const [whole, place] = [this.kind(node.namedChildren.at(0) ?? null), node.namedChildren.at(-1)];
      return this.is(place, "range") ? whole : this.itemOf(whole);
    }
    if (this.is(node, "slice")) return this.kind(node.namedChildren.at(0) ?? null);
    if (this.is(node, "group"))
      return node.namedChildren.length === 1 ? this.kind(node.namedChildren.at(0) ?? null) : "";
    if (this.is(node, "display")) return this.#grammar.kindOf(node.type);
    if (this.is(node, "list")) return this.#grammar.kindOf(node.childForFieldName("type")?.text ?? "");
    if (this.is(node, "range")) return `<${this.#kindOfBounds(node)}>`;
    if (this.is(node, "call", "macro")) {
      const own = this.#kindOfOwn(node);
      if (own !== "") return own;
      const receiver = this.kind(this.receiver(node));
      return this.#grammar.gives(this.called(node)?.text ?? "", receiver, node, (one) => this.kind(one)) ?? "";
    }
    if (this.is(node, "field") && !this.is(node.parent, "call")) return this.#kindOfField(node);
    if (!this.is(node, "binary")) return "";
    const sign = this.operator(node)?.text ?? "";
    if (/^(?:[<>!=]=|[=!]==|[<>]|&&|\|\||and|or|(?:not )?in|is(?: not)?)$/.test(sign)) return "bool";
    const [left, right] = [this.kind(node.childForFieldName("left")), this.kind(node.childForFieldName("right"))];
    if (sign === "+" && right === "str") return right;
    return left === "" || (left === "num" && right !== "") ? right : left;
  }

  /** Kind of what a function of the file gives, or a method of this object. */
  #kindOfOwn(call: Node): string {
    const [receiver, called] = [this.receiver(call), this.called(call)];
    const owner = receiver ? this.typeNameOf(receiver) : null;
    if (!called || owner === "") return "";
    const given = this.argumentsOf(call).length;
    const found = this.callables.filter((one) => one.name === called.text && one.parameters === given);
    const own = found.find((one) => one.owner === owner || (receiver === null && one.owner === this.owner));
    return own ? this.kindOfType(own.result) : "";
  }

  /** Kind of `values.length` or `point.x`, which are not calls. */
  #kindOfField(node: Node): string {
    const [object, field] = [this.object(node), this.member(node)];
    if (!object || !field) return "";
    const declared = this.fieldsOf(this.typeNameOf(object)).find(({ name }) => name === field.text);
    if (declared) return this.#grammar.kindOf(declared.type);
    return this.#grammar.gives(field.text, this.kind(object), node, (one) => this.kind(one)) ?? "";
  }

  /** Of a type of the file. */
  fieldsOf(type: string | null): Field[] {
    return this.#outside.fields.filter(({ owner }) => owner === type);
  }

  get callables(): readonly Callable[] {
    return this.#outside.callables;
  }

  /** Fields and methods of values that the file uses anywhere. */
  get uses(): readonly Use[] {
    this.#uses ??= this.#usesIn(this.function.root);
    return this.#uses;
  }

  #usesIn(root: Node): Use[] {
    const found: Use[] = [];
    for (const node of root.descendantsOfType(this.kindsOf("field", "call"))) {
      if (!node || (this.is(node, "field") && this.isCalled(node))) continue;
      const isCall = this.is(node, "call");
      const receiver = isCall ? this.receiver(node) : this.object(node);
      const name = isCall ? this.called(node) : this.member(node);
      const given = isCall ? this.argumentsOf(node).length : null;
      if (receiver && name) found.push({ receiver: receiver.text, name: name.text, given });
    }
    return found;
  }

  /** The values of an enumeration of the file. */
  valuesOf(type: string): string[] {
    this.#values ??= this.function.root
      .descendantsOfType(["enum_constant", "enum_variant", "enumerator"])
      .flatMap((one) => {
        const [owner, name] = [one?.parent?.parent?.childForFieldName("name"), one?.childForFieldName("name")];
        return owner && name && one?.childForFieldName("body") === null ? [[owner.text, name.text] as const] : [];
      });
    return this.#values.flatMap(([owner, name]) => (owner === type ? [name] : []));
  }

  /** True for `a.f` of `a.f(x)`. */
  isCalled(node: Node): boolean {
    return this.is(node.parent, "call") && functionOf(node.parent as Node)?.id === node.id;
  }

  /** Name of a value's type without type arguments; empty if unknown. */
  typeNameOf(value: Node): string {
    return /^\(?\*?(?:this|self)\)?$/.test(value.text) ? (this.owner ?? "") : plainType(this.kind(value));
  }

  /** Kind of a range, from its first bound that is not a plain number. */
  #kindOfBounds(node: Node): string {
    const kinds = node.namedChildren.map((one) => this.kind(one)).filter((one) => one !== "" && one !== "num");
    return kinds[0] ?? "num";
  }

  /** The inner node of a wrapper statement; other statements themselves. */
  core(statement: Node): Node {
    return (this.is(statement, "wrapper") ? statement.namedChildren.at(0) : null) ?? statement;
  }

  /** True for kinds that may be confused. */
  isLike(one: string, other: string): boolean {
    return one === other || (one !== "" && other !== "" && this.fits(one, other));
  }

  /** Kind of an index, where only that kind is one; empty where all numbers are. */
  get indexKind(): string {
    return this.#grammar.indexed ?? "";
  }

  /** False where a number below zero cannot stand: its own kind, or that of what it is used with, has none. */
  mayBeNegative(node: Node): boolean {
    const isUnsigned = this.#grammar.isUnsigned;
    if (!isUnsigned) return true;
    const { parent } = node;
    if (isUnsigned(this.kind(node)) || (this.is(parent, "index") && parent?.namedChildren.at(0)?.id !== node.id))
      return false;
    const beside = this.is(parent, "binary", "assignment", "range", "parentheses") ? (parent?.namedChildren ?? []) : [];
    if (beside.some((one) => one !== null && isUnsigned(this.kind(one)))) return false;
    const type = this.is(parent, "declaration") ? parent?.childForFieldName("type")?.text : undefined;
    if (type !== undefined && isUnsigned(this.kindOfType(type))) return false;
    return (
      !(this.is(parent, "binary", "range") && parent && this.is(parent.parent, "index", "range", "binary")) ||
      this.mayBeNegative(parent)
    );
  }

  kindOfType(type: string): string {
    return this.#grammar.kindOf(type);
  }

  /** Whether a name that a declaration gives is used within other nodes and nothing else has that name there. */
  isNeeded(declaration: Node, within: readonly (Node | null)[]): boolean {
    const own = this.names.filter(({ from }) => declaration.startIndex < from && from <= declaration.endIndex);
    const isOuter = (name: string) => this.names.some((one) => one.name === name && one.from < declaration.startIndex);
    const names = own.filter(({ name }) => !isOuter(name)).map(({ name }) => name);
    const uses = (node: Node) => names.includes(node.text) && node.type === "identifier";
    return within.some(
      (one) =>
        one !== null &&
        (uses(one) || one.descendantsOfType("identifier").some((inner) => inner !== null && uses(inner))),
    );
  }

  /** `number` as it is written for a kind. */
  written(number: string, isFraction: boolean): string {
    return this.#grammar.written?.(number, isFraction) ?? number;
  }

  /** True for an expression, by where it stands. */
  isExpression(node: Node): boolean {
    const expressions = ["binary", "unary", "update", "call", "index", "name", "number", "text", "character"] as const;
    const more = ["truth", "conditional", "parentheses", "cast", "field", "slice", "display"] as const;
    if (!this.is(node, ...expressions, ...more) || this.is(node, "statement")) return false;
    const { parent } = node;
    if (!parent) return false;
    if (this.is(node, "name")) return this.nameAt(node.text, node.startIndex) !== undefined && !this.isTarget(node);
    return true;
  }

  /** True for a name that is called, a part of a qualified one, or that is being declared. */
  isTarget(node: Node): boolean {
    const { parent } = node;
    if (!parent || (this.is(parent, "field") && this.member(parent)?.id === node.id)) return true;
    if (["pattern", "macro"].some((name) => parent.childForFieldName(name)?.id === node.id)) return true;
    const around = this.parent(node);
    const isNew = !(this.isIndented && this.is(around, "assignment"));
    const left = around?.childForFieldName("left") ?? null;
    if (around && isNew && isWithin(node, left) && this.#grammar.declares(around).length > 0) return true;
    if (parent.type === "keyword_argument" && parent.childForFieldName("name")?.id === node.id) return true;
    const isCalled = this.is(parent, "call") && this.called(parent)?.id === node.id;
    return isCalled || /declarator|parameter|qualified|template(?!_sub)|_list$|labeled|pattern|spec$/.test(parent.type)
      ? !(this.is(parent, "arguments") || /argument_list|expression_list/.test(parent.type)) &&
          parent.childForFieldName("value")?.id !== node.id
      : false;
  }

  /** True for what is given a value: on the left of `=`. */
  isWritten(node: Node): boolean {
    const around = this.parent(node);
    return this.is(around, "assignment") && isWithin(node, around?.childForFieldName("left") ?? null);
  }

  /** What a node stands in; lists of expressions that every statement has are left out. */
  parent(node: Node): Node | null {
    const { parent } = node;
    return parent && this.is(parent, "group") ? parent.parent : parent;
  }

  isNumber(kind: string): boolean {
    return this.#grammar.isNumber(kind);
  }

  itemOf(kind: string, isEach = false): string {
    return this.#grammar.itemOf(kind, isEach);
  }

  /** False where both kinds are known and one cannot stand for the other. */
  fits(one: string, other: string): boolean {
    // A number as it is written is of any kind of numbers, an empty list of any kind of lists.
    const isOpen = (a: string, b: string) => (a === "num" && this.isNumber(b)) || (a === "[]" && b.startsWith("["));
    return one === "" || other === "" || one === other || isOpen(one, other) || isOpen(other, one);
  }

  /** Of a name that is declared with one, as written; else empty. */
  typeOf(node: Node): string {
    return this.is(node, "name") ? (this.nameAt(node.text, node.startIndex)?.type ?? "") : "";
  }

  /**
   * Rows of a table for a kind: its own, and those of all lists or all numbers.
   * @param type as declared: a character may be of the kind of numbers
   */
  rowsFor(table: Readonly<Record<string, readonly string[]>>, kind: string, type = ""): string[] {
    const plain = type.replace(/\b(?:const|final)\b|&|\s/g, "");
    const ofType = plain !== kind && Object.hasOwn(table, plain) ? (table[plain] ?? []) : [];
    const general = GENERAL.find(([pattern]) => pattern.test(kind))?.[1] ?? (this.isNumber(kind) ? "num" : "");
    const pointed = /^\*|\*$/.test(plain || kind) ? (table["*"] ?? []) : [];
    return [...new Set([...pointed, ...ofType, ...(table[kind] ?? []), ...(table[general] ?? [])])];
  }

  /** What the line of an offset begins with. */
  indentAt(offset: number): string {
    return /^[ \t]*/.exec(this.program.slice(this.program.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
  }

  /** What a line is indented more than the one around it. */
  get indentUnit(): string {
    return /^(\t| {2,8})\S/m.exec(this.program)?.[1] ?? "    ";
  }

  /** Kind of what is put into a list or a set, or of a map's keys. */
  heldBy(kind: string): string {
    return kind.startsWith("{") ? keyOf(kind) : (/^<(.*)>$/.exec(kind)?.[1] ?? this.itemOf(kind));
  }

  lineAt(offset: number): number {
    return this.program.slice(0, offset).split("\n").length;
  }

  /** An expression's text where another one stands: in parentheses where signs are around it. */
  inPlace(text: string, node: Node): string {
    const isPlain = isAtom(text) || /^"[^"]*"$|^'[^']*'$/.test(text);
    const tight = ["binary", "unary", "field", "cast", "index", "conditional", "range", "tight"] as const;
    // Signs of a condition, or of a value to choose, bind more than the choice.
    const isChosen = this.is(node.parent, "conditional") && !/\?|=>|\bif\b|\blambda\b/.test(text);
    const isLoose = !node.parent || isChosen || !this.is(node.parent, ...tight);
    const isIndexed = this.is(node.parent, "index") && node.parent?.namedChildren.at(0)?.id !== node.id;
    return isPlain || isLoose || isIndexed ? text : `(${text})`;
  }
}

const IN_BRACKETS = /\([^()[\]]*\)|\[[^()[\]]*\]/g;

/** Whether a text is a name or something in brackets, with its calls, fields and items: no sign stands in it alone. */
function isAtom(text: string): boolean {
  let [now, before] = [text.replaceAll("?.", "."), ""];
  while (now !== before) [now, before] = [now.replace(IN_BRACKETS, ""), now];
  return /^[\w.:]*$/.test(now);
}

/** Kinds that have rows for all of their sort. */
const GENERAL: readonly [RegExp, string][] = [
  [/^\[/, "[]"],
  [/\?$/, "?"],
  [/^\{.*:bool\}$/, "{:bool}"],
  [/^[<{]/, "<>"],
  [/^[A-Z]\w*$/, "object"],
];

/** Without the types that it is given: `f` of `f::<T>(x)`. */
function functionOf(call: Node): Node | null {
  const found = call.childForFieldName("function") ?? call.childForFieldName("constructor");
  return found?.type === "generic_function" ? found.childForFieldName("function") : found;
}

/** `seconds` of `std::chrono::seconds`. */
function lastOf(qualified: Node | null): Node | null {
  const inner = qualified?.childForFieldName("name");
  return inner ? lastOf(inner) : qualified;
}

/** Of `(a,b)` the first or the second; empty where there is none. */
function partOf(kind: string, at: number): string {
  const inside = /^\((.*)\)$/.exec(kind)?.[1] ?? "";
  let depth = 0;
  const parts = [""];
  for (const one of inside) {
    depth += "([{<".includes(one) ? 1 : ")]}>".includes(one) ? -1 : 0;
    if (one === "," && depth === 0) parts.push("");
    else parts.push(parts.pop() + one);
  }
  return parts[at] ?? "";
}

const keyOf = (kind: string): string => /^\{([^{}:]*):/.exec(kind)?.[1] ?? "int";

const isWithin = (node: Node, other: Node | null): boolean =>
  other !== null && other.startIndex <= node.startIndex && node.endIndex <= other.endIndex;
