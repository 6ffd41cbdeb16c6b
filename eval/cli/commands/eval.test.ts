import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type FakeReply, type FakeRequest, startFakeOpenAI } from "../../../agent/models/testing/fake_openai.ts";
import { run, start, temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../../utils/testing/repeats.ts";
import { builtinTasks, right, taskOf, turnsTaken, wrong } from "../../testing/fake_repairer.ts";

const PASS1 = "eval/pass1.ts";
const assertions = (test: string) =>
  test
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("assert "));

const results = (folder: string, name: string) =>
  readFileSync(join(folder, "runs", name, "results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));

test("a whole run: prompts hold no hidden assertion, and the scores are those of the hidden tests", async () => {
  using folder = temporaryFolder();
  // The model explores, then answers the buggy program, then gives up or, for every other task, answers correctly.
  const reply = (request: FakeRequest): FakeReply => {
    const task = taskOf(request);
    switch (turnsTaken(request)) {
      case 2:
        return {
          text: 'Thought: look.\nAction: code_interpreter\nAction Input: {"code": "print(6 * 7)"}',
          cut: true,
        };
      case 4:
        return wrong(task);
      default:
        return builtinTasks.indexOf(task) % 2 ? right(task) : wrong(task);
    }
  };
  await using server = await startFakeOpenAI({ reply, models: ["scripted"], key: "sk-secret-1" });
  const { exitCode, lines, stderr } = await run(
    PASS1,
    [
      "--model",
      "openai:scripted",
      "--dataset",
      "builtin",
      "--num",
      "6",
      "--max-iterations",
      "3",
      "--run",
      "r",
      "--tool-calls",
      "text",
    ],
    folder.path,
    { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "sk-secret-1" },
  );
  expect(stderr).toContain("6/6 · pass@1");
  expect(stderr).toContain("/6 tasks of builtin · openai:scripted");
  expect(stderr).toContain(
    "shown: 3 solved examples, instruction, buggy code, example test, the output of a first run · up to 3 turns",
  );
  expect(exitCode).toBe(0);

  const prompts = server.requests.flatMap(({ body }) => body.messages.map(({ content }) => content ?? ""));
  expect(server.requests).toHaveLength(18);
  for (const task of builtinTasks) {
    const visible = assertions(task.exampleTest);
    const hidden = assertions(task.hiddenTest).filter((line) => !visible.includes(line));
    expect(hidden.length).toBeGreaterThan(0);
    for (const line of hidden) expect(prompts.some((prompt) => prompt.includes(line))).toBe(false);
  }
  expect(prompts.some((prompt) => prompt.includes("Observation: exit code 0\n42"))).toBe(true);
  expect(prompts.some((prompt) => prompt.includes("the final answer is not accepted"))).toBe(true);

  const scored = builtinTasks.slice(3, 9);
  const expected = scored.map((task) => builtinTasks.indexOf(task) % 2 === 1);
  const items = lines.slice(0, -1).sort((a, b) => Number(Object(a).index) - Number(Object(b).index));
  expect(items).toEqual(scored.map((task, i) => ({ index: i + 3, task_id: task.id, pass: expected[i] })));
  const successes = expected.filter(Boolean).length;
  expect(lines.at(-1)).toMatchObject({
    metric: "pass@1",
    num: 6,
    successes,
    value: successes / 6,
    errors: 0,
    complete: true,
    model: "openai:scripted",
    shown: "3 solved examples, instruction, buggy code, example test, the output of a first run",
    few_shot_k: 3,
    max_iterations: 3,
    cut_off_replies: 6,
    wall_seconds: expect.any(Number),
  });
  expect(stderr).toMatch(/^cut off {2}6 replies ended at the length limit: raise it with --max-reply N/m);
  const files = ["manifest.json", "results.jsonl", "summary.json"].map((name) =>
    readFileSync(join(folder.path, "runs/r", name), "utf8"),
  );
  expect(files.join()).not.toContain("sk-secret-1");
});

test(
  "an error is no fail: it is listed apart, the run is incomplete, and --retry-errors redoes only it",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const broken = builtinTasks[4];
    let mended = false;
    const reply = (request: FakeRequest): FakeReply => {
      const task = taskOf(request);
      if (task === broken && !mended) return { status: 400, body: { error: { message: "no such luck" } } };
      return right(task);
    };
    await using server = await startFakeOpenAI({ reply });
    const args = ["--model", "openai:scripted", "--dataset", "builtin", "--indices", "3,4,5", "--run", "r"];
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };

    const first = await run(PASS1, args, folder.path, env);
    expect(first.exitCode).toBe(1);
    expect(first.lines.at(-1)).toMatchObject({ num: 2, successes: 2, value: 1, errors: 1, complete: false });
    expect(first.stderr).toContain("INCOMPLETE (1 of 3 samples ended with an error: if it fails, pass@1 is 67%)");
    expect(first.lines).toContainEqual(
      expect.objectContaining({ index: 4, error: expect.stringContaining("no such luck") }),
    );

    const asked = server.requests.length;
    // The command that is printed is one that does it.
    expect(first.stderr).toMatch(/^ +.*pass1\.ts .* --run r --retry-errors$/m);

    const again = await run(PASS1, args, folder.path, env);
    expect(again.lines.at(-1)).toMatchObject({ num: 2, errors: 1, complete: false });
    expect(again.stderr).toMatch(/; resumed, 2 of 3 samples are done, 1 ended with an error \(kept\)$/m);
    expect(server.requests.length).toBe(asked);

    mended = true;
    const retried = await run(PASS1, [...args, "--retry-errors"], folder.path, env);
    expect(retried.exitCode).toBe(0);
    expect(retried.lines.at(-1)).toMatchObject({ num: 3, successes: 3, errors: 0, complete: true });
    expect(server.requests.length).toBe(asked + 1);
    expect(results(folder.path, "r")).toHaveLength(4);
  },
);

