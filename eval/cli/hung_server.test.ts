// @module-tag deep
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { finalAnswer, right, taskOf, turnsTaken } from "../testing/fake_repairer.ts";

const common = ["--model", "openai:scripted", "--dataset", "builtin", "--few-shot-k", "0", "--run", "r"];
const results = (folder: string) =>
  readFileSync(join(folder, "runs/r/results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));

test("a server that never answers gives errors and no score, and the samples can be run again", async () => {
  using folder = temporaryFolder();
  let hangs = true;
  await using server = await startFakeOpenAI({ reply: (request) => (hangs ? { hang: true } : right(taskOf(request))) });
  const env = { OPENAI_BASE_URL: server.url };
  const args = [...common, "--num", "2", "--timeout", "2"];
  const hung = await run("eval/pass1.ts", args, folder.path, env);
  expect(hung.exitCode).toBe(1);
  expect(hung.lines.at(-1)).toMatchObject({ num: 0, value: null, errors: 2, complete: false });
  expect(hung.stderr).toContain("INCOMPLETE (2 of 2 samples ended with an error: if these fail, pass@1 is 0%)");
  for (const result of results(folder.path)) {
    expect(result).toMatchObject({ error: { kind: "timeout", message: expect.stringContaining("openai:scripted") } });
    expect(result).not.toHaveProperty("passed");
  }
  expect(server.requests.length).toBeGreaterThanOrEqual(2);
  hangs = false;
  // The limit decides results, so a run with another one is another run.
  const again = await run("eval/pass1.ts", [...common.slice(0, -1), "s", "--num", "2"], folder.path, env);
  expect(again.lines.at(-1)).toMatchObject({ num: 2, successes: 2, errors: 0, complete: true });
});

test("a server that answers once and then hangs: the time is up, and what there is gets a score", async () => {
  using folder = temporaryFolder();
  await using server = await startFakeOpenAI({
    reply: (request) => {
      if (turnsTaken(request) > 2) return { hang: true };
      const { declaration, buggyCode } = taskOf(request);
      return finalAnswer(declaration + buggyCode);
    },
  });
  const args = [...common, "--num", "1", "--timeout", "20"];
  const { exitCode, lines } = await run("eval/pass1.ts", args, folder.path, { OPENAI_BASE_URL: server.url });
  expect(exitCode).toBe(0);
  expect(lines.at(-1)).toMatchObject({ num: 1, successes: 0, errors: 0, complete: true });
  expect(results(folder.path)).toMatchObject([{ passed: false, stop: "budget", iterations: 1 }]);
});

test("the demo says that nothing was measured", async () => {
  using folder = temporaryFolder();
  await using server = await startFakeOpenAI({ reply: () => ({ hang: true }) });
  const args = ["--model", "openai:scripted", "--dataset", "builtin", "--few-shot-k", "0", "--timeout", "2"];
  const { exitCode, lines, stderr } = await run("examples/demo_minimal.ts", args, folder.path, {
    OPENAI_BASE_URL: server.url,
  });
  expect(exitCode).toBe(1);
  expect(lines.at(-1)).toMatchObject({ error: expect.stringContaining("no reply within the 2 s"), stop: "error" });
  expect(lines.at(-1)).not.toHaveProperty("pass");
  expect(stderr).toContain("not scored");
});
