/** What the search knows of the syntax and the types of Go. */

import { type Declared, type Grammar, lastNamed, type Node } from "../../syntax/grammar.ts";

const NUMBERS = new Set([
  ...["num", "int", "int8", "int16", "int64", "uint", "uint16", "uint32", "uint64", "uintptr"],
  ...["byte", "rune", "float32", "float64"],
]);
/** Two names of one type. */
const SAME: Readonly<Record<string, string>> = { string: "str", uint8: "byte", int32: "rune" };

/** A list is `[item]`, a map `{key:value}`; what is pointed at counts as it is written. */
function kindOf(type: string): string {
  const plain = type.trim();
  const [, item] = /^(?:\[\w*\]|\.\.\.)([\s\S]*)$/.exec(plain) ?? [];
  if (item !== undefined) return `[${kindOf(item)}]`;
  const [, key = "", value] = /^map\[([^[\]]*)\]([\s\S]*)$/.exec(plain) ?? [];
  return value === undefined ? (SAME[plain] ?? plain) : `{${kindOf(key)}:${kindOf(value)}}`;
}

const itemOf = (kind: string, isEach: boolean): string =>
  kind === "str"
    ? isEach
      ? "rune"
      : "byte"
    : (/^\[(.*)\]$/.exec(kind)?.[1] ?? /^\{[^{}:]*:(.*)\}$/.exec(kind)?.[1] ?? "");

