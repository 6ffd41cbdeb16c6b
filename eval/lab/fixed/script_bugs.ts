/** Small bugs in a JavaScript program: a statement gone, a constant changed, an operator or a name exchanged. */

import { type AnyNode, type Node, parse } from "acorn";

const EXCHANGED: Record<string, string[]> = {
  "<": ["<=", ">"],
  "<=": ["<", ">="],
  ">": [">=", "<"],
  ">=": [">", "<="],
  "===": ["!=="],
  "!==": ["==="],
  "+": ["-"],
  "-": ["+"],
  "*": ["+", "/"],
  "/": ["*"],
  "%": ["/"],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-=", "="],
  "-=": ["+="],
};

/** What stands in the place of a part of the code. */
export interface Bug {
  kind: string;
  start: number;
  end: number;
  text: string;
}

/** Every single bug of these kinds among the nodes. */
export function scriptBugs(code: string, nodes: readonly AnyNode[]): Bug[] {
  const found: Bug[] = [];
  const names = new Set(nodes.flatMap((node) => (node.type === "Identifier" ? [node.name] : [])));
  const put = (kind: string, { start, end }: { start: number; end: number }, text: string) =>
    found.push({ kind, start, end, text });
  for (const node of nodes) {
    if (node.type === "BlockStatement" && node.body.length > 1)
      for (const statement of node.body)
        if (code.slice(statement.start, statement.end).split("\n").length <= 3) put("delete", statement, "");
    if (node.type === "Literal" && typeof node.value === "number")
      for (const by of [1, -1]) put("constant", node, String(node.value + by));
    if (node.type === "Literal" && typeof node.value === "string" && node.value.length > 0)
      put("constant", node, JSON.stringify(node.value.slice(1)));
    if ("operator" in node && "left" in node) {
      const between = { start: node.left.end, end: node.right.start };
      const sign = code.slice(between.start, between.end);
      for (const other of EXCHANGED[node.operator] ?? [])
        put(
          "operator",
          between,
          sign.replace(node.operator, () => other),
        );
    }
    if (node.type === "Identifier" && node.end - node.start > 0)
      for (const other of names) if (other !== node.name) put("name", node, other);
  }
  return found;
}

export const nodesOf = (code: string): AnyNode[] => [...walk(parse(code, { ecmaVersion: "latest" }))];

export const withBug = (code: string, { start, end, text }: Pick<Bug, "start" | "end" | "text">): string =>
  code.slice(0, start) + text + code.slice(end);

function* walk(node: Node): Generator<AnyNode> {
  yield node as AnyNode;
  for (const value of Object.values(node).flat()) {
    if (value !== null && typeof value === "object" && "type" in value) yield* walk(value as Node);
  }
}
