/** What the search knows of the syntax and the types of JavaScript. */

import type { Declared, Grammar, Node } from "../../syntax/grammar.ts";

const PATTERN = /_pattern$|^formal_parameters$|^shorthand_property_identifier_pattern$/;

/** Names that a pattern binds. */
function boundIn(pattern: Node | null): string[] {
  if (!pattern) return [];
  if (/^(?:identifier|shorthand_property_identifier_pattern)$/.test(pattern.type)) return [pattern.text];
  const left = pattern.childForFieldName("left");
  if (left) return boundIn(left);
  const inner = pattern.type === "pair_pattern" ? [pattern.childForFieldName("value")] : pattern.namedChildren;
  return PATTERN.test(pattern.type) ? inner.flatMap(boundIn) : [];
}

/** Of a function without brackets: `x => x * 2`. */
const isOnlyParameter = ({ id, parent }: Node): boolean =>
  parent?.type === "arrow_function" && parent.childForFieldName("parameter")?.id === id;

const untyped = (name: string): Declared => ({ name, type: "", value: null, each: null });

function declares(node: Node): Declared[] {
  switch (node.type) {
    case "formal_parameters":
    case "catch_clause":
      return boundIn(node.type === "catch_clause" ? node.childForFieldName("parameter") : node).map(untyped);
    case "identifier":
      return isOnlyParameter(node) ? [untyped(node.text)] : [];
    case "variable_declarator": {
      const [name, value] = [node.childForFieldName("name"), node.childForFieldName("value")];
      if (name?.type !== "identifier") return boundIn(name).map(untyped);
      return /function/.test(value?.type ?? "") ? [] : [{ ...untyped(name.text), value }];
    }
    case "for_in_statement": {
      const each = node.childForFieldName("right");
      const isKey = node.childForFieldName("operator")?.text === "in";
      const left = node.childForFieldName("left");
      if (left?.type !== "identifier") return boundIn(left).map(untyped);
      return node.childForFieldName("kind") ? [{ ...untyped(left.text), each, isKey }] : [];
    }
    default:
      return [];
  }
}

/** Types are seen at run time; these are what literals and methods of the language say without. */
const KINDS: Readonly<Record<string, string>> = {
  array: "[]",
  object: "{}",
  regex: "regex",
  arrow_function: "function",
};

const GIVES: ReadonlyMap<string, string> = new Map(
  (
    [
      [
        "num",
        "length size indexOf lastIndexOf findIndex charCodeAt codePointAt push unshift parseInt parseFloat Number",
      ],
      ["num", "abs floor ceil round trunc sqrt cbrt pow max min log log2 log10 exp sign search getTime localeCompare"],
      ["str", "substring substr toString trim trimStart trimEnd repeat replace replaceAll join toFixed toUpperCase"],
      ["str", "toLowerCase padStart padEnd charAt fromCharCode String stringify"],
      ["bool", "includes startsWith endsWith every some has isInteger isArray isNaN isFinite test"],
      ["[str]", "split keys"],
      ["[]", "map filter sort reverse flat flatMap from values entries concat"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);
/** They give what they are called on. */
const SAME = new Set(["slice", "filter", "sort", "reverse", "concat"]);
const ITEMS = new Set(["at", "pop", "shift", "find"]);

const itemOf = (kind: string): string =>
  kind === "str"
    ? kind
    : (/^\[(.*)\]$|^<(.*)>$/.exec(kind)?.slice(1).join("") ?? /^\{[^{}:]*:(.*)\}$/.exec(kind)?.[1] ?? "");

function gives(called: string, receiver: string): string | null {
  if (SAME.has(called) && receiver !== "") return receiver;
  if (ITEMS.has(called)) return itemOf(receiver) || null;
  return GIVES.get(called) ?? null;
}

const FUNCTIONS = ["function_declaration", "function_expression", "arrow_function", "method_definition"];
const GENERATORS = ["generator_function_declaration", "generator_function"];

export const javascriptGrammar: Grammar = {
  wasm: "tree-sitter-javascript.wasm",
  kinds: {
    binary: ["binary_expression"],
    unary: ["unary_expression"],
    update: ["update_expression"],
    assignment: ["assignment_expression", "augmented_assignment_expression"],
    call: ["call_expression", "new_expression"],
    index: ["subscript_expression"],
    field: ["member_expression"],
    name: ["identifier"],
    number: ["number"],
    text: ["string"],
    character: [],
    truth: ["true", "false"],
    conditional: ["ternary_expression"],
    parentheses: ["parenthesized_expression"],
    cast: [],
    list: ["array"],
    arguments: ["arguments", "array"],
    block: ["statement_block"],
    if: ["if_statement"],
    else: ["else_clause"],
    loop: ["for_statement", "for_in_statement", "while_statement", "do_statement"],
    each: ["for_in_statement"],
    return: ["return_statement"],
    jump: ["break_statement", "continue_statement", "throw_statement"],
    declaration: ["lexical_declaration", "variable_declaration"],
    statement: [
      ...["expression_statement", "if_statement", "for_statement", "for_in_statement", "while_statement"],
      ...["do_statement", "return_statement", "break_statement", "continue_statement", "throw_statement"],
      ...["lexical_declaration", "variable_declaration", "switch_statement", "try_statement"],
    ],
    clause: [],
    slice: [],
    case: ["arrow_function"],
    section: ["switch_case"],
    group: [],
    range: [],
    macro: [],
    scope: [...FUNCTIONS, ...GENERATORS, "catch_clause", "switch_body"],
    arm: [],
    wrapper: [],
    tight: ["spread_element", "await_expression", "yield_expression"],
    type: ["class_declaration", "class"],
    member: ["field_definition"],
    pattern: ["regex"],
    default: ["assignment_pattern"],
    display: [],
  },
  functions: [...FUNCTIONS, ...GENERATORS],
  findFunction: (root, name) =>
    root
      .descendantsOfType([...FUNCTIONS, ...GENERATORS])
      .findLast((node) => node !== null && nameOf(node) === name && node.childForFieldName("body") !== null) ?? null,
  // Any function may give something.
  resultOf: () => "any",
  declares,
  kindOf: (type) => (type === "any" ? "" : (KINDS[type] ?? type)),
  isNumber: (kind) => kind === "num",
  itemOf,
  gives,
  condition: (node) => {
    if (node.type === "arrow_function") return askedOfEach(node);
    const found = node.childForFieldName("condition");
    return found?.type === "parenthesized_expression" ? (found.namedChildren.at(0) ?? null) : found;
  },
};

const nameOf = (node: Node): string | null =>
  (node.childForFieldName("name") ?? node.parent?.childForFieldName("name") ?? node.parent?.childForFieldName("left"))
    ?.text ?? null;

/** What a function asks that is given to `filter` and the like. */
function askedOfEach(node: Node): Node | null {
  const call = node.parent?.parent;
  const name = call?.childForFieldName("function")?.childForFieldName("property")?.text ?? "";
  const body = node.childForFieldName("body");
  return /^(?:filter|some|every|find|findIndex)$/.test(name) && body?.type !== "statement_block" ? body : null;
}
