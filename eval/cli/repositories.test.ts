/** `pass1 --repositories` as a user runs it: by a script, through a server, in the sandbox. */
// @module-tag deep

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { byRules } from "../testing/benchmark_sets.ts";
import { REPAIRS, writeRepositoryTasks } from "../testing/repository_tasks.ts";

const results = (folder: string) =>
  readFileSync(join(folder, "runs/r/results.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const RIGHT = { passed: true, verified: true, overfit: false, stop: "answered", iterations: 4 };

test("a model at an OpenAI-compatible server repairs a task in Python and one in JavaScript", async () => {
  using folder = temporaryFolder();
  await using server = await startFakeOpenAI({ models: ["m"], reply: byRules(REPAIRS) });
  const options = [...writeRepositoryTasks(folder.path), "--protocol", "tests", "--model", "openai:m", "--run", "r"];
  const done = await run("eval/pass1.ts", options, folder.path, { OPENAI_BASE_URL: server.url });
  expect(done, done.stderr).toMatchObject({ exitCode: 0 });
  expect(done.lines.at(-1)).toMatchObject({
    num: 2,
    successes: 2,
    complete: true,
    shown: expect.stringMatching(/scoring tests/),
  });
  expect(results(folder.path)).toMatchObject([RIGHT, RIGHT]);
  expect(done.stderr).toContain("same test results as the reference fix 2 · overfit 0");
  expect(server.requests).toHaveLength(8);
  // Neither the developer's patch nor, beyond the protocol, anything else of the row is sent.
  expect(JSON.stringify(server.requests.map(({ body }) => body.messages[1]))).not.toContain("x / 2");
});

/** The head of a hunk to which two lines are added. */
const longer = (_: string, old: string, start: string, lines: string) => `@@ -${old} +${start},${Number(lines) + 2} @@`;

test("the empty patch repairs no task, the developer's each", async () => {
  using folder = temporaryFolder();
  const tasks = writeRepositoryTasks(folder.path);
  const scored = async (...more: string[]) =>
    (await run("eval/pass1.ts", [...tasks, ...more], folder.path)).lines.at(-1);
  expect(await scored("--empty", "--concurrency", "1")).toMatchObject({ num: 2, successes: 0, complete: true });
  expect(await scored("--gold", "--concurrency", "2")).toMatchObject({ num: 2, successes: 2, complete: true });
});

test("predictions in the formats of SWE-bench and Multi-SWE-bench are scored", async () => {
  using folder = temporaryFolder();
  const tasks = writeRepositoryTasks(folder.path);
  const rows = readFileSync(join(folder.path, "tasks.jsonl"), "utf8").trim().split("\n");
  const [first, second] = rows.map((row) => JSON.parse(row));
  // The same fix as a row of Multi-SWE-bench.
  const multi = {
    ...{ org: "o", repo: "r", number: 7, base: { sha: second.base_commit }, mend: second.mend },
    ...{ fix_patch: second.patch, test_patch: second.test_patch, resolved_issues: [{ title: "a third", body: null }] },
    ...{ f2p_tests: { "part of four": { run: "PASS" } }, p2p_tests: { twice: { run: "PASS" } } },
  };
  const write = (name: string, lines: object[]) =>
    writeFileSync(join(folder.path, name), lines.map((line) => JSON.stringify(line)).join("\n"));
  write("tasks.jsonl", [first, multi]);
  write("predictions.jsonl", [
    { instance_id: first.instance_id, model_name_or_path: "m", model_patch: first.patch },
    { org: "o", repo: "r", number: 7, fix_patch: null },
    { instance_id: "o__r-7", model_patch: multi.fix_patch },
  ]);
  const done = await run("mend score", ["predictions.jsonl", ...tasks], folder.path);
  expect(done.lines.at(-1), done.stderr).toMatchObject({ num: 2, samples: 3, successes: 2, complete: true });
  // It resolves its task, and adds what could also change a run of tests.
  const reaching = first.patch.replace("+    return x / 2", "+    import gc\n+    gc.get_objects()\n+    return x / 2");
  write("doubtful.jsonl", [
    { instance_id: first.instance_id, model_patch: reaching.replace(/^@@ -(\S+) \+(\d+),(\d+) @@/m, longer) },
    { instance_id: "o__r-7", model_patch: multi.fix_patch.replace("x / 3", "x / 4") },
  ]);
  const doubtful = await run("mend score", ["doubtful.jsonl", ...tasks, "--json"], folder.path);
  expect(JSON.parse(doubtful.stdout), doubtful.stderr).toMatchObject({
    ...{ samples: 2, successes: 1, complete: true, not_loaded: 1, unchecked: 1 },
    notes: [
      expect.stringMatching(/^1 of 2 patches does not apply; the first is o__r-7: the patch does not apply: /),
      expect.stringMatching(
        /^1 of 2 patches passes the tests, but not every check against forged passes could be made/,
      ),
    ],
  });
  write("unknown.jsonl", [{ instance_id: "o__r-8", model_patch: "" }]);
  const unknown = await run("mend score", ["unknown.jsonl", ...tasks], folder.path);
  expect(unknown).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("the file has o__r-8; the dataset has"),
  });
});
