/** A syntax tree in plain objects. Each access to a node of the parser's library costs a call into WebAssembly. */

import type { Node as Parsed, TreeCursor } from "@vscode/tree-sitter-wasm";

interface Text {
  text: string;
  root: Node | null;
  count: number;
}

export class Node {
  readonly #whole: Text;
  readonly id: number;
  readonly parent: Node | null;
  /** The name of the field of the parent that holds it; null without one. */
  field: string | null;
  readonly type: string;
  readonly isNamed: boolean;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: Node[] = [];
  #named: Node[] | undefined;
  #text: string | undefined;

  constructor(whole: Text, parent: Node | null, cursor: TreeCursor) {
    this.#whole = whole;
    this.id = whole.count++;
    this.parent = parent;
    this.field = cursor.currentFieldName;
    this.type = cursor.nodeType;
    this.isNamed = cursor.nodeIsNamed;
    this.startIndex = cursor.startIndex;
    this.endIndex = cursor.endIndex;
  }

  get text(): string {
    this.#text ??= this.#whole.text.slice(this.startIndex, this.endIndex);
    return this.#text;
  }

  get root(): Node {
    return this.#whole.root ?? this;
  }

  /** The first and the last line, 1-based. */
  get lines(): [number, number] {
    const lineOf = (offset: number) => this.#whole.text.slice(0, offset).split("\n").length;
    return [lineOf(this.startIndex), lineOf(this.endIndex)];
  }

  get namedChildren(): readonly Node[] {
    this.#named ??= this.children.filter((one) => one.isNamed);
    return this.#named;
  }

  childForFieldName(name: string): Node | null {
    return this.children.find((one) => one.field === name) ?? null;
  }

  childrenForFieldName(name: string): Node[] {
    return this.children.filter((one) => one.field === name);
  }

  get nextNamedSibling(): Node | null {
    const all = this.parent?.namedChildren ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  get previousNamedSibling(): Node | null {
    const all = this.parent?.namedChildren ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }

  /** The node itself and those in it that have one of these types, in the order of the text. */
  descendantsOfType(types: string | readonly string[]): Node[] {
    const wanted = new Set(typeof types === "string" ? [types] : types);
    const found: Node[] = [];
    const open: Node[] = [this];
    for (let node = open.pop(); node; node = open.pop()) {
      if (wanted.has(node.type)) found.push(node);
      for (let at = node.children.length - 1; at >= 0; at--) open.push(node.children[at] as Node);
    }
    return found;
  }

  /** The smallest node around a range. */
  around(start: number, end: number): Node {
    const inner = this.children.find((one) => one.startIndex <= start && end <= one.endIndex);
    return inner?.around(start, end) ?? this;
  }
}

const COMMENT = /comment$/;

/** Copies a tree of the library, without comments. @param fields see `Grammar` */
export function plainTree(
  parsed: Parsed,
  text: string,
  fields: Readonly<Record<string, readonly (string | null)[]>> = {},
): Node {
  const cursor = parsed.walk();
  const whole: Text = { text, root: null, count: 0 };
  const root = new Node(whole, null, cursor);
  whole.root = root;
  let [node, goesDown] = [root, true];
  while (true) {
    if (goesDown && cursor.gotoFirstChild()) {
      node = childOf(whole, node, cursor);
    } else if (cursor.gotoNextSibling()) {
      node = childOf(whole, node.parent ?? root, cursor);
      goesDown = true;
    } else if (cursor.gotoParent()) {
      node = node.parent ?? root;
      goesDown = false;
    } else break;
  }
  cursor.delete();
  for (const one of root.descendantsOfType(Object.keys(fields))) {
    const names = fields[one.type] ?? [];
    if (names.length === one.children.length)
      for (const [at, child] of one.children.entries()) child.field = names[at] ?? null;
  }
  return root;
}

function childOf(whole: Text, parent: Node, cursor: TreeCursor): Node {
  const child = new Node(whole, parent, cursor);
  if (!COMMENT.test(child.type)) parent.children.push(child);
  return child;
}
