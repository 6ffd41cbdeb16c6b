/** What the search knows of the syntax and the types of Rust. */

import { type Declared, type Grammar, lastNamed, type Node } from "../../syntax/grammar.ts";
import { gives } from "./gives.ts";
import { itemOf, kindOf, NUMBERS } from "./kinds.ts";

/** The one name of `x`, `mut x`, `&x`, `Some(x)`; null for a pattern of none, or of several. */
function nameOf(pattern: Node | null): string | null {
  if (!pattern) return null;
  if (pattern.type === "identifier") return pattern.text;
  const inside = pattern.namedChildren.filter((one) => one !== null && one.type !== "mutable_specifier");
  return AROUND.test(pattern.type) ? nameOf(inside.at(-1) ?? null) : null;
}

const AROUND = /^(?:reference_pattern|mut_pattern|captured_pattern|match_pattern)$/;

interface From {
  type?: Node | null;
  value?: Node | null;
  each?: Node | null;
}

/** Names of a pattern, with the parts of what they are given. */
function namesIn(pattern: Node | null, { type = null, value = null, each = null }: From): Declared[] {
  const name = nameOf(pattern);
  const written = type?.text === "_" ? "" : (type?.text ?? "");
  if (name !== null) return [{ name, type: written, value, each }];
  if (pattern?.type === "tuple_struct_pattern") return namesIn(pattern.namedChildren.at(-1) ?? null, { each: value });
  if (pattern?.type === "match_pattern") return namesIn(pattern.namedChildren.at(0) ?? null, { value });
  if (pattern?.type === "reference_pattern")
    return namesIn(pattern.namedChildren.at(-1) ?? null, { type, value, each });
  if (pattern?.type !== "tuple_pattern") return [];
  const partOf = (whole: Node | null, kind: string, at: number) =>
    whole?.type === kind ? (whole.namedChildren.at(at) ?? null) : null;
  return pattern.namedChildren.flatMap((one, at) =>
    namesIn(one, {
      type: partOf(type, "tuple_type", at),
      value: partOf(value, "tuple_expression", at),
      each,
    }).map((found): Declared => (each ? { ...found, path: [at, ...(found.path ?? [])] } : found)),
  );
}

const field = (node: Node | null | undefined, name: string): Node | null => node?.childForFieldName(name) ?? null;

/** `a` of `a.f(|x| ...)`, and the first argument where there is one more: of `fold(0, |sum, x| ...)`. */
function calledWith(closure: Node | null): { receiver: Node | null; first: Node | null } {
  const list = closure?.parent?.type === "arguments" ? closure.parent : null;
  const called = field(list?.parent, "function");
  const method = called?.type === "generic_function" ? field(called, "function") : called;
  const first = list?.namedChildren.at(0) ?? null;
  return {
    receiver: method?.type === "field_expression" ? field(method, "value") : null,
    first: first?.id === closure?.id ? null : first,
  };
}

function ofClosure(node: Node): Declared[] {
  const { receiver, first } = calledWith(node.parent);
  const plain = node.namedChildren.filter((one): one is Node => one !== null);
  return plain.flatMap((one, at) => {
    if (one.type === "parameter") return [];
    return namesIn(one, first && at === 0 ? { value: first } : { each: receiver });
  });
}

/** `N` of `<const N: usize>`. */
function constantOf(node: Node): Declared[] {
  const name = node.type === "const_parameter" ? field(node, "name") : null;
  return name ? [{ name: name.text, type: field(node, "type")?.text ?? "", value: null, each: null }] : [];
}

function declares(node: Node): Declared[] {
  switch (node.type) {
    case "parameter":
    case "let_declaration":
      return namesIn(field(node, "pattern"), { type: field(node, "type"), value: field(node, "value") });
    case "for_expression":
      return namesIn(field(node, "pattern"), { each: field(node, "value") });
    case "let_condition":
      return namesIn(field(node, "pattern"), { value: field(node, "value") });
    case "match_pattern":
      return node.namedChildren.length === 0
        ? []
        : namesIn(node, { value: field(node.parent?.parent?.parent, "value") });
    case "const_item":
    case "static_item":
      return [
        { name: field(node, "name")?.text ?? "", type: field(node, "type")?.text ?? "", value: null, each: null },
      ];
    case "const_parameter":
      return constantOf(node);
    case "impl_item":
      return (field(node, "type_parameters")?.namedChildren ?? []).flatMap((one) => (one ? constantOf(one) : []));
    case "closure_parameters":
      return ofClosure(node);
    default:
      return [];
  }
}

/** Macros that are given what a function could be given: the parser reads no expressions in those of others. */
const LIKE_CALLS = /\b((?:e?print|write)(?:ln)?|format|panic|(?:debug_)?assert(?:_eq|_ne)?)!(?=\()/g;

export const rustGrammar: Grammar = {
  wasm: "tree-sitter-rust.wasm",
  readAs: (program) => program.replace(LIKE_CALLS, "$1 "),
  kinds: {
    binary: ["binary_expression"],
    unary: ["unary_expression", "reference_expression"],
    update: [],
    assignment: ["assignment_expression", "compound_assignment_expr"],
    call: ["call_expression"],
    index: ["index_expression"],
    field: ["field_expression"],
    name: ["identifier"],
    number: ["integer_literal", "float_literal"],
    text: ["string_literal"],
    character: ["char_literal"],
    truth: ["boolean_literal"],
    conditional: [],
    parentheses: ["parenthesized_expression"],
    cast: ["type_cast_expression"],
    list: ["array_expression"],
    arguments: ["arguments", "array_expression", "tuple_expression"],
    block: ["block"],
    if: ["if_expression"],
    else: ["else_clause"],
    loop: ["for_expression", "while_expression", "loop_expression"],
    each: ["for_expression"],
    return: ["return_expression"],
    jump: ["break_expression", "continue_expression"],
    declaration: ["let_declaration"],
    statement: ["expression_statement", "let_declaration"],
    clause: [],
    slice: [],
    case: ["match_pattern"],
    section: [],
    group: [],
    range: ["range_expression"],
    macro: ["macro_invocation"],
    scope: ["closure_expression", "match_arm"],
    arm: ["match_arm"],
    wrapper: ["expression_statement"],
    tight: ["token_tree"],
    type: ["struct_item", "impl_item"],
    member: ["field_declaration"],
    pattern: [],
    default: [],
    display: [],
  },
  functions: ["function_item"],
  findFunction: (root, name) => lastNamed(root, "function_item", name),
  resultOf: (definition) => definition.childForFieldName("return_type")?.text ?? "",
  declares,
  kindOf,
  isNumber: (kind) => NUMBERS.has(kind),
  itemOf,
  gives,
  indexed: "usize",
  isUnsigned: (kind) => /^u\d|^usize$/.test(kind),
  // What `if let` asks is a pattern.
  condition: (node) => {
    const found = node.childForFieldName("condition");
    return found && /^let_/.test(found.type) ? null : found;
  },
  // `1` is not a fraction.
  written: (number, isFraction) => (isFraction && /^-?\d+$/.test(number) ? `${number}.0` : number),
};
