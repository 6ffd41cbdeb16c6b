import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { hypothesisTool } from "./checks.ts";
import { fileTools } from "./editor_table.ts";
import { searchTool } from "./files.ts";
import { type Registry, registry } from "./tool.ts";
import { Workspace } from "./workspace.ts";

const sandbox = await openForTests();
let root: string;
let workspace: Workspace;
let tools: Registry;

beforeEach(() => {
  root = temporaryFolder().path;
  put("agent/a.ts", Array.from({ length: 230 }, (_, i) => `export const x${i + 1} = ${i + 1};\n`).join(""));
  put("agent/b.py", "def f(x):\n    return x\n");
  put("prompts/p.md", "Say it.\nSay it.\n");
  put("utils/u.ts", "export const u = 1;\n");
  workspace = new Workspace(root);
  workspace.hypothesis = "It will be better.";
  tools = registry([hypothesisTool(workspace), ...fileTools(workspace, sandbox)]);
});

function put(name: string, text: string) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
const text = (name: string) => readFileSync(join(root, name), "utf8");
const use = async (tool: string, input: Record<string, unknown>) => {
  const observation = await tools.get(tool)?.run(input);
  if (!observation) throw new Error(`no tool ${tool}`);
  return observation;
};

describe("looking", () => {
  test("a long file is shown in windows of 150 lines that say how to go on, a shorter one whole", async () => {
    put("agent/long.ts", "export {};\n".repeat(500));
    const first = await use("view", { file: "agent/long.ts" });
    expect(first.output).toMatch(/^agent\/long\.ts, lines 1 to 150 of 500\n {3}1 {2}export/);
    expect(first.output).toContain("(start 151 shows what follows)");
    expect((await use("view", { file: "agent/a.ts" })).output).toMatch(/^agent\/a\.ts, lines 1 to 230 of 230\n/);
    const last = await use("view", { file: "agent/a.ts", start: 201 });
    expect(last.output).toMatch(/ 230 {2}export const x230 = 230;$/);
  });

  test("a file is shown from start to end, and a folder as its files", async () => {
    const { output } = await use("view", { path: "agent/a.ts", start: 2, end: 3 });
    expect(output).toBe("agent/a.ts, lines 2 to 3 of 230\n   2  export const x2 = 2;\n   3  export const x3 = 3;");
    expect((await use("view", { file: "agent" })).output).toBe("agent/a.ts\nagent/b.py");
  });

  test.each([
    [{ file: "agent/a.ts", line: 2, end: 3 }],
    [{ path: "agent/a.ts", view_range: [2, 3] }],
    [{ filename: "agent/a.ts", start_line: 2, end_line: 3 }],
  ])("%j names lines as other agents do", async (input) => {
    expect((await use("view", input)).output).toMatch(/^agent\/a\.ts, lines 2 to 3 of 230\n/);
  });

  test("a function or a class is shown by its name, and names that are like an unknown one are listed", async () => {
    put(
      "agent/shop.py",
      '__all__ = ["Cart"]\n\n\nclass Cart:\n    def total(self):\n        return 1\n\n    def add(self):\n        pass\n',
    );
    const viewed = async (symbol: string) => (await use("view", { path: "agent/shop.py", symbol })).output;
    expect(await viewed("Cart.total")).toMatch(/^agent\/shop\.py, lines 5 to 6 of 9\n/);
    expect(await viewed("add")).toMatch(/lines 8 to 9 of 9\n/);
    expect(await viewed("Cart")).toMatch(/lines 4 to 9 of 9\n/);
    expect(await viewed("totals")).toBe("agent/shop.py has no function or class totals. It has Cart.total (5).");
    put(
      "agent/shop.py",
      `${text("agent/shop.py")}\n\ndef add(cart):\n    pass\n\n\nclass List:\n    def total(self):\n        return 2\n`,
    );
    expect(await viewed("add")).toMatch(/lines 12 to 13 of 18\n(?!.*others)/s);
    expect(await viewed("total")).toMatch(/lines 5 to 6 of 18\n.*\(others of that name: List\.total \(17\)\)$/s);
  });

  test("hits are shown with the lines around them, each line once and marked as grep marks it", async () => {
    const { output } = await use("search", { pattern: "x(12|14|50) ", file: "agent/a.ts", context: 1 });
    const lines = (...marked: string[]) =>
      marked.map((mark) => `  ${mark} export const x${mark.slice(0, 2)} = ${mark.slice(0, 2)};`);
    const [near, far] = [lines("11-", "12:", "13-", "14:", "15-"), lines("49-", "50:", "51-")];
    expect(output.split("\n")).toEqual(["agent/a.ts", ...near, "…", ...far]);
  });

  test("a hit keeps its indentation", async () => {
    expect((await use("search", { pattern: "return" })).output).toBe("agent/b.py\n   2:     return x");
  });

  test("a search gives at most 50 hits and says that there are more", async () => {
    const { output } = await use("search", { pattern: "export const", file: "agent" });
    expect(output).toMatch(/^agent\/a\.ts\n {3}1: export const x1 = 1;\n(?:.*\n){49}… more than 50/);
    expect((await use("search", { pattern: "x230 " })).output).toBe("agent/a.ts\n 230: export const x230 = 230;");
  });

  test("an expression that never ends is ended; folders of git and of packages are not shown", async () => {
    put("prompts/long.md", `${"a".repeat(60)}!\n`);
    for (const name of [".git/config", "node_modules/p/index.js", "agent/__pycache__/b.pyc"])
      put(name, "hidden x230 \n");
    expect((await use("view", {})).output).not.toMatch(/\.git|node_modules|__pycache__/);
    expect((await use("search", { pattern: "hidden" })).output).toContain("Nothing matches");
    const { status, output } = await searchTool(workspace, 500).run({ pattern: "^(a+)+$", file: "prompts" });
    expect([status, output]).toEqual(["refused", expect.stringContaining("took too long")]);
  });

  test.each([
    ["view", { file: "../secret" }, /outside of the workspace/],
    ["view", { file: "/etc/passwd" }, /outside of the workspace/],
    ["view", { file: "link" }, /outside of the workspace/],
    ["view", { file: "b.py" }, /no file b\.py\. There is agent\/b\.py\.$/],
    ["view", { file: "agent/tools/none.ts" }, /no file/],
    ["view", { file: "agent/b.py", start: 99 }, /has 2 lines/],
    ["search", { pattern: "(" }, /not a regular expression/],
    ["search", { pattern: "x", file: "nowhere" }, /no file nowhere/],
  ])("%s %j is refused with a reason", async (tool, input, reason) => {
    symlinkSync("/etc/passwd", join(root, "link"));
    const { status, output } = await use(tool, input);
    expect(status).toBe("refused");
    expect(output).toMatch(reason);
  });
});

