/** What the search knows of the syntax and the types of C++. */

import type { Grammar, Node } from "../../syntax/grammar.ts";

/** The name inside of `*name`, `&name`, `name[3]`. */
function declaredName(node: Node | null): string | null {
  if (!node) return null;
  if (node.type === "identifier") return node.text;
  return declaredName(node.childForFieldName("declarator") ?? node.namedChildren.at(0) ?? null);
}

const DECLARATORS = new Set(["identifier", "array_declarator", "reference_declarator", "pointer_declarator"]);

/** `seen(n)` of `vector<bool> seen(n);`, which is read as a function with parameters that have no names. */
const isMadeOf = (node: Node): boolean =>
  node.type === "function_declarator" &&
  (node.childForFieldName("parameters")?.namedChildren ?? []).every(
    (one) => one?.type === "parameter_declaration" && one.text === one.childForFieldName("type")?.text,
  );

function declares(node: Node): ReturnType<Grammar["declares"]> {
  const isConstant = node.children.some((one) => one?.type === "type_qualifier" && one.text === "const");
  const type = `${isConstant ? "const " : ""}${node.childForFieldName("type")?.text ?? ""}`;
  if (node.type === "for_range_loop") {
    const name = declaredName(node.childForFieldName("declarator"));
    return name === null ? [] : [{ name, type, value: null, each: node.childForFieldName("right") }];
  }
  if (node.type === "parameter_declaration" || node.type === "optional_parameter_declaration") {
    const name = declaredName(node.childForFieldName("declarator"));
    const pointer = node.childForFieldName("declarator")?.type === "pointer_declarator" ? "*" : "";
    return name === null ? [] : [{ name, type: type + pointer, value: null, each: null }];
  }
  if (node.type !== "declaration") return [];
  return node.namedChildren.flatMap((one) => {
    if (!one || !(one.type === "init_declarator" || DECLARATORS.has(one.type) || isMadeOf(one))) return [];
    const declarator = one.type === "init_declarator" ? one.childForFieldName("declarator") : one;
    const name = declaredName(declarator);
    if (name === null) return [];
    const isArray = declarator?.type === "array_declarator";
    return [{ name, type: isArray ? `vector<${type}>` : type, value: one.childForFieldName("value"), each: null }];
  });
}

const NUMBERS = /^(?:(?:unsigned|signed|long|short|int|char|float|double|size_t|u?int\d+_t)\s*)+$/;

function kindOf(type: string): string {
  const plain = type.replace(/\b(?:const|static|std::|constexpr)\s*|[&*]/g, "").trim();
  if (plain === "bool") return "bool";
  if (NUMBERS.test(plain)) return "num";
  if (plain === "string") return "str";
  const [, held] = /^(?:unordered_|multi)?set<(.*)>$/.exec(plain) ?? [];
  if (held !== undefined) return `<${kindOf(held)}>`;
  const [, item] = /^(?:vector|deque|list)<(.*)>$/.exec(plain) ?? [];
  return item === undefined ? plain : `[${kindOf(item)}]`;
}

const GIVES: ReadonlyMap<string, string> = new Map([
  ...`size length count find rfind abs fabs floor ceil round sqrt pow max min stoi atoi stol stof stod atof tolower
  toupper`
    .split(/\s+/)
    .map((name): [string, string] => [name, "num"]),
  ..."substr to_string".split(" ").map((name): [string, string] => [name, "str"]),
  ..."empty isalpha isdigit isupper islower isspace".split(" ").map((name): [string, string] => [name, "bool"]),
]);

export const cppGrammar: Grammar = {
  wasm: "tree-sitter-cpp.wasm",
  kinds: {
    binary: ["binary_expression"],
    unary: ["unary_expression", "pointer_expression"],
    update: ["update_expression"],
    assignment: ["assignment_expression"],
    call: ["call_expression"],
    index: ["subscript_expression"],
    field: ["field_expression"],
    name: ["identifier"],
    number: ["number_literal"],
    text: ["string_literal"],
    character: ["char_literal"],
    truth: ["true", "false"],
    conditional: ["conditional_expression"],
    parentheses: ["parenthesized_expression"],
    cast: ["cast_expression"],
    list: ["initializer_list"],
    arguments: ["argument_list", "initializer_list"],
    block: ["compound_statement"],
    if: ["if_statement"],
    else: ["else_clause"],
    loop: ["for_statement", "while_statement", "do_statement", "for_range_loop"],
    each: ["for_range_loop"],
    return: ["return_statement"],
    jump: ["break_statement", "continue_statement"],
    declaration: ["declaration"],
    statement: [
      ...["expression_statement", "if_statement", "for_statement", "while_statement", "do_statement"],
      ...["for_range_loop", "return_statement", "break_statement", "continue_statement", "declaration"],
      ...["compound_statement", "switch_statement"],
    ],
    clause: ["condition_clause"],
    slice: [],
    case: [],
    section: ["case_statement"],
    group: [],
    range: [],
    macro: [],
    scope: [],
    arm: [],
    wrapper: [],
    tight: [],
    type: ["class_specifier", "struct_specifier"],
    member: ["field_declaration"],
    pattern: [],
    default: ["field_initializer"],
    display: [],
  },
  functions: ["function_definition"],
  findFunction: (root, name) => {
    const isIt = (node: Node) =>
      node.type === "function_definition" &&
      node.descendantsOfType("function_declarator").at(0)?.childForFieldName("declarator")?.text === name;
    const inTemplates = (node: Node | null) =>
      node?.type === "template_declaration" ? node.namedChildren.at(-1) : node;
    return root.namedChildren.map(inTemplates).findLast((node) => node && isIt(node)) ?? null;
  },
  resultOf: (definition) => (definition.childForFieldName("type")?.text ?? "").replace(/^void$/, ""),
  // `Tree` of `Tree::insert`.
  ownerOf: (definition) =>
    definition
      .descendantsOfType("function_declarator")
      .at(0)
      ?.childForFieldName("declarator")
      ?.childForFieldName("scope")?.text ?? null,
  namesFields: true,
  declares,
  kindOf,
  isNumber: (kind) => kind === "num",
  // A character is a number.
  itemOf: (kind) => (kind === "str" ? "num" : (/^\[(.*)\]$|^<(.*)>$/.exec(kind)?.slice(1).join("") ?? "")),
  gives: (called) => GIVES.get(called) ?? null,
  condition: (node) => {
    const found = node.childForFieldName("condition");
    return found?.type === "condition_clause" ? found.childForFieldName("value") : found;
  },
};
