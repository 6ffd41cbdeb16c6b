/**
 * `npx tsx eval/lab/planted/javascript.ts OUT.jsonl`: bugs planted in the right solutions of the built-in JavaScript
 * tasks.
 */

import "../../../utils/program/own_tsconfig.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { type AnyNode, type Node, parse } from "acorn";
import { z } from "zod";
import { randomUint32 } from "../../../utils/base/statistics/bootstrap.ts";
import { EXIT, runCommand } from "../../../utils/program/cli.ts";

const TASKS = new URL("../../benchmark/builtin/javascript.jsonl", import.meta.url);
const TIMEOUT_MS = 2_000;
const Row = z.looseObject({
  task_id: z.string(),
  declaration: z.string(),
  canonical_solution: z.string(),
  buggy_solution: z.string(),
  example_test: z.string(),
  test: z.string(),
});

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

/** Every single bug of these kinds: a statement gone, a constant changed, an operator or a name exchanged. */
export function bugs(code: string, nodes: readonly AnyNode[] = nodesOf(code)): Bug[] {
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

/**
 * `ok`, or the name of what a program with a test raised; `Wrong` where an assertion failed. These are our own
 * programs.
 */
export function outcome(code: string): string {
  const assert = (holds: unknown) => {
    if (!holds) throw Object.assign(new Error("assertion"), { name: "Wrong" });
  };
  try {
    vm.runInNewContext(code, { console: { assert, log: () => undefined } }, { timeout: TIMEOUT_MS });
    return "ok";
  } catch (error) {
    return (error as { name?: string }).name ?? "Error";
  }
}

/**
 * Tasks in the schema of the built-in ones: of each function at most one bug of a kind, which its visible tests show.
 */
export function planted(rows: readonly z.infer<typeof Row>[], seed: number): Record<string, unknown>[] {
  const next = randomUint32(seed);
  const found: Record<string, unknown>[] = [];
  for (const row of rows) {
    const right = row.declaration + row.canonical_solution;
    const known = new Set([right, row.declaration + row.buggy_solution].map((code) => code.replace(/\s/g, "")));
    const kinds = new Set<string>();
    const drawn = bugs(right).map((bug) => ({ kind: bug.kind, code: withBug(right, bug), at: next() }));
    for (const { kind, code } of drawn.sort((a, b) => a.at - b.at)) {
      if (kinds.has(kind) || !code.startsWith(row.declaration) || known.has(code.replace(/\s/g, ""))) continue;
      const symptom = outcome(code + row.example_test);
      // What ends in a ReferenceError or at once in a SyntaxError nobody overlooks, and what hangs is seldom told from
      // what is slow.
      if (["ok", "SyntaxError", "ReferenceError", "Error"].includes(symptom)) continue;
      kinds.add(kind);
      const task_id = `JavaScript/${found.length}`;
      found.push({ ...row, task_id, bug_type: kind, buggy_solution: code.slice(row.declaration.length) });
    }
  }
  return found;
}

const isCommand = process.argv[1] === fileURLToPath(import.meta.url);
if (isCommand)
  await runCommand(
    {
      usage: "OUT.jsonl",
      summary: "Plants bugs in the right solutions of the built-in JavaScript tasks: a set of our own.",
      options: {},
      positionals: [1, 1],
    },
    async ({ positionals: [out = ""] }) => {
      const lines = readFileSync(TASKS, "utf8").trim().split("\n");
      const tasks = planted(
        lines.map((line) => Row.parse(JSON.parse(line))),
        1,
      );
      writeFileSync(out, tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
      console.error(`${tasks.length} tasks`);
      return EXIT.ok;
    },
  );
