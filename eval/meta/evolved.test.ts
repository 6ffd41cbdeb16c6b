/** `mend eval --agent`: an agent of a self-edit run is scored, in the box, with the host's model and the host's figures. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type FakeReply, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { Arguments } from "../../utils/program/arguments.ts";
import { type CommandResult, run, temporaryFolder } from "../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../utils/testing/repeats.ts";
import { readSettings, type runOptions } from "../run/selection/settings.ts";
import { openArchive } from "./archive/archive.ts";
import { type AgentAdded, openLog } from "./log.ts";
import { MAIN, MINI_AGENT, mainWith, SOLVE_PROMPT, writeAgent } from "./testing/mini_agent.ts";
import { signRows } from "./testing/sign_tasks.ts";
import { findBox } from "./testing/test_run.ts";

const box = await findBox();
const TASKS = 3;

/** A run with A_0, a child that was accepted, and one that ends with a word on stderr. */
const AGENTS = [
  MINI_AGENT,
  { ...MINI_AGENT, [SOLVE_PROMPT]: "Fix it, and check the sign.\n" },
  {
    ...MINI_AGENT,
    [MAIN]: mainWith(
      "async function solve(job: Job) {",
      "async function solve(job: Job) {\n  throw new Error(job.task.id);",
    ),
  },
];

async function writeRun(folder: string, agents: readonly Readonly<Record<string, string>>[] = AGENTS): Promise<void> {
  const archive = await openArchive(folder);
  const log = openLog(folder);
  for (const [n, files] of agents.entries()) {
    const source = join(folder, "source");
    writeAgent(source, files);
    const parent = n === 0 ? null : 0;
    const before = parent === null ? null : log.state.agent(parent).sha;
    const stored = await archive.commit(source, { parent: before, message: `agent ${n}`, ordinal: n });
    const at = "2026-01-01T00:00:00.000Z";
    const agent: AgentAdded = {
      type: "agent",
      n,
      ...stored,
      parent,
      iteration: n,
      round: 1,
      hypothesis: "",
      changes: "",
      at,
    };
    log.append(agent);
    const verdict = n === 1 ? ("accepted" as const) : ("broken" as const);
    if (n > 0)
      log.append({
        type: "verdict",
        iteration: n,
        round: 1,
        agent: n,
        verdict,
        gate: "validation",
        message: "",
        test: null,
        again: false,
        at,
      });
  }
}

/** Repairs if the prompt says to check the sign. */
function reply(text: string): FakeReply {
  const number = Number(/x - (\d+)/.exec(text)?.[1]);
  const program = text.includes("check the sign")
    ? `def f(x):\n    return x + ${number}\n`
    : "def f(x):\n    return x\n";
  return { text: program, usage: { prompt_tokens: 100, completion_tokens: 10 } };
}

const lastLine = ({ lines }: CommandResult) => lines.at(-1);

