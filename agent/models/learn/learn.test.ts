import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../../../utils/sandbox/types.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { parseReply } from "../../react.ts";
import { editorTools } from "../../tools/editor_table.ts";
import { Workspace } from "../../tools/workspace.ts";
import { LearnChat } from "./model.ts";
import { type LearnedRow, learnRows } from "./rows.ts";
import { readSource } from "./sources.ts";

const ENGINE = fileURLToPath(new URL("../search/engine", import.meta.url));
const EDITED = "agent/models/search/engine";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(() => sandbox.close());

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
  "broken.py": "def f(:\n",
};

const said = (rows: readonly LearnedRow[]) => rows.map(({ label, template }) => `${label}: ${template}`);

describe("rows learned from code", () => {
  test("what two files show is general, what one shows is not; a file that does not parse teaches nothing", async () => {
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    expect(said(rows)).toEqual(expect.arrayContaining(["place: len({_})", "Call(1): {args0}", "BinOp: {left}"]));
    expect(said(rows)).not.toContain("place: {_} // 2");
    const [len] = rows.filter(({ template }) => template === "len({_})");
    expect(len).toMatchObject({
      files: ["a.py", "b.py"],
      examples: expect.arrayContaining([{ before: "items", after: "len(items)", file: "a.py" }]),
    });
  });

  test("no row holds a name or a literal of the code it was learned from", async () => {
    const text = 'def f(total, secret_name):\n    return total + secret_name * 4711 + len("marker")\n';
    const rows = await learnRows(readSource(folderOf({ "a.py": text, "b.py": text }), 0), sandbox);
    expect(said(rows).join("\n")).not.toMatch(/secret_name|total|4711|marker/);
  });

  test("fix commits teach what they changed", async () => {
    const path = folder();
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", path, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { stdio: "ignore" });
    git("init");
    const commit = (message: string, body: string) => {
      for (const name of ["a", "b"])
        writeFileSync(join(path, `${name}.py`), `def ${name}(value, other):\n    ${body}\n`);
      git("add", ".");
      git("commit", "-m", message);
    };
    commit("first", "return value");
    commit("fix: sign", "return abs(value)");
    commit("new feature", "return sorted(value)");
    const rows = await learnRows(readSource(path, 0), sandbox);
    expect(said(rows)).toEqual(["place: abs({_})"]);
  });

  test.each([
    ["a folder that is not there", () => "/nowhere", /no folder/],
    ["one without Python", () => folderOf({ "a.txt": "x" }), /no Python code/],
  ])("%s is refused in a sentence", (_, path, message) => {
    expect(() => readSource(path(), 0)).toThrow(message);
  });

  test("code in which nothing is seen twice is refused in a sentence", async () => {
    const source = readSource(folderOf({ "a.py": "def f(a):\n    return len(a)\n" }), 0);
    await expect(learnRows(source, sandbox)).rejects.toThrow(/teaches nothing/);
  });
});

const Tables = z.looseObject({ expressions: z.record(z.string(), z.json()), insert: z.record(z.string(), z.json()) });

describe("the editor that learns", () => {
  const BUGGY = "def size(items):\n    return items\n";
  const TESTS = "assert size([1, 2, 3]) == 3\\nassert size([]) == 0";

  /** A workspace with the engine and nearly no edits. */
  function poorEngine(): string {
    const path = folder();
    mkdirSync(join(path, EDITED), { recursive: true });
    cpSync(ENGINE, join(path, EDITED), { recursive: true });
    const tables = join(path, EDITED, "edits/tables.json");
    const { expressions, ...others } = Tables.parse(JSON.parse(readFileSync(tables, "utf8")));
    const few = {
      ...others,
      off: ["delete", "move", "guard"],
      expressions: { compare: expressions.compare },
      insert: {},
    };
    writeFileSync(tables, `${JSON.stringify(few, null, 2)}\n`);
    return path;
  }

  /** The engine's answer, as Python runs it from the workspace. */
  function search(workspace: string): unknown {
    const engine = join(workspace, EDITED);
    const script = `import sys, json; sys.path.insert(0, ${JSON.stringify(engine)}); from main import Search; priors = json.load(open(${JSON.stringify(join(engine, "priors.json"))})); task = {"program": ${JSON.stringify(BUGGY)}, "entry": "size", "tests": "${TESTS}", "instruction": "", "steps": 500}; result = Search(task, priors).result(); print(json.dumps([result["status"], [one["new"] for one in result["best"]]]))`;
    return JSON.parse(execFileSync("python3", ["-B", "-c", script], { encoding: "utf8" }));
  }

  /** Carries out what the editor asks for with the editors' own tools, until it answers. */
  async function converse(chat: LearnChat, workspace: string, children = 0) {
    const tools = editorTools({ workspace: new Workspace(workspace), sandbox, socket: "" }, [
      "search",
      "hypothesis",
      "replace_text",
      "create",
    ]);
    const messages: BaseMessage[] = [new HumanMessage(`agent 0\n${"agent 7, child of 0\n".repeat(children)}`)];
    const used: string[] = [];
    for (;;) {
      const text = (await chat.invoke(messages)).text;
      const names = ["search", "hypothesis", "replace_text", "create", "checks"];
      const reply = parseReply({ text }, { tools: names, answer: "text" });
      if (reply.kind !== "act") return { used, text };
      used.push(reply.tool);
      const tool = tools.get(reply.tool);
      const observation = tool ? await tool.run(reply.input, new AbortController().signal) : { output: "ok" };
      messages.push(new AIMessage(text), new HumanMessage(`Observation: ${observation.output}`));
    }
  }

  test("writes rows, costs and examples with which the engine repairs what it could not", async () => {
    const workspace = poorEngine();
    expect(search(workspace)).toEqual(["exhausted", []]);
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    const { used, text } = await converse(new LearnChat(rows), workspace);
    expect(used).toEqual(["search", "search", "hypothesis", "replace_text", "replace_text", "create", "checks"]);
    expect(text).toContain("edits learned from bugs and fixes");
    expect(search(workspace)).toEqual(["found", expect.arrayContaining(["len(items)"])]);
    expect(readFileSync(join(workspace, EDITED, "learned/batch_0.json"), "utf8")).toContain("len(rows)");
  });

  test("a second child gets other rows, and one for whom none are left says so", async () => {
    const rows = await learnRows(readSource(folderOf(CODE), 0), sandbox);
    const workspace = poorEngine();
    await converse(new LearnChat(rows), workspace);
    expect((await converse(new LearnChat(rows), workspace)).text).toContain("No change");
  });
});
