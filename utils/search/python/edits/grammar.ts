/** What the search knows of the syntax and the types of Python. */

import { type Declared, type Grammar, lastNamed, type Node } from "../../syntax/grammar.ts";

const COMPREHENSIONS = [
  ...["list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression"],
];
const PATTERN = /^(?:pattern_list|tuple_pattern|list_pattern|list_splat_pattern|as_pattern_target)$/;

/** Names that a pattern binds. */
function boundIn(pattern: Node | null): string[] {
  if (!pattern) return [];
  if (pattern.type === "identifier") return [pattern.text];
  return PATTERN.test(pattern.type) ? pattern.namedChildren.flatMap(boundIn) : [];
}

const untyped = (name: string): Declared => ({ name, type: "", value: null, each: null });

/** A parameter: `a`, `a: int`, `a=1`, `a: int = 1`, `*a`. */
function parameter(node: Node): Declared[] {
  const named = node.childForFieldName("name") ?? (node.type === "identifier" ? node : node.namedChildren.at(0));
  const inner = named && /splat_pattern$/.test(node.type) ? named : (named ?? null);
  if (inner?.type !== "identifier") return inner ? boundIn(inner).map(untyped) : [];
  return [{ ...untyped(inner.text), type: node.childForFieldName("type")?.text ?? "" }];
}

function declares(node: Node): Declared[] {
  switch (node.type) {
    case "parameters":
    case "lambda_parameters":
      return node.namedChildren.flatMap(parameter);
    case "assignment": {
      const [left, value] = [node.childForFieldName("left"), node.childForFieldName("right")];
      if (left?.type !== "identifier") return boundIn(left).map(untyped);
      return [{ ...untyped(left.text), type: node.childForFieldName("type")?.text ?? "", value }];
    }
    case "named_expression":
      return boundIn(node.childForFieldName("name")).map(untyped);
    case "as_pattern":
      return boundIn(node.childForFieldName("alias")).map(untyped);
    case "for_statement":
    case "for_in_clause": {
      const left = node.childForFieldName("left");
      const isAround = node.type === "for_in_clause";
      if (left?.type !== "identifier") return boundIn(left).map((name) => ({ ...untyped(name), isAround }));
      return [{ ...untyped(left.text), each: node.childForFieldName("right"), isAround }];
    }
    default:
      return [];
  }
}

const SAME: Readonly<Record<string, string>> = {
  ...{ int: "num", float: "float", complex: "float", None: "none", integer: "num", string: "str" },
  ...{ Dict: "dict", dictionary: "dict", dictionary_comprehension: "dict", Tuple: "tuple", List: "[]", list: "[]" },
  ...{ set: "<>", Set: "<>", list_comprehension: "[]", Callable: "function" },
};

/** A list is `[item]`, a set `<item>`. */
function kindOf(type: string): string {
  const plain = type.trim().replace(/^(?:typing|t)\./, "");
  const [, outer = "", inner = ""] = /^(\w+)\[([\s\S]*)\]$/.exec(plain) ?? [];
  if (/^(?:[Ll]ist|Sequence|Iterable)$/.test(outer)) return `[${kindOf(inner)}]`;
  if (/^(?:[Ss]et|[Ff]rozen[Ss]et)$/.test(outer)) return `<${kindOf(inner)}>`;
  if (outer === "Optional") return kindOf(inner);
  if (/^[Dd]ict$/.test(outer)) return "dict";
  if (/^[Tt]uple$/.test(outer)) return "tuple";
  return Object.hasOwn(SAME, plain) ? (SAME[plain] ?? "") : plain;
}

const itemOf = (kind: string): string => (kind === "str" ? kind : (/^[[<](.*)[\]>]$/.exec(kind)?.[1] ?? ""));