test.skipIf(!box)(
  "the champion, another agent and one that crashes are scored as the loop measures them",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    await writeRun(join(folder.path, "runs", "hand"));
    writeFileSync(join(folder.path, "tasks.jsonl"), signRows(TASKS));
    await using model = await startFakeOpenAI({
      reply: ({ body }) => reply(body.messages.map(({ content }) => content ?? "").join("\n")),
    });
    const evaluate = (agent: string, name: string, ...more: string[]) =>
      run(
        "eval/pass1.ts",
        [...["--agent", agent, "--run", name, "--model", "openai:scripted", "--price", "1,1"], ...DATASET, ...more],
        folder.path,
        { OPENAI_BASE_URL: model.url },
      );
    const champion = await evaluate("hand", "best");
    expect([champion.exitCode, champion.stderr]).toEqual([0, expect.stringContaining("hand#1 with openai:scripted")]);
    expect(lastLine(champion)).toMatchObject({
      ...{ agent: "hand#1", model: "openai:scripted", num: TASKS, successes: TASKS, input_tokens: 100 * TASKS },
      cost_usd: expect.closeTo((TASKS * 110) / 1e6, 12),
    });
    const first = await evaluate("hand#0", "first");
    expect(lastLine(first)).toMatchObject({ agent: "hand#0", num: TASKS, successes: 0, errors: 0, complete: true });
    const crashes = await evaluate("hand#2", "crashes", "--indices", "0");
    expect(lastLine(crashes)).toMatchObject({ num: 1, successes: 0, errors: 0 });
    const decides = { evaluator: "of other code" };
    const manifest = { v: 1, decides, git_commit: null, started_at: "2026-01-01T00:00:00.000Z" };
    writeFileSync(join(folder.path, "runs", "hand", "manifest.json"), JSON.stringify(manifest));
    const elsewhere = await evaluate("hand#2", "elsewhere", "--indices", "0");
    expect(lastLine(elsewhere)).toMatchObject({ errors: 1, complete: false });
    expect(elsewhere.stderr).toMatch(/hand#2 crashed, on other code than the one that it was made by/);
    expect(lastLine(await evaluate("hand#1", "works", "--indices", "0"))).toMatchObject({ successes: 1, errors: 0 });
    const trajectories = join(folder.path, "runs", "crashes", "trajectories");
    const results = readFileSync(join(folder.path, "runs", "best", "results.jsonl"), "utf8");
    expect(results).not.toContain('"seconds":0,');
    const [file = ""] = readdirSync(trajectories);
    expect(readFileSync(join(trajectories, file), "utf8")).toContain("Error: Sign/0");
    const otherAgent = await evaluate("hand#0", "best");
    expect([otherAgent.exitCode, otherAgent.stderr]).toEqual([
      2,
      expect.stringMatching(/agent\.name: hand#1 → hand#0/),
    ]);
  },
);

const DATASET = ["--dataset", "tasks.jsonl", "--few-shot-k", "0"];

test.each(
  quarter([
    ["nothing", /runs\/nothing holds no agents/],
    ["hand#7", /Run hand has the agents 0 to 2, and no 7/],
  ]),
)("--agent %s is refused in a sentence", ALSO_DEEP, async (agent, message) => {
  using folder = temporaryFolder();
  await writeRun(join(folder.path, "runs", "hand"));
  writeFileSync(join(folder.path, "tasks.jsonl"), signRows(1));
  const args = ["--agent", agent, "--model", "search", ...DATASET];
  const { exitCode, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test.skipIf(!box)("--agent refuses tasks that are no functions before it works on any", DEEP, async () => {
  using folder = temporaryFolder();
  await writeRun(join(folder.path, "runs", "hand"), [MINI_AGENT]);
  writeFileSync(join(folder.path, "q.jsonl"), JSON.stringify({ id: 1, problem: "What is 6 times 7?", answer: 42 }));
  writeFileSync(join(folder.path, "s.jsonl"), '{"reply": "42"}');
  const args = ["--agent", "hand", "--model", "script:s.jsonl", "--dataset", "q.jsonl"];
  const { exitCode, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/--agent works on functions, and aime\/1 is none/)]);
});

test.each([
  [{ tools: "code_interpreter" }, /^--tools cannot be used with --agent: the agent brings its own/],
  [{ queue: "redis://localhost" }, /^--queue cannot be used with --agent: the agent runs on this machine only/],
  [{ protocol: "tests" }, /^--protocol tests cannot be used with --agent: it shows the hidden tests/],
  [{ "tool-calls": "native" }, /^--tool-calls cannot be used with --agent: its agents call tools in their text/],
])("%j cannot be used with --agent", (more, message) => {
  const args = new Arguments<keyof typeof runOptions>({ agent: "hand", ...more }, []);
  expect(() => readSettings(args)).toThrow(message);
});

test.skipIf(!box)("an agent whose commit is another one than the log says is not run", DEEP, async () => {
  using folder = temporaryFolder();
  const runFolder = join(folder.path, "runs", "hand");
  await writeRun(runFolder);
  writeFileSync(join(folder.path, "tasks.jsonl"), signRows(1));
  const file = join(runFolder, "log.jsonl");
  const [first = "", second = "", ...rest] = readFileSync(file, "utf8").split("\n");
  const { sha } = JSON.parse(second.startsWith('{"type":"agent"') ? second : (rest[0] ?? ""));
  writeFileSync(file, [first.replace(/"sha":"\w+"/, `"sha":"${sha}"`), second, ...rest].join("\n"));
  const args = ["--agent", "hand#0", "--model", "search", ...DATASET];
  const { exitCode, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/holds other files than its run's log says/)]);
});