test("what every task would meet ends the run with one sentence", DEEP, async () => {
  using folder = temporaryFolder();
  await using server = await startFakeOpenAI({ reply: () => "", key: "right" });
  const args = ["--model", "openai:scripted", "--dataset", "builtin", "--num", "5", "--run", "r", "--concurrency", "1"];
  const wrongKey = await run(PASS1, args, folder.path, { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "sk-wrong-key" });
  expect(wrongKey.exitCode).toBe(2);
  expect(wrongKey.stderr).toMatch(/error: .*key/);
  expect(wrongKey.stderr + wrongKey.stdout).not.toContain("sk-wrong-key");
  expect(wrongKey.stderr).not.toMatch(/\n\s+at /);
  expect(existsSync(join(folder.path, "runs/r/results.jsonl"))).toBe(false);
});

test("with one model call the prompt is the task alone: no tools, no first run, no word of another try", async () => {
  using folder = temporaryFolder();
  const reply = (request: FakeRequest) => ({ text: `It is:\n${right(taskOf(request)).split("Answer:\n")[1]}` });
  await using server = await startFakeOpenAI({ reply });
  const args = ["--model", "openai:scripted", "--dataset", "builtin", "--num", "1", "--max-iterations", "1"];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };
  const { stderr } = await run(PASS1, [...args, "--few-shot-k", "0", "--run", "r"], folder.path, env);
  expect(stderr).toContain(
    "1/1 task of builtin · openai:scripted · shown: instruction, buggy code, example test · up to",
  );
  expect(stderr).toMatch(/^replies +1 answer without a call$/m);
  expect(server.requests.map(({ body }) => [body.tools, body.messages.length])).toEqual([[undefined, 2]]);
  expect(server.requests[0]?.body.messages[0]?.content).not.toContain("try again");
});

test("under the same name a run with other settings is refused, and what differs is shown", DEEP, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "script.json"), '[{"reply": "Final Answer:\\nNone"}]');
  const args = [
    "--model",
    "script:script.json",
    "--dataset",
    "builtin",
    "--num",
    "1",
    "--few-shot-k",
    "0",
    "--run",
    "r",
  ];
  const first = await run(PASS1, [...args, "--max-iterations", "1"], folder.path);
  expect(first.exitCode).toBe(0);
  const other = await run(PASS1, [...args, "--max-iterations", "5"], folder.path);
  expect(other.exitCode).toBe(2);
  expect(other.stderr).toContain("limits.max_iterations: 1 → 5");
  expect(other.stderr).toMatch(/or resume it with\n {2}.*pass1\.ts .*--run r --max-iterations 1$/m);
});

test("a position that no task has is reported before anything is opened: without Python, too", DEEP, async () => {
  using folder = temporaryFolder();
  const args = ["--model", "search", "--dataset", "builtin", "--indices", "3,999"];
  const { exitCode, stderr } = await run(PASS1, args, folder.path, { PATH: folder.path });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("There is no row 999")]);
});

test.each(
  quarter([
    [["--gold", "--model", "openai:x"], "Use --gold or --model, not both."],
    [["--num", "3", "--indices", "1"], "not both"],
    [["--indices", "999"], "There is no row 999"],
    [["--run", "../x", "--model", "search"], "--run takes a name"],
    [["--tempreature", "1"], "--tempreature"],
    // Before the dataset is looked for.
    [["--protocol", "foo", "--dataset", "none.jsonl"], "--protocol takes one of example, docs, tests"],
    [["--model", "gpt-4", "--dataset", "none.jsonl"], "write openai:gpt-4"],
    [["--few-shot-k", "-1", "--dataset", "none.jsonl"], "--few-shot-k takes"],
  ]),
)("%j is refused in one sentence", ALSO_DEEP, async (args, message) => {
  using folder = temporaryFolder();
  const dataset = args.includes("--dataset") ? [] : ["--dataset", "builtin"];
  const model = args.includes("--model") ? [] : ["--model", "search"];
  const { exitCode, stdout, stderr } = await run(PASS1, [...args, ...dataset, ...model], folder.path);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(exitCode).toBe(2);
  expect(stdout).toBe("");
});

test("the built-in tasks do not stand in for the dataset of a score that must be reached", DEEP, async () => {
  using folder = temporaryFolder();
  const args = ["--model", "search", "--num", "1", "--min-pass", "0.5"];
  const env = { HF_HOME: folder.path };
  expect(await run(PASS1, args, folder.path, env)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: bigcode\/humanevalpack /m),
  });
});

test("Ctrl-C before the first sample ends the run with a sentence", DEEP, async () => {
  using folder = temporaryFolder();
  const go = join(folder.path, "go");
  const wait = `console.error("loading"); while (!require("node:fs").existsSync(${JSON.stringify(go)}));`;
  const benchmark = fileURLToPath(new URL("../../../examples/own_benchmark.ts", import.meta.url));
  writeFileSync(join(folder.path, "own.ts"), `export { benchmark } from ${JSON.stringify(benchmark)};\n${wait}\n`);
  const { process: child, done } = start(PASS1, ["--benchmark", "own.ts", "--model", "search"], folder.path);
  child.stderr?.once("data", () => {
    child.kill("SIGINT");
    writeFileSync(go, "");
  });
  expect(await done).toMatchObject({
    exitCode: 130,
    stderr: expect.stringMatching(/^Stopped before the first sample\.$/m),
  });
});
