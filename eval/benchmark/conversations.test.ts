/**
 * A compiled language in one conversation with an OpenAI-compatible server: the compiler's words reach the model, and its
 * answer is verified, with an example; by a worker, too, and with the documentation in place of a test.
 */
// @module-tag deep

import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type FakeRequest, startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import type { Task } from "../../utils/task/task.ts";
import { run, start, temporaryFolder } from "../../utils/testing/command.ts";
import { some } from "../../utils/testing/repeats.ts";
import { KEY, PASS1, resultsOf, WORKER } from "../run/queue/testing/queue_run.ts";
import { SERVERS } from "../run/queue/testing/servers.ts";
import { loadDataset } from "./dataset.ts";

interface Row {
  language: LanguageName;
  /** Prints 5. */
  code: string;
  /** Makes a right program one that does not compile. */
  slip: [right: string, wrong: string];
  /** What the compiler says of it. */
  told: RegExp;
}

const ROWS: Row[] = [
  {
    language: "go",
    code: "fmt.Println(2 + 3)",
    slip: ["string(out)", "string(put)"],
    told: /undefined: put/,
  },
  {
    language: "cpp",
    code: "cout << 2 + 3;",
    slip: ["return count;", "return counts;"],
    told: /counts.{0,3} was not declared/,
  },
  {
    language: "java",
    code: "System.out.println(2 + 3);",
    slip: ["out.toString", "put.toString"],
    told: /cannot find symbol/,
  },
  {
    language: "rust",
    code: 'println!("{}", 2 + 3);',
    slip: ["one > limit", "one > limits"],
    told: /cannot find value `limits`/,
  },
];

const [server] = SERVERS;

// Each language's own tests hold the same conversation without a server: the cheapest, in `npm run test:slow` all.
test.each(some(ROWS, 1))("$language", async ({ language, code, slip, told }) => {
  const { title, fence, unavailable } = LANGUAGES[language];
  const missing = unavailable("");
  if (missing !== null || !server) return console.warn(`skipped: ${missing ?? "there is no server of queues"}`);
  using folder = temporaryFolder();
  using elsewhere = temporaryFolder();
  const { path } = folder;
  copyFileSync(fileURLToPath(new URL(`./fixtures/${language}.jsonl`, import.meta.url)), join(path, "rows.jsonl"));
  const { tasks } = await loadDataset(join(path, "rows.jsonl"), { log: () => {} });
  const right = ({ declaration, canonicalCode }: Task) => declaration + canonicalCode;
  const chosen = tasks.findIndex((task) => right(task).includes(slip[0]));
  const task = tasks[chosen];
  if (!task) throw new Error(`no program holds ${slip[0]}`);
  const answer = (program: string) => `Thought: I see.\nFinal Answer:\n\`\`\`${fence}\n${program}\n\`\`\``;
  const reply = ({ last, body }: FakeRequest): string => {
    const isDocumented = body.messages.every(({ content }) => !content?.includes("tests"));
    if (isDocumented || last.includes("does not compile")) return answer(right(task));
    if (last.includes("exit code 0\n5")) return answer(right(task).replaceAll(...slip));
    return `Thought: look.\nAction: code_interpreter\nAction Input: ${JSON.stringify({ code })}`;
  };
  await using model = await startFakeOpenAI({ reply: async (request) => reply(request) });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k", MEND_QUEUE_KEY: KEY };
  const evaluate = (name: string, protocol: string, ...more: string[]) => {
    const words = ["--dataset", "rows.jsonl", "--few-shot-k", "1", "--indices", String(chosen), "--protocol", protocol];
    return run(PASS1, [...words, "--model", "openai:m", "--run", name, ...more], path, env);
  };
  const local = await evaluate("local", "tests");
  expect(local.lines.at(-1), local.stderr).toMatchObject({ num: 1, successes: 1, complete: true });
  expect(resultsOf(path, "local")).toMatchObject([{ verified: true, stop: "answered", iterations: 3 }]);
  const [first = "", , third = ""] = model.requests.map(({ body }) =>
    body.messages.map(({ content }) => content).join("\n"),
  );
  expect(first).toContain(`You repair ${title} functions`);
  expect(first.split("Final Answer:").length, "an example is shown").toBeGreaterThan(1);
  expect(third).toMatch(/does not compile: line \d+/);
  expect(third).toMatch(told);

  await using store = await server.start();
  const worker = start(WORKER, ["--queue", store.url], elsewhere.path, env);
  const queued = await evaluate("queued", "tests", "--queue", store.url);
  worker.process.kill("SIGINT");
  await worker.done;
  expect(queued.lines.at(-1), queued.stderr).toMatchObject({ num: 1, successes: 1, complete: true });
  expect(resultsOf(path, "queued")).toEqual(resultsOf(path, "local"));
  expect(readdirSync(join(path, "runs/queued/trajectories"))).toHaveLength(1);

  const docs = await evaluate("docs", "docs");
  expect(docs.lines.at(-1), docs.stderr).toMatchObject({ num: 1, successes: 1, protocol: "docs" });
});
