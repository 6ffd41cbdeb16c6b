import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { runTool } from "../tools/run_tests.ts";
import { Workspace } from "../tools/workspace.ts";
import { boxShell } from "./shell.ts";

function open(hypothesis: string | null) {
  const folder = temporaryFolder();
  for (const name of ["agent", "prompts", "utils"]) {
    mkdirSync(join(folder.path, name));
    writeFileSync(join(folder.path, name, "a.txt"), `${name}\n`);
  }
  const workspace = new Workspace(folder.path);
  workspace.hypothesis = hypothesis;
  const tool = runTool(workspace, boxShell(workspace));
  const run = async (command: string) => {
    const { status, output } = await tool.run({ command });
    return `${status}\n${output}`;
  };
  const read = (name: string) =>
    existsSync(join(folder.path, name)) ? readFileSync(join(folder.path, name), "utf8") : null;
  return { workspace, run, read, [Symbol.dispose]: folder[Symbol.dispose] };
}

test("an editor's commands change its code as one step that undo takes back, and read the helpers", async () => {
  using work = open("A shorter text is read more closely.");
  expect(await work.run("cat utils/a.txt; echo two >&2; exit 3")).toBe("exit code 3\nutils\ntwo");
  const change = "sed -i s/agent/AGENT/ agent/a.txt && rm prompts/a.txt && mkdir agent/x && echo new > agent/x/b.txt";
  expect(await work.run(change)).toBe(
    "exit code 0\n(no output)\n(changed: agent/a.txt, agent/x/b.txt)\n(removed: prompts/a.txt)",
  );
  expect(["agent/a.txt", "agent/x/b.txt", "prompts/a.txt"].map(work.read)).toEqual(["AGENT\n", "new\n", null]);
  work.workspace.undo();
  expect(["agent/a.txt", "agent/x/b.txt", "prompts/a.txt"].map(work.read)).toEqual(["agent\n", null, "prompts\n"]);
});

test("what a command changes elsewhere, or before there is a hypothesis, is not kept, and the editor learns why", async () => {
  using work = open("A shorter text is read more closely.");
  expect(await work.run("echo x > package.json; echo y >> agent/a.txt")).toBe(
    "exit code 0\n(not kept: package.json. Only files under agent/ and prompts/ may be changed.)\n(changed: agent/a.txt)",
  );
  expect(work.read("package.json")).toBeNull();
  work.workspace.hypothesis = null;
  expect(await work.run("echo z >> agent/a.txt")).toContain("(not kept: agent/a.txt. State your hypothesis first");
  expect(work.read("agent/a.txt")).toBe("agent\ny\n");
});

test("a long output is cut and leaves no file in the agent", async () => {
  using work = open("A shorter text is read more closely.");
  expect((await work.run("seq 1 9999")).length).toBeLessThan(11_000);
  expect(work.read(".mend-output/1.txt")).toBeNull();
});
