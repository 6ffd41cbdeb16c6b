/** What a file declares outside of the function that is edited: fields of its types, variables and functions. */

import type { Declared, Grammar, Node } from "./syntax/grammar.ts";

export interface Field {
  /** The type that it belongs to, without what that is given: `Stack` of `Stack<T>`. */
  owner: string;
  name: string;
  /** As written. */
  type: string;
}

export interface Callable {
  /** The type whose method it is; null for a function of its own. */
  owner: string | null;
  name: string;
  parameters: number;
  /** As written; empty where it gives nothing. */
  result: string;
}

/** A field that is asked for, or a method that is called, on what is written as `receiver`. */
export interface Use {
  receiver: string;
  name: string;
  /** What it is called with; null where it is not called. */
  given: number | null;
}

export interface Outside {
  fields: readonly Field[];
  callables: readonly Callable[];
  /** Of the file, not of a type. */
  variables: readonly Declared[];
}

const childrenOf = (node: Node): Node[] => node.namedChildren.filter((one): one is Node => one !== null);

/** `Stack` of `Stack<T>`, `*Stack` and `const Stack&`. */
export const plainType = (type: string): string =>
  type
    .replace(/<[\s\S]*/, "")
    .replace(/\b(?:const|mut|struct|final)\b|[&*\s]/g, "")
    .replace(/^'\w+/, "");

/** The name of a type that a node defines, or whose methods it holds. */
const typeNameOf = (node: Node): string =>
  plainType((node.childForFieldName("name") ?? node.childForFieldName("type"))?.text ?? "");

/** The type that a function belongs to; null without one. */
export function ownerOf(grammar: Grammar, definition: Node): string | null {
  for (let one = definition.parent; one; one = one.parent)
    if (grammar.kinds.type.includes(one.type)) return typeNameOf(one);
  return grammar.ownerOf?.(definition) ?? null;
}

interface Found extends Outside {
  fields: Field[];
  callables: Callable[];
  variables: Declared[];
}

export function outsideOf(grammar: Grammar, root: Node): Outside {
  const found: Found = { fields: [], callables: [], variables: [] };
  read(grammar, root, null, found);
  return found;
}

/** What is declared in a parameter list or a block is used there alone. */
const isInner = ({ kinds }: Grammar, { type }: Node) =>
  /parameters$|parameter_list$/.test(type) || kinds.block.includes(type);

function read(grammar: Grammar, node: Node, owner: string | null, found: Found): void {
  const { kinds, functions, declares } = grammar;
  if (isInner(grammar, node)) return;
  if (functions.includes(node.type)) found.callables.push(callableOf(grammar, node));
  else if (kinds.member.includes(node.type) && owner !== null) readMember(node, owner, found);
  else {
    if (owner === null) found.variables.push(...declares(node));
    const isType = kinds.type.includes(node.type);
    const inner = isType ? typeNameOf(node) : owner;
    for (const { name, type } of (isType && grammar.componentsOf?.(node)) || []) {
      found.fields.push({ owner: typeNameOf(node), name, type });
      found.callables.push({ owner: typeNameOf(node), name, parameters: 0, result: type });
    }
    for (const child of childrenOf(node)) read(grammar, child, inner, found);
  }
}

/** Of `int width, *height;`, `X, Y int`, `private String name = "";` and of a method without its body. */
function readMember(node: Node, owner: string, { fields, callables }: Found): void {
  const type = node.childForFieldName("type")?.text ?? "";
  for (const one of [...node.childrenForFieldName("name"), ...node.childrenForFieldName("declarator")]) {
    const declarator = one?.type === "function_declarator" ? one : null;
    const name = innermost(one);
    if (name === null) continue;
    if (declarator) callables.push({ owner, name, parameters: parametersOf(declarator), result: type });
    else fields.push({ owner, name, type });
  }
}

/** The name inside of `*name`, `name[3]`, `name = 1`. */
function innermost(node: Node | null): string | null {
  if (!node) return null;
  const inner = node.childForFieldName("declarator") ?? node.childForFieldName("name");
  if (inner) return innermost(inner);
  return node.namedChildren.length === 0 ? node.text : innermost(node.namedChildren.at(0) ?? null);
}

function callableOf(grammar: Grammar, definition: Node): Callable {
  const declarator = definition.descendantsOfType("function_declarator").at(0) ?? definition;
  const written = declarator.childForFieldName("name") ?? declarator.childForFieldName("declarator");
  return {
    owner: ownerOf(grammar, definition),
    name: /[\w$~]+$/.exec(written?.text ?? "")?.[0] ?? "",
    parameters: parametersOf(declarator),
    result: grammar.resultOf(definition),
  };
}

/** `a, b int` are two. */
function parametersOf(declarator: Node): number {
  const list = declarator.childForFieldName("parameters");
  const each = list ? childrenOf(list).filter(({ type }) => !/^(?:self_parameter|comment)$/.test(type)) : [];
  return each.reduce((sum, one) => sum + Math.max(1, one.childrenForFieldName("name").length), 0);
}
