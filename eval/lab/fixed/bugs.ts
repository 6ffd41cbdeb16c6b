/** Small bugs that can be planted in one function of a repository, as people make them. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { isPython } from "../../../fix/project/functions.ts";
import { type Bug, nodesOf, scriptBugs, withBug } from "./script_bugs.ts";

const SCRIPT = fileURLToPath(new URL("./bugs.py", import.meta.url));
const Found = z.array(z.object({ kind: z.string(), start: z.number(), end: z.number(), text: z.string() }));

/** `two`: two of the others at once, which no single edit takes back. */
export const KINDS = [
  ...["comparison", "operator", "constant", "name", "arguments", "call", "condition", "forgotten"],
  "two",
] as const;

export interface FunctionLines {
  file: string;
  start: number;
  end: number;
}

/** Every single bug of a function, at these lines alone. */
export function bugsIn(tree: string, { file, start, end }: FunctionLines, lines: ReadonlySet<number>): Bug[] {
  const path = join(tree, file);
  const text = readFileSync(path, "utf8");
  const found = isPython(file)
    ? Found.parse(JSON.parse(execFileSync("python3", [SCRIPT, path, String(start), String(end)], { encoding: "utf8" })))
    : inScript(text, start, end);
  return found.filter((bug) => lines.has(lineOf(text, bug.start)));
}

const COMPARISON = /^\s*[<>=!]=*\s*$/;

function inScript(text: string, first: number, last: number): Bug[] {
  const nodes = nodesOf(text).filter(
    ({ start, end }) => lineOf(text, start) >= first && lineOf(text, Math.max(start, end - 1)) <= last,
  );
  const of = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  const more: Bug[] = [];
  for (const node of nodes) {
    if (node.type === "CallExpression" || node.type === "NewExpression")
      for (const [i, left] of node.arguments.entries()) {
        const right = node.arguments[i + 1];
        if (!right) continue;
        const between = text.slice(left.end, right.start);
        more.push({ kind: "arguments", start: left.start, end: right.end, text: of(right) + between + of(left) });
      }
    if (node.type === "CallExpression" && node.callee.type === "Identifier" && node.arguments.length === 1)
      for (const argument of node.arguments)
        more.push({ kind: "call", start: node.start, end: node.end, text: of(argument) });
    if (node.type === "CallExpression" && node.callee.type === "MemberExpression" && node.arguments.length === 0)
      more.push({ kind: "call", start: node.start, end: node.end, text: of(node.callee.object) });
    if (node.type === "LogicalExpression")
      for (const one of [node.left, node.right])
        more.push({ kind: "condition", start: node.start, end: node.end, text: of(one) });
    if (node.type === "UnaryExpression" && node.operator === "!")
      more.push({ kind: "condition", start: node.start, end: node.end, text: of(node.argument) });
  }
  return [...scriptBugs(text, nodes), ...more].map((bug) => ({ ...bug, kind: kindOf(bug, of(bug)) }));
}

/** The words of Python's bugs. */
function kindOf({ kind }: Bug, old: string): string {
  if (kind === "delete") return "forgotten";
  return kind === "operator" && COMPARISON.test(old) ? "comparison" : kind;
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length;

/** The text with one bug, or with several that do not touch. */
export const withBugs = (text: string, found: readonly Bug[]): string =>
  found.toSorted((a, b) => b.start - a.start).reduce(withBug, text);