/** What functions of the standard library give, by their names alone. */
const GIVES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    [
      ["int", "len cap Index LastIndex IndexByte IndexRune IndexAny Count Compare RuneCountInString SearchInts Intn"],
      ["float64", "Abs Floor Ceil Round Trunc Sqrt Cbrt Pow Mod Log Log2 Log10 Exp Max Min Hypot Inf NaN Sin Cos Tan"],
      ["str", "ToLower ToUpper Title TrimSpace Trim TrimLeft TrimRight TrimPrefix TrimSuffix Replace ReplaceAll"],
      ["str", "Repeat Join Itoa Sprintf Sprint FormatInt String"],
      ["bool", "HasPrefix HasSuffix Contains ContainsRune ContainsAny EqualFold IsUpper IsLower IsLetter IsDigit"],
      ["bool", "IsSpace IsPunct IsNaN IsInf DeepEqual"],
      ["[str]", "Split SplitN Fields"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

function gives(called: string, _: string, call: Node, kind: (node: Node | null) => string): string | null {
  const [first] = call.childForFieldName("arguments")?.namedChildren ?? [];
  if (called === "append") return kind(first ?? null);
  if (called === "make") return kindOf(first?.text ?? "");
  const conversion = kindOf(called);
  if (conversion === "str" || NUMBERS.has(conversion)) return conversion;
  return Object.hasOwn(GIVES, called) ? (GIVES[called] ?? null) : null;
}

/** Names of `i, v := range xs`, of `a, b := 1, 2`, of `var a, b int`, of parameters and named results. */
function declares(node: Node): Declared[] {
  const type = node.childForFieldName("type")?.text ?? "";
  if (/parameter_declaration$/.test(node.type)) {
    const given = node.type === "variadic_parameter_declaration" ? `...${type}` : type;
    return namesOf(node).map((name) => ({ name, type: given, value: null, each: null }));
  }
  if (node.type === "var_spec" || node.type === "const_spec") {
    const values = listOf(node.childForFieldName("value"));
    return namesOf(node).map((name, at) => ({
      name,
      type: type || (values.length > 0 ? typeOf(values[at]) : repeatedType(node)),
      value: values[at] ?? null,
      each: null,
    }));
  }
  const left = listOf(node.childForFieldName("left")).map((one) => (one.type === "identifier" ? one.text : "_"));
  if (node.type === "range_clause" && node.children.some((one) => one?.type === ":=")) {
    const each = node.childForFieldName("right");
    const found = left.map((name, at): Declared => ({ name, type: "", value: null, each, isKey: at === 0 }));
    return found.filter(({ name }) => name !== "_");
  }
  if (node.type !== "short_var_declaration") return [];
  const right = listOf(node.childForFieldName("right"));
  const types = right.length === left.length ? [] : typesOf(right[0], left);
  return left
    .map((name, at): Declared => {
      const value = types.length === 0 || types[at] === OWN ? (right[at] ?? null) : null;
      return { name, type: value ? typeOf(value) : (types[at] ?? ""), value, each: null };
    })
    .filter(({ name }) => name !== "_");
}

/** Stands for the type of an expression with one value: `m[k]` in `v, ok := m[k]`. */
const OWN = "=";
const SEVERAL: Readonly<Record<string, readonly string[]>> = {
  Cut: ["string", "string", "bool"],
  CutPrefix: ["string", "bool"],
  CutSuffix: ["string", "bool"],
  Atoi: ["int", "error"],
  ParseInt: ["int64", "error"],
  ParseFloat: ["float64", "error"],
  ParseBool: ["bool", "error"],
};

/** Types of the names that take the values of one expression: by its function's name, errors by their own. */
function typesOf(value: Node | undefined, names: readonly string[]): readonly string[] {
  if (value?.type === "index_expression") return [OWN, "bool"];
  const called = value?.childForFieldName("function");
  const known = SEVERAL[called?.childForFieldName("field")?.text ?? ""];
  return known ?? names.map((name) => (name === "err" ? "error" : ""));
}

/** Of a constant without a value: what is written before it counts again. */
function repeatedType(node: Node): string {
  const before = node.type === "const_spec" ? node.previousNamedSibling : null;
  const type = before?.childForFieldName("type")?.text ?? typeOf(listOf(before?.childForFieldName("value") ?? null)[0]);
  return before && type === "" ? repeatedType(before) : type;
}

/** Type of a name that is given a number as it is written. */
function typeOf(value: Node | null | undefined): string {
  if (value?.type === "unary_expression") return typeOf(value.childForFieldName("operand"));
  return LITERALS[value?.type ?? ""] ?? "";
}
const LITERALS: Readonly<Record<string, string>> = {
  int_literal: "int",
  float_literal: "float64",
  rune_literal: "rune",
};

const namesOf = (node: Node): string[] =>
  node.childrenForFieldName("name").flatMap((one) => (one?.type === "identifier" ? [one.text] : []));

const listOf = (node: Node | null): Node[] =>
  node?.type === "expression_list" ? node.namedChildren.filter((one): one is Node => one !== null) : node ? [node] : [];

export const goGrammar: Grammar = {
  wasm: "tree-sitter-go.wasm",
  kinds: {
    binary: ["binary_expression"],
    unary: ["unary_expression"],
    update: ["inc_statement", "dec_statement"],
    assignment: ["assignment_statement", "short_var_declaration"],
    call: ["call_expression"],
    index: ["index_expression"],
    field: ["selector_expression"],
    name: ["identifier"],
    number: ["int_literal", "float_literal"],
    text: ["interpreted_string_literal", "raw_string_literal"],
    character: ["rune_literal"],
    truth: ["true", "false"],
    conditional: [],
    parentheses: ["parenthesized_expression"],
    cast: ["type_conversion_expression"],
    list: ["composite_literal"],
    arguments: ["argument_list", "literal_value"],
    block: ["block", "statement_list"],
    if: ["if_statement"],
    else: [],
    loop: ["for_statement"],
    each: [],
    return: ["return_statement"],
    jump: ["break_statement", "continue_statement"],
    declaration: ["short_var_declaration", "var_declaration", "var_spec"],
    statement: [
      ...["expression_statement", "inc_statement", "dec_statement", "assignment_statement", "if_statement"],
      ...["for_statement", "return_statement", "break_statement", "continue_statement", "short_var_declaration"],
      ...["var_declaration", "expression_switch_statement", "type_switch_statement", "defer_statement"],
    ],
    clause: [],
    slice: ["slice_expression"],
    case: ["expression_case"],
    section: [],
    group: ["expression_list", "literal_element"],
    range: [],
    macro: [],
    scope: [],
    arm: [],
    wrapper: [],
    tight: [],
    type: ["type_spec"],
    member: ["field_declaration"],
    pattern: [],
    default: [],
    display: [],
  },
  functions: ["function_declaration", "method_declaration"],
  findFunction: (root, name) => lastNamed(root, "function_declaration", name),
  resultOf: (definition) => definition.childForFieldName("result")?.text ?? "",
  ownerOf: (definition) =>
    definition.childForFieldName("receiver")?.descendantsOfType("type_identifier").at(0)?.text ?? null,
  declares,
  kindOf,
  isNumber: (kind) => NUMBERS.has(kind),
  itemOf,
  gives,
  condition,
};

/** Of `for`, the condition alone or that between two semicolons; of a case without a value before it, what it asks. */
function condition(node: Node): Node | null {
  if (node.type === "expression_case") {
    const isPlain = node.parent?.childForFieldName("value") === null;
    const values = listOf(node.childForFieldName("value"));
    return isPlain && values.length === 1 ? (values[0] ?? null) : null;
  }
  if (node.type !== "for_statement") return node.childForFieldName("condition");
  const found = node.namedChildren.find((one) => one !== null && !/^(?:block|range_clause|comment)$/.test(one.type));
  return found?.type === "for_clause" ? found.childForFieldName("condition") : (found ?? null);
}
