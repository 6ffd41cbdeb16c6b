import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { parseReply } from "../../../../agent/dialects/reader.ts";
import { hypothesisTool } from "../../../../agent/tools/checks.ts";
import { fileTools } from "../../../../agent/tools/editor_table.ts";
import { registry } from "../../../../agent/tools/tool.ts";
import { Workspace } from "../../../../agent/tools/workspace.ts";
import { python } from "../../../../utils/languages/python/index.ts";
import { openForTests } from "../../../../utils/sandbox/testing/open.ts";
import { readKnowledge } from "../../../../utils/search/knowledge.ts";
import { searchByScript } from "../../../../utils/search/script.ts";
import type { VisibleTask } from "../../../../utils/task/task.ts";
import { messageWithTask } from "../../../../utils/task/task_message.ts";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import { DEEP } from "../../../../utils/testing/repeats.ts";
import { LearnChat } from "./model.ts";
import { rowsReaching } from "./reach.ts";
import { type LearnedRow, learnRows } from "./rows.ts";
import { readSource } from "./sources.ts";

const KNOWN = fileURLToPath(new URL("../../../../agent/models/search/tables", import.meta.url));
const LEARNER = fileURLToPath(new URL(".", import.meta.url));
const EDITED = "agent/models/search/tables";

const sandbox = await openForTests();

function folder(): string {
  const made = temporaryFolder();
  onTestFinished(() => made[Symbol.dispose]());
  return made.path;
}

