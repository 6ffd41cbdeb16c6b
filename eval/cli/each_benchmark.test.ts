/** Each benchmark as a user runs it: stopped in the middle, gone on with, and what is made of its run. */
// @module-tag deep

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { FINISHING } from "../../utils/program/cli.ts";
import { run, start, temporaryFolder } from "../../utils/testing/command.ts";
import { BENCHMARKS } from "../benchmark/table.ts";
import { compareRuns } from "../run/compare/comparison.ts";
import { renderComparison } from "../run/compare/render.ts";
import { junit, messages } from "../run/export.ts";
import { loadRun } from "../run/load_run.ts";
import { PASS1, resultsOf } from "../run/queue/testing/queue_run.ts";
import { BENCHMARK_SETS } from "../testing/benchmark_sets.ts";

/** Benchmarks of functions to repair, which other tests run in all ways. */
const FUNCTIONS = ["humanevalpack", "quixbugs"];

test("each benchmark has a set", () => {
  const named = [...BENCHMARK_SETS.map(({ name }) => name), ...FUNCTIONS].sort();
  expect(named).toEqual(BENCHMARKS.map(({ name }) => name).sort());
});

const linesOf = (folder: string, name: string) => {
  try {
    return resultsOf(folder, name);
  } catch {
    return [];
  }
};

test.each(BENCHMARK_SETS)("$name: Ctrl-C and again, report, compare, export", async ({ name, ...set }) => {
  using folder = temporaryFolder();
  const { path } = folder;
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  let holds = true;
  await using model = await startFakeOpenAI({
    reply: async (request) => {
      if (!holds || linesOf(path, "r").length === 0) return await set.reply(request);
      hold();
      return { hang: true };
    },
  });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k" };
  const args = [...set.write(path), "--model", "openai:m", "--concurrency", "1"];
  const stopped = start(PASS1, [...args, "--run", "r"], path, env);
  await Promise.race([held, stopped.done]);
  const told = new Promise<void>((resolve) => {
    stopped.process.stderr?.on("data", (text) => String(text).includes(FINISHING) && resolve());
  });
  stopped.process.kill("SIGINT");
  await Promise.race([told, stopped.done]);
  stopped.process.kill("SIGINT");
  const first = await stopped.done;
  expect({ exitCode: first.exitCode, lines: linesOf(path, "r").length }, first.stderr).toEqual({
    exitCode: 130,
    lines: 1,
  });
  expect(first.stderr).not.toMatch(/\n {4}at /);
  holds = false;
  const resumed = await run(PASS1, [...args, "--run", "r"], path, env);
  expect({ exitCode: resumed.exitCode, last: resumed.lines.at(-1) }, resumed.stderr).toMatchObject({
    exitCode: 0,
    last: { num: 2, successes: 2, complete: true },
  });
  const whole = await run(PASS1, [...args, "--run", "whole"], path, env);
  expect(whole.lines.at(-1), whole.stderr).toMatchObject({ num: 2, successes: 2, complete: true });
  expect(resultsOf(path, "r")).toEqual(resultsOf(path, "whole"));

  // As `compare` and `export` do, whose own tests start them.
  const [r, w] = ["r", "whole"].map((name) => loadRun(join(path, "runs", name)));
  if (!r || !w) throw new Error("no run");
  expect(renderComparison(compareRuns(r, w))).toContain("whole");
  expect(junit(r).match(/<testcase /g)).toHaveLength(2);
  expect(messages(r, { all: true }).lines).toHaveLength(2);
  const report = await run("mend report", ["r"], path);
  expect(report, report.stderr).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("2 of 2 samples") });
  expect(readFileSync(join(path, "runs/r/report.html"), "utf8")).toContain("<title>r · mend</title>");
});
