/** Tasks other than functions travel, too: exercises, questions and fixes of repositories are solved by a worker as in a local run. */
// @module-tag deep

import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { byRules, TWICE, writeFiles } from "../../testing/benchmark_sets.ts";
import { REPAIRS, writeRepositoryTasks } from "../../testing/repository_tasks.ts";
import { KEY, PASS1, resultsOf, WORKER } from "./testing/queue_run.ts";
import { hasRedis, startRedis } from "./testing/redis.ts";

const RULES = [
  { seen: "What is 6 times 7", reply: "Thought: I multiply.\nFinal Answer: 42" },
  {
    turn: 1,
    reply:
      'Thought: I add.\nAction: replace_text\nAction Input: {"file": "twice.py", "old": "    pass", "new": "    return n + n"}',
  },
  { turn: 2, reply: "Thought: done.\nFinal Answer: it adds." },
];

test.skipIf(!hasRedis)("results of a worker are those of a local run", async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  writeFiles(join(folder.path, "set/python/exercises/practice/twice"), TWICE);
  writeFileSync(join(folder.path, "q.jsonl"), JSON.stringify({ id: 1, problem: "What is 6 times 7?", answer: 42 }));
  await using model = await startFakeOpenAI({ reply: byRules(RULES) });
  await using store = await startRedis();
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

test.skipIf(!hasRedis)("fixes of repositories are done by a worker that has these, and by no other", async () => {
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  await using model = await startFakeOpenAI({ reply: byRules(REPAIRS) });
  await using store = await startRedis();
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
