/** Tasks that are no functions travel: exercises, questions and fixes of repositories are solved by a worker as in a local run. */
// @module-tag deep

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../../../agent/models/script.ts";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { REPAIRS, writeRepositoryTasks } from "../../testing/repository_tasks.ts";
import { KEY, PASS1, resultsOf, WORKER } from "./testing/queue_run.ts";
import { SERVERS } from "./testing/servers.ts";

const [server] = SERVERS;

const EXERCISE = {
  ".docs/instructions.md": "# Twice\n\nGive a number twice.\n",
  ".meta/config.json": JSON.stringify({
    files: { solution: ["twice.py"], test: ["twice_test.py"], example: [".meta/example.py"] },
  }),
  ".meta/example.py": "def twice(n):\n    return n + n\n",
  "twice.py": "def twice(n):\n    pass\n",
  "twice_test.py": "from twice import twice\n\ndef test_twice():\n    assert twice(3) == 6\n",
};
const RULES = [
  { seen: "What is 6 times 7", reply: "Thought: I multiply.\nFinal Answer: 42" },
  {
    turn: 1,
    reply:
      'Thought: I add.\nAction: replace_text\nAction Input: {"file": "twice.py", "old": "    pass", "new": "    return n + n"}',
  },
  { turn: 2, reply: "Thought: done.\nFinal Answer: it adds." },
];

/** A model's server that goes by rules. */
async function startRuled(rules: readonly object[]) {
  const chat = new ScriptedChat("script", parseRules(JSON.stringify(rules), "rules"));
  const kinds = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  return await startFakeOpenAI({
    reply: async ({ body }) => {
      const messages = body.messages.map(({ role, content }) => new kinds[role as keyof typeof kinds](content ?? ""));
      return (await chat.invoke(messages)).text;
    },
  });
}

test.skipIf(!server)("results of a worker are those of a local run", async () => {
  if (!server) return;
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  for (const [file, text] of Object.entries(EXERCISE)) {
    const path = join(folder.path, "set/python/exercises/practice/twice", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(folder.path, "q.jsonl"), JSON.stringify({ id: 1, problem: "What is 6 times 7?", answer: 42 }));
  await using model = await startRuled(RULES);
  await using store = await server.start();
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", MEND_QUEUE_KEY: KEY };
  const worker = start(WORKER, ["--queue", store.url], elsewhere.path, env);
  try {
    for (const dataset of ["set", "q.jsonl"]) {
      const evaluate = (name: string, ...more: string[]) =>
        run(PASS1, ["--dataset", dataset, "--model", "openai:m", "--run", name, ...more], folder.path, env);
      const local = await evaluate(`local-${dataset}`);
      expect(local.lines.at(-1), local.stderr).toMatchObject({ num: 1, successes: 1, complete: true });
      const done = await evaluate(`queue-${dataset}`, "--queue", store.url);
      expect(done.lines.at(-1), done.stderr).toMatchObject({ num: 1, successes: 1, complete: true });
      expect(resultsOf(folder.path, `queue-${dataset}`)).toEqual(resultsOf(folder.path, `local-${dataset}`));
    }
  } finally {
    worker.process.kill("SIGINT");
    await worker.done;
  }
});

test.skipIf(!server)("fixes of repositories are done by a worker that has these, and by no other", async () => {
  if (!server) return;
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  await using model = await startRuled(REPAIRS);
  await using store = await server.start();
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", MEND_QUEUE_KEY: KEY };
  const tasks = [...writeRepositoryTasks(folder.path), "--protocol", "tests", "--model", "openai:m"];
  const local = await run(PASS1, [...tasks, "--run", "local"], folder.path, env);
  expect(local.lines.at(-1), local.stderr).toMatchObject({ num: 2, successes: 2, complete: true });
  const coordinator = start(PASS1, [...tasks, "--run", "queue", "--queue", store.url], folder.path, env);
  const workWith = (...more: string[]) => ["--queue", store.url, ...more];
  const without = await run(WORKER, workWith(), elsewhere.path, env);
  expect(without, without.stderr).toMatchObject({ exitCode: 2 });
  expect(without.stderr).toMatch(
    /^error: run \S+ is refused: its tasks are fixes of repositories.*--repositories PATH/m,
  );
  // A repository of the same name that has another history.
  using other = makeRepository({ "rates.py": "x = 1\n" });
  other.git("clone", "--quiet", "--bare", ".", join(elsewhere.path, "other/o/r"));
  const wrong = await run(WORKER, workWith("--repositories", "other"), elsewhere.path, env);
  expect(wrong, wrong.stderr).toMatchObject({ exitCode: 2 });
  expect(wrong.stderr).toMatch(/is refused: --repositories lacks 2 trees of its 2 tasks \(o__r-\S+: its base /);
  cpSync(join(folder.path, "clones"), join(elsewhere.path, "clones"), { recursive: true });
  const worker = start(WORKER, workWith("--repositories", "clones"), elsewhere.path, env);
  const done = await coordinator.done;
  worker.process.kill("SIGINT");
  await worker.done;
  expect(done.lines.at(-1), done.stderr).toMatchObject({ num: 2, successes: 2, complete: true });
  expect(resultsOf(folder.path, "queue")).toEqual(resultsOf(folder.path, "local"));
});
