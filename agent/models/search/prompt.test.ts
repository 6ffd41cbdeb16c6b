/** The search model reads its task as data, so the texts of `prompts/` are free to change; from text it works, too. */

import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import type { VisibleTask } from "../../../utils/task/task.ts";
import { messageWithTask } from "../../../utils/task/task_data.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { taskMessage } from "../../prompts.ts";
import { createSearchModel } from "./chat.ts";
import { readTaskText } from "./conversation.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const task: VisibleTask = {
  id: "t/1",
  language: "python",
  entryPoint: "largest",
  instruction: "Return the largest number.",
  declaration: "def largest(numbers):\n",
  buggyCode: '    """Not ```\n    fenced."""\n    return min(numbers)\n',
  epilogue: "",
  exampleTest: "assert largest([1, 5, 2]) == 5",
};

test("with other headings in prompts/task.md --model search still repairs", DEEP, async () => {
  using folder = temporaryFolder();
  for (const part of ["agent", "eval", "examples", "fix", "prompts", "utils", "package.json", "tsconfig.json"])
    cpSync(join(ROOT, part), join(folder.path, part), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
  const prompt = join(folder.path, "prompts/task.md");
  const edited = readFileSync(prompt, "utf8")
    .replace("## Instruction", "What it should do:")
    .replace("## Buggy program", "The code")
    .replace("## Function to repair\n`{{entryPoint}}`", "Its name is {{entryPoint}}.")
    .replace("## Visible tests", "=== checks ===");
  writeFileSync(prompt, edited);
  const args = ["--model", "search", "--dataset", "builtin", "--index", "0", "--search-steps", "400"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", import.meta.resolve("tsx"), "examples/demo_minimal.ts", ...args],
    { cwd: folder.path, env: { ...process.env, NODE_OPTIONS: "", VITEST: "" } },
  );
  expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({ verified: true, pass: true });
});

test("the data counts, whatever the text beside it says", async () => {
  const message = messageWithTask("Do what you think is right.", { type: "repair", task });
  expect((await createSearchModel().invoke([message])).text).toContain("I try small edits of largest");
});

test("where only the text came through the task is read from it, with the headings it has and with others", () => {
  const plain = taskMessage({ ...task, buggyCode: "    return min(numbers)\n" }).text;
  const read = {
    instruction: "Repair this function.\n\n\nReturn the largest number.",
    program: "def largest(numbers):\n    return min(numbers)",
    entry: "largest",
    tests: "assert largest([1, 5, 2]) == 5",
  };
  expect(readTaskText(plain)).toMatchObject({ ...read, instruction: expect.stringContaining("Return the largest") });
  const others = plain.replace(/^## .*$/gm, "# ***").replaceAll("\n", "\r\n");
  expect(readTaskText(others)).toMatchObject({ ...read, instruction: expect.stringContaining("Return the largest") });
  expect(readTaskText(plain.replace("`largest`", "largest"))).toBeNull();
  expect(readTaskText("Observation: exit code 1\n```\ndef f(): pass\n```")).toBeNull();
});

test("a conversation of texts alone is answered", async () => {
  const plain = taskMessage({ ...task, buggyCode: "    return min(numbers)\n" }).text;
  expect((await createSearchModel().invoke([new HumanMessage(plain)])).text).toContain("I try small edits of largest");
});
