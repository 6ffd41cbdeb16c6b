/**
 * The self-edit loop in compiled languages: the real agent, started from this project's code, runs programs of the
 * language, edits its own prompt, and the child that repairs is promoted by the judge alone. Tests of the loop, and of each
 * language's tasks, show the parts of it.
 */

import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type FakeRequest, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { loadDataset } from "../benchmark/find.ts";
import { findBox } from "./testing/test_run.ts";

const MARK = "Compare with the instruction word by word.";

/** Prints 5. */
const PROGRAMS: [LanguageName, code: string][] = [
  ["java", "System.out.println(2 + 3);"],
  ["go", "fmt.Println(2 + 3)"],
];

/** Each reply rests on the observation before it. */
function edit(last: string): string {
  const act = (tool: string, input: object) =>
    `Thought: on I go\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;
  if (last.startsWith("The workspace holds the code of agent 0")) return act("archive", { show: "tasks", agent: 0 });
  if (last.includes("dev tasks of agent 0, worst first"))
    return act("hypothesis", { text: "It should read the instruction more closely." });
  if (last.includes("Stated."))
    return act("replace_text", {
      file: "prompts/messages.md",
      old: "{{status}}\n{{output}}",
      new: `{{status}}\n{{output}}\n${MARK}`,
    });
  return last.includes(`+${MARK}`) ? "Final Answer: The prompt asks it to compare." : "Thought: I am lost.";
}

const box = await findBox();

test.each(PROGRAMS)("%s: a child that repairs what its parent fails is accepted", async (language, code) => {
  const { title, fence, unavailable } = LANGUAGES[language];
  const missing = unavailable("");
  if (missing !== null || !box) return console.warn(`skipped: ${missing ?? "there is no box"}`);
  using folder = temporaryFolder();
  const { path } = folder;
  copyFileSync(
    fileURLToPath(new URL(`../benchmark/fixtures/${language}.jsonl`, import.meta.url)),
    join(path, "rows.jsonl"),
  );
  const { tasks } = await loadDataset(join(path, "rows.jsonl"), { log: () => {} });
  /** Runs a program first; repairs where the observation holds the child's words. */
  const reply = ({ last, body }: FakeRequest): string => {
    const all = body.messages.map(({ content }) => content ?? "").join("\n");
    if (!all.includes(`You repair ${title} functions`)) return edit(last);
    const task = tasks.find(({ declaration }) => all.includes(declaration.trim()));
    if (!task) throw new Error(`no task is asked for in ${all}`);
    if (!last.includes("exit code 0\n5"))
      return `Thought: look.\nAction: code_interpreter\nAction Input: ${JSON.stringify({ code })}`;
    const answer = task.declaration + (last.includes(MARK) ? task.canonicalCode : task.buggyCode);
    return `Thought: I see.\nFinal Answer:\n\`\`\`${fence}\n${answer}\n\`\`\``;
  };
  await using model = await startFakeOpenAI({ reply: async (request) => reply(request) });
  const words = [
    "--dataset",
    "rows.jsonl",
    "--split",
    "1,2,1",
    "--alpha",
    "0.25",
    "--few-shot-k",
    "0",
    "--max-iterations",
    "3",
  ];
  const ran = await run(
    "eval/meta_loop.ts",
    [...words, "--iterations", "1", "--model", "openai:m", "--price", "1,1"],
    path,
    { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k" },
  );
  expect([ran.exitCode, ran.lines.at(-1)], ran.stderr).toMatchObject([
    0,
    { children: 1, verdicts: { accepted: 1 }, champion: 1 },
  ]);
  const measured = readFileSync(join(path, "runs/meta/log.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "measured");
  const [parent] = measured;
  const scores = (isParent: boolean) =>
    measured.flatMap(({ tree, score }) => ((tree === parent.tree) === isParent ? [score] : []));
  expect([new Set(scores(true)), new Set(scores(false))]).toEqual([new Set([0]), new Set([1])]);
  expect(new Set(measured.map(({ task }) => task)).size, "the sealed split was opened").toBe(4);
  expect(new Set(measured.map(({ status }) => status))).toEqual(new Set(["ok"]));
});