/** What functions and methods give, by their names alone. */
const GIVES: ReadonlyMap<string, string> = new Map(
  (
    [
      ["float", "float sqrt log exp"],
      ["num", "len int abs round sum ord pow count index find rfind hash floor ceil gcd divmod"],
      ["str", "str chr bin hex oct repr lower upper strip lstrip rstrip replace join title capitalize swapcase format"],
      ["str", "zfill ljust rjust center"],
      ["bool", "bool any all isinstance startswith endswith isalpha isdigit isalnum isupper islower isspace isnumeric"],
      ["[]", "list sorted range reversed map filter zip enumerate keys values items"],
      ["[str]", "split splitlines"],
      ["<>", "set frozenset union intersection difference"],
      ["dict", "dict Counter defaultdict"],
      ["tuple", "tuple"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

function gives(called: string, receiver: string, call: Node, kind: (node: Node | null) => string): string | null {
  const [first, more] = call.childForFieldName("arguments")?.namedChildren ?? [];
  if (/^(?:sorted|list|reversed)$/.test(called))
    return kind(first ?? null).startsWith("[") ? kind(first ?? null) : "[]";
  if (/^(?:min|max)$/.test(called)) return (more ? kind(first ?? null) : itemOf(kind(first ?? null))) || null;
  if (called === "range") return "[num]";
  if (called === "copy" && receiver !== "") return receiver;
  if (/^(?:pop|get)$/.test(called)) return itemOf(receiver) || null;
  return GIVES.get(called) ?? null;
}

export const pythonGrammar: Grammar = {
  wasm: "tree-sitter-python.wasm",
  kinds: {
    binary: ["binary_operator", "boolean_operator", "comparison_operator"],
    unary: ["unary_operator", "not_operator"],
    update: [],
    assignment: ["assignment", "augmented_assignment"],
    call: ["call"],
    index: ["subscript"],
    field: ["attribute"],
    name: ["identifier"],
    number: ["integer", "float"],
    text: ["string"],
    character: [],
    truth: ["true", "false", "none"],
    conditional: ["conditional_expression"],
    parentheses: ["parenthesized_expression"],
    cast: [],
    list: [],
    display: ["list", "tuple", "set", "dictionary", ...COMPREHENSIONS],
    arguments: ["argument_list", "list", "tuple", "expression_list"],
    block: ["block"],
    if: ["if_statement", "elif_clause"],
    else: ["else_clause"],
    loop: ["for_statement", "while_statement"],
    each: ["for_statement"],
    return: ["return_statement"],
    jump: ["break_statement", "continue_statement", "raise_statement"],
    declaration: [],
    statement: [
      ...["expression_statement", "if_statement", "for_statement", "while_statement", "return_statement"],
      ...["break_statement", "continue_statement", "raise_statement", "pass_statement", "assert_statement"],
      ...["delete_statement", "try_statement", "with_statement"],
    ],
    clause: ["elif_clause"],
    slice: [],
    case: ["if_clause"],
    group: ["expression_list"],
    range: ["slice"],
    macro: [],
    scope: ["function_definition", "lambda", ...COMPREHENSIONS],
    arm: [],
    section: [],
    wrapper: ["expression_statement"],
    tight: ["list_splat", "dictionary_splat", "await", "yield"],
    type: ["class_definition"],
    member: [],
    pattern: [],
    default: ["default_parameter", "typed_default_parameter"],
  },
  fields: {
    comparison_operator: ["left", "operator", "right"],
    conditional_expression: ["consequence", null, "condition", null, "alternative"],
  },
  isIndented: true,
  functions: ["function_definition"],
  findFunction: (root, name) =>
    lastNamed(root, "function_definition", name) ??
    root.descendantsOfType("function_definition").findLast((one) => one.childForFieldName("name")?.text === name) ??
    null,
  // Any function may give something.
  resultOf: () => "any",
  declares,
  kindOf: (type) => (type === "any" ? "" : kindOf(type)),
  isNumber: (kind) => kind === "num" || kind === "float",
  itemOf,
  gives,
  condition: (node) =>
    node.type === "if_clause" ? (node.namedChildren.at(0) ?? null) : node.childForFieldName("condition"),
};
