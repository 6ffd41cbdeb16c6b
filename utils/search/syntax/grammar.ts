/** Syntax trees by tree-sitter. A grammar is loaded when it is first asked for. */

import { createRequire } from "node:module";
import type { Parser } from "@vscode/tree-sitter-wasm";
import { type Node, plainTree } from "./tree.ts";

export type { Node } from "./tree.ts";

/** What an edit asks of a node. One word for all languages; the kinds of nodes that it stands for differ. */
export const ROLES = [
  ...["binary", "unary", "update", "assignment", "call", "index", "field", "name", "number", "text", "character"],
  ...["truth", "conditional", "parentheses", "cast", "list", "arguments", "block", "if", "else", "loop", "each"],
  ...[
    "return",
    "jump",
    "declaration",
    "statement",
    "clause",
    "slice",
    "case",
    "group",
    "range",
    "macro",
    "scope",
    "arm",
    "section",
  ],
  ...["wrapper", "tight", "type", "member", "pattern", "default", "display"],
] as const;
export type Role = (typeof ROLES)[number];

export interface Declared {
  name: string;
  /** As written; empty where the value says it. */
  type: string;
  value: Node | null;
  /** What a loop goes over. */
  each: Node | null;
  /** True where the name holds the index or the key of each, not the item. */
  isKey?: boolean;
  /** Which part of each a name holds, and which part of that: `[1, 0]` of `(_, (name, _))`. */
  path?: readonly number[];
  /** True where it can be used before it is written, within all of what holds its declaration. */
  isAround?: boolean;
}

/** Of one language. */
export interface Grammar {
  /** File of `@vscode/tree-sitter-wasm`. */
  wasm: string;
  /**
   * Kinds of nodes of each role. `scope`: what names belong to beside blocks; `wrapper`: a statement around what is
   * none by itself; `arm`: of a `match`; `section`: of a `switch`, which goes on into the next; `tight`: holds
   * expressions whose signs are not read; `type`: defines a type, or holds its methods; `member`: declares fields of
   * one, or methods without their bodies; `pattern`: a regular expression; `default`: a parameter with a value, which
   * comes last; `display`: a list or the like as it is written.
   */
  kinds: Readonly<Record<Role, readonly string[]>>;
  /** The program as it is parsed, with every character in its place. */
  readAs?(program: string): string;
  /** Names of the children of nodes that the parser gives none, where there are as many. */
  fields?: Readonly<Record<string, readonly (string | null)[]>>;
  /** True where blocks are what is indented, and names belong to the function that gives them a value. */
  isIndented?: true;
  /** Kinds of nodes that define a function with a body. */
  functions: readonly string[];
  /** The definition of the function of this name at the top level; null if there is none. */
  findFunction(root: Node, name: string): Node | null;
  /** The type whose method a function is that stands outside of it; null for a function of its own. */
  ownerOf?(definition: Node): string | null;
  /** What the head of a type declares, each as a field and a method: of `record Point(int x, int y)`. */
  componentsOf?(type: Node): Declared[];
  /** True where a method names fields of its type as it names its own variables. */
  namesFields?: boolean;
  /** The type that a function gives, as written; empty where it gives nothing. */
  resultOf(definition: Node): string;
  /** Names that a node declares, with their types as written; empty for a node that declares none. */
  declares(node: Node): Declared[];
  /** A type as written in one word: `num`, `bool`, `str`, `[num]`; where numbers do not mix there are more of them. */
  kindOf(type: string): string;
  /** True for a kind of numbers. `num` is one in all languages: that of a number as it is written. */
  isNumber(kind: string): boolean;
  /** Kind of an item of this kind by its index, or of each in a loop. */
  itemOf(kind: string, isEach: boolean): string;
  /** Kind of what a method or function of this name gives, called on what is of a kind, where that is known. */
  gives(called: string, receiver: string, call: Node, kind: (node: Node | null) => string): string | null;
  /** A number as it is written in place of a fraction, or of a whole number, where that makes a difference. */
  written?(number: string, isFraction: boolean): string;
  /** The kind that an index has, and whether a kind has numbers below zero, where numbers do not mix. */
  indexed?: string;
  isUnsigned?(kind: string): boolean;
  /** The condition's expression, without parentheses that belong to the statement. */
  condition(node: Node): Node | null;
}

type Library = typeof import("@vscode/tree-sitter-wasm");

const PACKAGE = "@vscode/tree-sitter-wasm";
/** It finds files beside it, so bundles must leave it out. */
const required = createRequire(import.meta.url);
let loading: Promise<Library> | undefined;
const parsers = new Map<string, Promise<Parser>>();

async function loadLibrary(): Promise<Library> {
  const library: Library = required(PACKAGE);
  await library.Parser.init();
  return library;
}

async function load(wasm: string): Promise<Parser> {
  loading ??= loadLibrary();
  const { Parser, Language } = await loading;
  const parser = new Parser();
  parser.setLanguage(await Language.load(required.resolve(`${PACKAGE}/wasm/${wasm}`)));
  return parser;
}

/** The root of a program's tree; offsets are of UTF-16. A mistake in it is a node `ERROR`. */
export async function parse(
  { wasm, fields, readAs }: Pick<Grammar, "wasm" | "fields" | "readAs">,
  program: string,
): Promise<Node> {
  const parser = parsers.get(wasm) ?? load(wasm);
  parsers.set(wasm, parser);
  const tree = (await parser).parse(readAs?.(program) ?? program);
  if (!tree) throw new Error("the parser was stopped");
  const root = plainTree(tree.rootNode, program, fields);
  tree.delete();
  return root;
}

/** The outermost function that lies within lines of a file (1-based, inclusive); null if there is none. */
export function functionIn(
  { functions }: Grammar,
  root: Node,
  { start, end }: { start: number; end: number },
): Node | null {
  const isWithin = ({ lines: [first, last] }: Node) => start <= first && last <= end;
  return root.descendantsOfType(functions).find(isWithin) ?? null;
}

/** Of the nodes of a type that stand in `root` itself, the last with this name; null if there is none. */
export const lastNamed = (root: Node, type: string, name: string): Node | null =>
  root.namedChildren.findLast((node) => node?.type === type && node.childForFieldName("name")?.text === name) ?? null;
