/** Rows whose framework is not known run by a command: by name where it prints TAP, else by its exit code. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { MODEL_KINDS } from "../../../agent/models/table.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { type CommandBox, openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import type { CheckOptions } from "../benchmark.ts";
import { openRepositoryBenchmark } from "./benchmark.ts";

/** Runs tests of its own, and prints them as TAP where it is asked to. */
const RUNNER = `const tests = require("./test/rates.js");
const rows = Object.entries(tests).map(([name, run]) => { try { run(); return [true, name]; } catch { return [false, name]; } });
if (process.argv[2] === "--tap") {
  console.log("TAP version 13");
  for (const [i, [ok, name]] of rows.entries()) console.log((ok ? "ok " : "not ok ") + (i + 1) + " - " + name);
  console.log("1.." + rows.length);
}
process.exitCode = rows.every(([ok]) => ok) ? 0 : 1;
`;
const TESTS = `const { equal } = require("node:assert");
const { part, twice } = require("../rates.js");
exports.twice = () => equal(twice(2), 4);
`;
const FILES = {
  "package.json": JSON.stringify({ scripts: { test: "node run.js --tap" } }),
  "run.js": RUNNER,
  "rates.js": "exports.part = (x) => x / 3;\nexports.twice = (x) => x + x;\n",
  "test/rates.js": TESTS,
};

async function opened(mend: object, more: object = {}, box?: CommandBox, prepare = false) {
  using made = makeRepository(FILES);
  const folder = temporaryFolder();
  const right = made.patchTo({ "rates.js": FILES["rates.js"].replace("x / 3", "x / 2") });
  const wrong = made.patchTo({ "rates.js": FILES["rates.js"].replace("x / 3", "x / 2").replace("x + x", "x + x + x") });
  const row = {
    ...{ instance_id: "o__r-1", repo: "o/r", base_commit: made.git("rev-parse", "HEAD").trim(), patch: right },
    test_patch: made.patchTo({ "test/rates.js": `${TESTS}exports.halves = () => equal(part(4), 2);\n` }),
    ...{ problem_statement: "a third", FAIL_TO_PASS: ["halves"], PASS_TO_PASS: ["twice"] },
    mend: { language: "js", framework: "made up", test_files: ["test/rates.js"], ...mend },
    ...more,
  };
  writeFileSync(join(folder.path, "tasks.jsonl"), JSON.stringify(row));
  made.git("clone", "--quiet", ".", join(folder.path, "clones/o/r"));
  const benchmark = await openRepositoryBenchmark({
    ...{ rows: join(folder.path, "tasks.jsonl"), repositories: join(folder.path, "clones") },
    ...{ protocol: "tests", prepare, box: box ?? (await openCommandBox()), log: () => {} },
  });
  const [task] = benchmark.tasks;
  if (task?.assignment.type !== "repository") throw new Error(JSON.stringify(benchmark.remarks));
  const { assignment } = task;
  const sandbox = await openSandbox();
  const { signal } = new AbortController();
  return {
    score: (answer: string | null) => task.score(answer, sandbox, signal),
    /** Why its tests do not start; null where they do. */
    startFailure: async (by: CheckOptions["by"] = "gold") => {
      const [checked] = await benchmark.check([task], { sandbox, by, log: () => {} });
      return checked?.remarks[0]?.reason ?? null;
    },
    prepare: () => assignment.prepare(signal),
    ...{ right, wrong },
    [Symbol.asyncDispose]: async () => {
      await sandbox.close();
      benchmark[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

test.each<[string, object, string[]]>([
  ["npm test, which prints TAP", {}, ["halves"]],
  ["its command, judged by the exit code", { test: "node run.js" }, ["node run.js"]],
])("%s", DEEP, async (_, mend, targets) => {
  await using row = await opened(mend);
  expect(await row.startFailure()).toBeNull();
  expect(await row.score(row.right)).toMatchObject({ score: { passed: true, overfit: false } });
  expect(await row.score(row.wrong)).toMatchObject({ score: { passed: false } });
  expect(await row.score(null)).toMatchObject({ score: { passed: false } });
  using prepared = await row.prepare();
  expect(prepared.baseline.failing.map(({ name }) => name)).toEqual(targets);
});

test("a test that does not do as its row says is named, whichever way it is judged", DEEP, async () => {
  await using byName = await opened({}, { FAIL_TO_PASS: ["halves", "lost"] });
  expect(await byName.score(byName.right)).toMatchObject({
    score: {
      passed: true,
      explanation: expect.stringMatching(/"lost" with the developer's patch expected passed, got no such test/),
    },
  });
  await using unknown = await opened({}, { FAIL_TO_PASS: ["lost"], PASS_TO_PASS: ["lost, too"] });
  expect(await unknown.score(unknown.right)).toMatchObject({
    score: { passed: true, explanation: expect.stringMatching(/; 2 other tests stand in for what is not there$/) },
  });
  expect(await unknown.score(unknown.wrong)).toMatchObject({ score: { passed: false } });
  expect(await unknown.score("")).toMatchObject({ score: { passed: false } });
  await using byCode = await opened({ test: "exit 3" });
  expect(await byCode.score(byCode.right)).toMatchObject({
    error: expect.stringMatching(/"exit 3" with the developer's patch expected passed, got failed \(exit code 3\)/),
  });
  await using passes = await opened({ test: "exit 0" });
  expect(await passes.score(passes.right)).toMatchObject({ error: expect.stringMatching(/"exit 0" expected failed/) });
  await using none = await opened({ test: "npm run absent" });
  expect(await none.startFailure()).toMatch(/has no script "absent"/);
});

test("before a model is asked the developer's patch has to pass here, once for each task", DEEP, async () => {
  using cache = temporaryFolder();
  vi.stubEnv("XDG_CACHE_HOME", cache.path);
  onTestFinished(() => void vi.unstubAllEnvs());
  const real = await openCommandBox();
  let runs = 0;
  const box: CommandBox = {
    ...{ layer: real.layer, warnings: [] },
    run: (command) => {
      runs += 1;
      return real.run(command);
    },
  };
  const model = MODEL_KINDS.find(({ isSearch }) => !isSearch) ?? null;
  expect(model).not.toBeNull();
  await using never = await opened({ test: "exit 3" }, {}, box);
  expect(await never.startFailure(model)).toMatch(/"exit 3" with the developer's patch expected passed, got failed/);
  await using row = await opened({}, {}, box);
  runs = 0;
  expect(await row.startFailure(model)).toBeNull();
  expect(runs).toBe(2);
  expect(await row.startFailure(model)).toBeNull();
  expect(runs, "that it passes is remembered").toBe(2);
  await using prepared = await opened({}, {}, box, true);
  runs = 0;
  for (const _ of ["first", "again"]) expect(await prepared.startFailure()).toBeNull();
  expect(runs, "that its tests start with what was prepared, too").toBe(1);
});
