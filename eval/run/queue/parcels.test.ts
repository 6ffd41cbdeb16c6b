/** Tasks that are no functions travel as data: an exercise and a question, solved by a worker as in a local run. */
// @module-tag deep

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { parseRules, ScriptedChat } from "../../../agent/models/script.ts";
import { startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
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
  const chat = new ScriptedChat("script", parseRules(JSON.stringify(RULES), "rules"));
  const kinds = { system: SystemMessage, user: HumanMessage, assistant: AIMessage };
  await using model = await startFakeOpenAI({
    reply: async ({ body }) => {
      const messages = body.messages.map(({ role, content }) => new kinds[role as keyof typeof kinds](content ?? ""));
      return (await chat.invoke(messages)).text;
    },
  });
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
