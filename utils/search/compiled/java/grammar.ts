/** What the search knows of the syntax and the types of Java. */

import type { Grammar, Node } from "../../syntax/grammar.ts";

const nameOf = (node: Node | null): string | null => node?.childForFieldName("name")?.text ?? null;

const typeOf = (node: Node): string => node.childForFieldName("type")?.text ?? "";

function declares(node: Node): ReturnType<Grammar["declares"]> {
  const type = typeOf(node);
  const name = nameOf(node);
  switch (node.type) {
    case "enhanced_for_statement":
      return name === null ? [] : [{ name, type, value: null, each: node.childForFieldName("value") }];
    case "formal_parameter":
      return name === null ? [] : [{ name, type, value: null, each: null }];
    case "lambda_expression": {
      const parameter = node.childForFieldName("parameters");
      const isName = parameter?.type === "identifier";
      return isName ? [{ name: parameter.text, type: "", value: null, each: null }] : [];
    }
    case "local_variable_declaration":
      return node.namedChildren.flatMap((one) => {
        const declared = one?.type === "variable_declarator" ? nameOf(one) : null;
        if (declared === null) return [];
        const dimensions = one?.childForFieldName("dimensions")?.text ?? "";
        return [
          { name: declared, type: type + dimensions, value: one?.childForFieldName("value") ?? null, each: null },
        ];
      });
    default:
      return [];
  }
}

const NUMBERS = /^(?:byte|short|int|long|char|float|double|Byte|Short|Integer|Long|Character|Float|Double|Number)$/;
const LISTS = /^(?:List|ArrayList|LinkedList|Collection|Iterable|Deque|Queue)<(.*)>$/;
const SETS = /^(?:Set|HashSet|LinkedHashSet|TreeSet|SortedSet)<(.*)>$/;

function kindOf(type: string): string {
  const plain = type.replace(/\b(?:final|java\.util\.|java\.lang\.)\s*/g, "").replace(/\s+/g, "");
  if (/^[bB]oolean$/.test(plain)) return "bool";
  if (NUMBERS.test(plain)) return "num";
  if (plain === "String") return "str";
  if (plain.endsWith("[]")) return `${kindOf(plain.slice(0, -2))}[]`;
  const [, held] = SETS.exec(plain) ?? [];
  if (held !== undefined) return `<${kindOf(held)}>`;
  const [, item] = LISTS.exec(plain) ?? [];
  return item === undefined ? plain : `[${kindOf(item)}]`;
}

/** A character is a number. */
const itemOf = (kind: string): string =>
  kind === "str" ? "num" : (/^\[(.*)\]$|^<(.*)>$|^(.*)\[\]$/.exec(kind)?.slice(1).join("") ?? "");

const GIVES: ReadonlyMap<string, string> = new Map(
  (
    [
      ["num", "size length charAt indexOf lastIndexOf abs floor ceil round sqrt cbrt pow max min parseInt parseDouble"],
      ["num", "intValue doubleValue longValue getNumericValue compareTo compare"],
      ["str", "substring toString trim strip repeat replace replaceAll concat join format toUpperCase toLowerCase"],
      ["bool", "isEmpty equals equalsIgnoreCase contains containsKey startsWith endsWith matches anyMatch allMatch"],
      ["bool", "isLetter isDigit isUpperCase isLowerCase isAlphabetic isLetterOrDigit isWhitespace noneMatch"],
      ["num[]", "toCharArray"],
      ["str[]", "split"],
    ] as const
  ).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);
/** Methods that give an item of what they are called on. */
const ITEMS = new Set(["get", "getFirst", "getLast", "poll", "peek", "pop"]);

function gives(called: string, receiver: string): string | null {
  if (ITEMS.has(called)) return /^\[(.*)\]$/.exec(receiver)?.[1] ?? null;
  // `Character.toUpperCase(c)` and `text.toUpperCase()`.
  if (/^to(?:Upper|Lower)Case$/.test(called) && receiver !== "str") return null;
  return GIVES.get(called) ?? null;
}

export const javaGrammar: Grammar = {
  wasm: "tree-sitter-java.wasm",
  kinds: {
    binary: ["binary_expression"],
    unary: ["unary_expression"],
    update: ["update_expression"],
    assignment: ["assignment_expression"],
    call: ["method_invocation"],
    index: ["array_access"],
    field: ["field_access"],
    name: ["identifier"],
    number: ["decimal_integer_literal", "decimal_floating_point_literal"],
    text: ["string_literal"],
    character: ["character_literal"],
    truth: ["true", "false"],
    conditional: ["ternary_expression"],
    parentheses: ["parenthesized_expression"],
    cast: ["cast_expression"],
    list: ["array_initializer"],
    arguments: ["argument_list", "array_initializer"],
    block: ["block"],
    if: ["if_statement"],
    else: [],
    loop: ["for_statement", "while_statement", "do_statement", "enhanced_for_statement"],
    each: ["enhanced_for_statement"],
    return: ["return_statement"],
    jump: ["break_statement", "continue_statement"],
    declaration: ["local_variable_declaration"],
    statement: [
      ...["expression_statement", "if_statement", "for_statement", "while_statement", "do_statement"],
      ...["enhanced_for_statement", "return_statement", "break_statement", "continue_statement", "throw_statement"],
      ...["local_variable_declaration", "block", "switch_expression", "try_statement"],
    ],
    clause: [],
    slice: [],
    case: [],
    section: ["switch_block_statement_group"],
    group: [],
    range: [],
    macro: [],
    scope: [],
    arm: [],
    wrapper: [],
    tight: [],
    type: ["class_declaration", "record_declaration", "enum_declaration"],
    member: ["field_declaration"],
    pattern: [],
    default: [],
    display: [],
  },
  functions: ["method_declaration", "constructor_declaration"],
  findFunction: (root, name) =>
    root
      .descendantsOfType("method_declaration")
      .findLast((node) => node !== null && nameOf(node) === name && node.childForFieldName("body") !== null) ?? null,
  resultOf: (definition) => (definition.childForFieldName("type")?.text ?? "").replace(/^void$/, ""),
  componentsOf: (type) =>
    type.type === "record_declaration"
      ? (type.childForFieldName("parameters")?.namedChildren ?? []).flatMap((one) => (one ? declares(one) : []))
      : [],
  namesFields: true,
  declares,
  kindOf,
  isNumber: (kind) => kind === "num",
  itemOf,
  gives,
  condition: (node) => {
    const found = node.childForFieldName("condition");
    return found?.type === "parenthesized_expression" ? (found.namedChildren.at(0) ?? null) : found;
  },
};