function folderOf(files: Record<string, string>): string {
  const path = folder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

const CODE = {
  "a.py": "def half(items):\n    middle = len(items) // 2\n    return items[:middle]\n",
  "b.py": "def last(rows, count):\n    start = len(rows) - count\n    return rows[start:]\n",
  "c.py": "def wide(texts):\n    width = max(len(text) for text in texts)\n    return width\n",
  "broken.py": "def f(:\n",
};

const LEN = "list tuple str set dict range: len({_})";

const said = (rows: readonly LearnedRow[]) => rows.map(({ label, template }) => `${label}: ${template}`);

const Tables = z.looseObject({ rewrites: z.record(z.string(), z.json()) });

const BUGGY = "def size(items):\n    return items\n";
const TESTS = "assert size([1, 2, 3]) == 3\nassert size([]) == 0";

/** A workspace with the engine and nearly no edits. */
function poorEngine(): string {
  const path = folder();
  mkdirSync(join(path, EDITED), { recursive: true });
  cpSync(KNOWN, join(path, EDITED), { recursive: true });
  const tables = join(path, EDITED, "python.json");
  const few = {
    ...Tables.parse(JSON.parse(readFileSync(tables, "utf8"))),
    only: ["compare", "learned"],
    rewrites: {},
  };
  writeFileSync(tables, `${JSON.stringify(few, null, 2)}\n`);
  return path;
}

/** The engine's answer with what the workspace knows. */
async function search(workspace: string): Promise<unknown> {
  const knowledge = readKnowledge(pathToFileURL(join(workspace, EDITED, "/")));
  const asked = { language: "python" as const, program: BUGGY, entry: "size", instruction: "", tests: TESTS };
  const { result } = await searchByScript({ ...asked, steps: 500, seed: 0 }, knowledge, (code, stdin) =>
    sandbox.run({ code, stdin, timeoutMs: 20_000 }),
  );
  return [result?.status, result?.best.map((edit) => edit.new)];
}

/** Carries out what the editor asks for with the editors' own tools, until it answers. */
async function converse(chat: LearnChat, workspace: string, { failed = [] }: { failed?: VisibleTask[] } = {}) {
  const work = new Workspace(workspace);
  const tools = registry([hypothesisTool(work), ...fileTools(work, sandbox)]);
  const messages: BaseMessage[] = [messageWithTask("agent 0", { type: "improve", editor: 0, children: 0, failed })];
  const used: string[] = [];
  for (;;) {
    const text = (await chat.invoke(messages)).text;
    const names = ["search", "hypothesis", "edit", "create", "checks"];
    const reply = parseReply({ text }, { tools: names, answer: "text", language: python });
    if (reply.kind !== "act") return { used, text };
    used.push(reply.tool);
    const tool = tools.get(reply.tool);
    const observation = tool ? await tool.run(reply.input, new AbortController().signal) : { output: "ok" };
    messages.push(new AIMessage(text), new HumanMessage(`Observation: ${observation.output}`));
  }
}

describe("rows learned from code", () => {
  test("what two files show, and a third as the example, is general; a file that does not parse teaches nothing", async () => {
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    expect(said(rows)).toEqual(expect.arrayContaining([LEN, "Call(1): {args0}"]));
    expect(said(rows)).not.toContain("int float: {_} // 2");
    // Two files: the third is that of the example.
    const [len] = rows.filter(({ template }) => template === "len({_})");
    expect(len).toMatchObject({ support: 2, example: { before: "rows", after: "len(rows)", file: "b.py" } });
  });

  test.each([
    [
      "a condition",
      "    if total > 0 and other > limit:\n        return total\n",
      "condition operand filter: {_} and $predicate",
    ],
    ["code from elsewhere", "    first = other(total)\n    return first + other(total)\n", "place: $copy"],
    [
      "a statement that is done under a condition",
      "    if total > 0:\n        return total\n",
      "Return: if $predicate: {_}",
    ],
    ["a statement too many", "    total = total + 1\n    return total\n", "Assign(1): pass"],
    [
      "a missing guard",
      "    if total == other:\n        return limit\n    return total\n",
      "insert: if $predicate: return $any",
    ],
    ["a number where its use asks for one", "    total += 1\n    return total\n", "insert: $num += 1"],
    ["another sign", "    return total - other\n", "BinOp: {left} $symbol {right}"],
    ["a keyword", "    return sorted(total, reverse=True)\n", "sorted(1): {func}({args0}, reverse=True)"],
  ])("%s becomes a slot", async (_, body, row) => {
    const text = `def f(total, other, limit):\n${body}`;
    const rows = await learnRows(readSource(folderOf({ "a.py": text, "b.py": text, "c.py": text }), 0), sandbox);
    expect(said(rows)).toContain(row);
  });

  test(
    "of real code: each row follows from its example alone, and holds no literal but the usual ones",
    DEEP,
    async () => {
      const code = execFileSync("python3", ["-c", "import json; print(json.__path__[0])"], {
        encoding: "utf8",
      }).trim();
      const rows = await learnRows(readSource(code, 0), sandbox);
      expect(rows.length).toBeGreaterThan(30);
      const script = `import sys, json, ast; sys.path.insert(0, ${JSON.stringify(LEARNER)}); from rows import *
def tree(code): return code and ast.parse(code).body[0]
def value(node): return node.value if isinstance(node, ast.Expr) else node
def follows(row):
    before, after = tree(row["example"]["before"]), tree(row["example"]["after"])
    names = {n.id for part in (before, after) if part for n in ast.walk(part) if isinstance(n, ast.Name)}
    copied = {dump(n) for n in ast.walk(after) if isinstance(n, ast.expr)}
    made = list(statement_rows(after, names, copied)) if before is None else [
        one for asked in (True, False) for one in expression_rows(value(before), value(after), names, copied, asked)]
    return (row["label"], row["template"]) in made
rows = json.load(sys.stdin)
print(json.dumps([row for row in rows if not follows(row)]))`;
      // What a whole function shows: a statement that is copied or under a condition, a slice (no expression by itself).
      const byFunction = /^\$(?:copy|statement)$|^pass$|if \$predicate|\$copy/;
      const alone = rows.filter(({ label, template }) => !byFunction.test(template) && !label.startsWith("Slice"));
      expect(alone.length).toBeGreaterThan(20);
      const input = JSON.stringify(alone);
      const odd = execFileSync("python3", ["-B", "-W", "ignore", "-c", script], { encoding: "utf8", input });
      expect(JSON.parse(odd)).toEqual([]);
      const literals = rows.flatMap(
        ({ template }) => template.replace(/\{[^}]*\}|\$\w+/g, "").match(/'[^']*'|\b\d+(?:\.\d+)?\b/g) ?? [],
      );
      expect([...new Set(literals)].filter((text) => !["0", "1", "2", "''", "' '"].includes(text))).toEqual([]);
    },
  );

  test("no row holds a name or a literal of the code it was learned from", async () => {
    const text = 'def f(total, secret_name):\n    return total + secret_name * 4711 + len("marker")\n';
    const rows = await learnRows(readSource(folderOf({ "a.py": text, "b.py": text, "c.py": text }), 0), sandbox);
    expect(said(rows).join("\n")).not.toMatch(/secret_name|total|4711|marker/);
  });

  test("fix commits teach what they changed", async () => {
    const path = folder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", path, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "ignore" });
    git("init");
    const commit = (message: string, body: string) => {
      for (const name of ["a", "b", "c"])
        writeFileSync(join(path, `${name}.py`), `def ${name}(value, other):\n    ${body}\n`);
      git("add", ".");
      git("commit", "-m", message);
    };
    commit("first", "return value");
    commit("fix: sign", "return abs(value)");
    commit("new feature", "return sorted(value)");
    const rows = await learnRows(readSource(path, 0), sandbox);
    expect(said(rows)).toEqual(["int float: abs({_})"]);
  });

  test.each([
    ["a folder that is not there", () => "/nowhere", /not a folder/],
    ["one without Python", () => folderOf({ "a.txt": "x" }), /no Python code/],
  ])("%s is refused in a sentence", (_, path, message) => {
    expect(() => readSource(path(), 0)).toThrow(message);
  });

  test("code in which nothing is seen twice is refused in a sentence", async () => {
    const source = readSource(folderOf({ "a.py": "def f(a):\n    return len(a)\n" }), 0);
    await expect(learnRows(source, sandbox)).rejects.toThrow(/teaches nothing/);
  });
});