describe("editing", () => {
  test("lines keep their ends, with a byte order mark and without a newline at the end; another encoding is refused", async () => {
    put("agent/c.py", "\uFEFFdef f(x):\r\n    if x:\r\n        return x\r\n    return 0");
    const edit = { file: "agent/c.py", old: "    if x:\n        return x\n", new: "    if x > 1:\n        return 1\n" };
    expect((await use("edit", edit)).output).not.toContain("\r");
    await use("edit", { file: "agent/c.py", from: 4, to: 4, new: "    return 2\n" });
    expect(text("agent/c.py")).toBe("\uFEFFdef f(x):\r\n    if x > 1:\r\n        return 1\r\n    return 2");
    const latin = Buffer.from("x = '\u00e9'\n", "latin1");
    writeFileSync(join(root, "agent/d.py"), latin);
    const refused = await use("edit", { file: "agent/d.py", from: 1, to: 1, new: "x = 1" });
    expect([refused.status, refused.output]).toEqual(["refused", expect.stringContaining("is not UTF-8 text")]);
    expect(readFileSync(join(root, "agent/d.py"))).toEqual(latin);
  });

  test("a unique text is replaced, and the diff comes back", async () => {
    const { status, output } = await use("edit", { file: "agent/b.py", old: "return x", new: "return x + 1" });
    expect(status).toBe("ok");
    expect(output).toContain("-    return x\n+    return x + 1");
    expect(text("agent/b.py")).toBe("def f(x):\n    return x + 1\n");
    expect([...workspace.changed]).toEqual(["agent/b.py"]);
  });

  test("a text that does not occur is answered with the nearest lines", async () => {
    const { status, output } = await use("edit", { file: "agent/b.py", old: "def f(y):\n  return y", new: "" });
    expect([status, output]).toEqual([
      "refused",
      "`old` does not occur in agent/b.py. The nearest text is:\n   1  def f(x):\n   2      return x",
    ]);
  });

  test("diff shows all changes since the beginning, undo takes back one after the other", async () => {
    await use("edit", { file: "agent/b.py", old: "return x", new: "return x + 1" });
    expect((await use("create", { file: "agent/n.py", text: "N = 1\nM = 2\n" })).output).toBe("agent/n.py: 2 lines");
    await use("edit", { file: "agent/b.py", old: "x + 1", new: "x + 2" });
    const { output } = await use("diff", {});
    expect(output).toMatch(/- {4}return x\n\+ {4}return x \+ 2\n(?:.*\n)*\+N = 1\n\+M = 2\n$/);
    for (const file of ["agent/b.py", "agent/n.py", "agent/b.py"])
      expect((await use("undo", {})).output).toContain(file);
    expect([text("agent/b.py"), existsSync(join(root, "agent/n.py")), workspace.changed.size]).toEqual([
      "def f(x):\n    return x\n",
      false,
      0,
    ]);
    expect((await use("undo", {})).status).toBe("refused");
    expect((await use("diff", {})).output).toBe("Nothing is changed.");
  });

  test("lines are replaced or deleted, both ends included", async () => {
    await use("edit", { file: "agent/a.ts", from: 1, to: 229, new: "" });
    expect(text("agent/a.ts")).toBe("export const x230 = 230;\n");
    await use("edit", { file: "agent/a.ts", from: 1, to: 1, new: "const a = 1;\nexport { a };" });
    expect(text("agent/a.ts")).toBe("const a = 1;\nexport { a };\n");
  });

  test.each([
    [
      "TypeScript",
      "edit",
      { file: "agent/a.ts", old: "export const x2 = 2;", new: "export const = ;" },
      /line 2: .*\n.*x1/,
    ],
    ["Python", "edit", { file: "agent/b.py", old: "return x", new: "return (" }, /line 2: SyntaxError/],
    ...["mjs", "cjs", "js", "jsx", "tsx", "mts", "cts"].map(
      (end): [string, string, Record<string, unknown>, RegExp] => [
        end,
        "create",
        { file: `agent/c.${end}`, text: "const a = 1;\nconst = 2;\n" },
        /does not parse \(line 2/,
      ],
    ),
    ["JSON", "create", { file: "agent/c.json", text: '{"a": }' }, /does not parse \(line 1/],
  ])("%s that does not parse is refused, and the file stays as it was", async (_, tool, input, reason) => {
    const before = [text("agent/a.ts"), text("agent/b.py")];
    const { status, output } = await use(tool, input);
    expect(status).toBe("refused");
    expect(output).toMatch(reason);
    expect([text("agent/a.ts"), text("agent/b.py")]).toEqual(before);
    expect(workspace.changed.size).toBe(0);
  });

  test.each([
    ["edit", { file: "prompts/p.md", old: "Say it.", new: "x" }, /occurs 2 times/],
    ["edit", { file: "prompts/p.md", old: "Sing it.", new: "x" }, /does not occur/],
    ["edit", { file: "agent/b.py", from: 2, to: 9, new: "" }, /has lines 1 to 2/],
    ["edit", { file: "utils/u.ts", old: "1", new: "2" }, /Only files under agent\/ and prompts\//],
    ["create", { file: "eval/benchmark/scorer.ts", text: "cheat" }, /Only files under/],
    ["create", { file: "agent/../../out.ts", text: "cheat" }, /outside of the workspace/],
    ["create", { file: "agent/folder/mend-new/out.ts", text: "cheat" }, /outside of the workspace/],
    ["create", { file: "agent/b.py", text: "" }, /exists/],
  ])("%s %j is refused with a reason", async (tool, input, reason) => {
    const { path: outside } = temporaryFolder();
    symlinkSync(outside, join(root, "agent/folder"));
    const { status, output } = await use(tool, input);
    expect(status).toBe("refused");
    expect(output).toMatch(reason);
  });

  test("nothing is changed before a hypothesis is stated", async () => {
    workspace.hypothesis = null;
    expect((await use("create", { file: "agent/n.md", text: "n" })).output).toMatch(/hypothesis first/);
    expect((await use("hypothesis", { text: "hm" })).status).toBe("refused");
    await use("hypothesis", { text: "A shorter prompt leaves more room for thought." });
    expect((await use("create", { file: "agent/n.md", text: "n" })).status).toBe("ok");
  });
});
