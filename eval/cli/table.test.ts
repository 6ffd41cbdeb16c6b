/** What all commands have in common, and `mend`'s own help. */
// @module-tag ci

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exitsOf, type Option } from "../../utils/program/cli.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../utils/testing/repeats.ts";
import { COMMANDS } from "./table.ts";

const mend = async (...args: string[]) => {
  using folder = temporaryFolder();
  return await run("eval/cli/main.ts", args, folder.path);
};

test.each(Object.entries(COMMANDS))("%s takes --json, and its help is written as all are", async (_name, { load }) => {
  const { command }: { command: { summary: string; options: object; exits?: object } } = await load();
  expect(command.options).toHaveProperty("json.help", expect.stringContaining("one JSON document"));
  expect(command.summary).toMatch(/^[A-Z].*[.:)]?/s);
  expect(command.summary).not.toMatch(/exit code/i);
  expect(exitsOf(command.exits)).toMatch(/^ {2}0 {4}\S.*\n/m);
});

test.each(Object.entries(COMMANDS))(
  "%s shows at most five options before its first heading",
  async (_name, { load }) => {
    const { command }: { command: { options: Record<string, Option> } } = await load();
    const first = Object.entries(command.options).filter(([, { group }]) => group === undefined);
    expect(first.map(([name]) => name).slice(5)).toEqual([]);
  },
);

test("with --json an error is a document on stdout, too, and the exit code is the same", DEEP, async () => {
  const { exitCode, stdout, stderr } = await mend("report", "absent", "--json");
  expect(exitCode).toBe(2);
  const { error } = JSON.parse(stdout);
  expect(error).toContain("There is no run at absent");
  expect(stderr).toBe(`error: ${error}\n`);
});

test.each(
  quarter([
    [["mcp", "--json"], { tools: expect.arrayContaining([expect.objectContaining({ name: "judge" })]) }],
    [["completions", "--json"], expect.arrayContaining([expect.objectContaining({ name: "models prepare" })])],
  ]),
)("%j prints one document and does nothing else", ALSO_DEEP, async (args, expected) => {
  const { exitCode, stdout } = await mend(...args);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, expected]);
});

test.each(
  quarter([
    [["evl"], "Unknown command 'evl'. Did you mean eval?"],
    [["models", "prepar"], "Unknown command 'prepar'. Did you mean prepare?"],
    [["score", "x.jsonl", "--datset", "y"], "Unknown option '--datset'. Did you mean --dataset?"],
  ]),
)("%j: what is nearly right is suggested", ALSO_DEEP, async (args, sentence) => {
  expect(await mend(...args)).toMatchObject({ exitCode: 2, stdout: "", stderr: `error: ${sentence} See --help.\n` });
});

test.each([
  ["leaderboard", "mend report: write a run as one HTML page, or runs as a leaderboard"],
  ["serach", "mend repair: repair a function in a file of yours, by search or a model"],
])("%s is no command: the one that does it is named", async (word, line) => {
  expect((await mend(word)).stderr).toBe(`error: Unknown command '${word}'. See --help.\n  ${line}\n`);
});

test("a folder given to repair and a file given to fix: the other command is named", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "f.py"), "");
  const said = async (...args: string[]) => (await run("eval/cli/main.ts", args, folder.path)).stderr;
  expect(await said("repair", ".")).toBe("error: . is a folder: name a file in it, or use `mend fix .`.\n");
  expect(await said("fix", "f.py")).toBe("error: f.py is a file: name its repository, or use `mend repair f.py`.\n");
  expect(await said("fix", "absent")).toBe("error: There is no folder absent.\n");
});