describe("rows that reach what an agent fails", () => {
  const task = {
    ...{ id: "size", language: "python" as const, entryPoint: "size", instruction: "" },
    ...{ declaration: "def size(items):\n", buggyCode: "    return items\n", epilogue: "" },
    exampleTest: "assert size([1, 2, 3]) == 3\nassert size([]) == 0",
  };

  test("are those whose edit passes its tests, and no others", async () => {
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    expect(said([...(await rowsReaching([task], rows, sandbox))])).toEqual([LEN]);
    const solved = { ...task, exampleTest: "assert size(4711) == 'no row makes this'" };
    expect(await rowsReaching([solved, { ...task, language: "javascript" }], rows, sandbox)).toEqual(new Set());
  });

  test("the editor writes them with that cost", async () => {
    const example = { before: null, after: null, file: "a.py" };
    const rows = [
      { label: "place", template: "{_}[0]", support: 64, example },
      { label: "list tuple str set dict range", template: "len({_})", support: 4, example },
    ];
    const costs = async (failed: (typeof task)[]) => {
      const workspace = poorEngine();
      await converse(new LearnChat(rows, sandbox), workspace, { failed });
      const priors = JSON.parse(readFileSync(join(workspace, EDITED, "priors.json"), "utf8"));
      return Object.entries(priors.operators).flatMap(([name, cost]) => (name.startsWith("learned") ? [cost] : []));
    };
    expect(await costs([])).toEqual([2, 4.77]);
    expect(await costs([task])).toEqual([2, 2]);
  });
});

describe("the editor that learns", () => {
  test("writes rows, costs and examples with which the engine repairs what it could not", DEEP, async () => {
    const workspace = poorEngine();
    expect(await search(workspace)).toEqual(["exhausted", []]);
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    const { used, text } = await converse(new LearnChat(rows, sandbox), workspace);
    expect(used).toEqual(["search", "search", "hypothesis", "edit", "edit", "create", "checks"]);
    expect(text).toContain("edits learned from bugs and fixes");
    expect(await search(workspace)).toEqual(["found", expect.arrayContaining(["len(items)"])]);
    expect(readFileSync(join(workspace, EDITED, "learned/batch_0.json"), "utf8")).toContain("len(rows)");
  });

  test("a second child for whom no rows are left says so", async () => {
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    const workspace = poorEngine();
    expect((await converse(new LearnChat(rows, sandbox), workspace)).text).toContain("Batch 0");
    expect((await converse(new LearnChat(rows, sandbox), workspace)).text).toContain("No change");
  });
});
