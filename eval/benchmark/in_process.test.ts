/** Tasks in compiled languages whose values cannot cross: judged in the same process as their tests, and no others. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { plural } from "../../utils/base/text/format.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { openForTests } from "../../utils/sandbox/testing/open.ts";
import { buggyProgram, correctProgram, type Task, toVisible } from "../../utils/task/task.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP, isSlow } from "../../utils/testing/repeats.ts";
import { loadDataset } from "./find.ts";
import { checkTasks } from "./functions/check.ts";
import { scoreProgram } from "./scorer.ts";

const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data");
const fixtureOf = (name: string) => fileURLToPath(new URL(`./fixtures/in_process/${name}.jsonl`, import.meta.url));
const quietly = { log: () => {} };

/** Of the rows of each language: why they are judged so; null where they are not. */
const WHYS = {
  go: ["`Apply` takes or gives a `func(int) int`", "`Pop` is a method", null],
  java: [
    "`farthest` takes or gives a `Point`",
    "`countIf` takes or gives a `Predicate<Integer>`",
    "its tests make a `Account` of values",
    "its tests look at what it prints",
    null,
  ],
  cpp: [
    "`nearest` takes or gives a `Stop`",
    "`firstWhere` takes or returns what is not a plain value: `int firstWhere(const vector<int>& items, const function<bool(int)>& fits)`",
    "`pop` is a method",
    "`largest` is a template",
    "its tests look at what it prints",
    "`add` is a method",
    null,
  ],
  rust: [
    "`widest` takes or gives a `Plank`",
    "`count_where` has parameters of types",
    "`pop` is a method",
    "`total_area` takes or gives a `&[Box<dyn Shape>]`",
    null,
    "`by_size` takes or gives a `Ordering`",
  ],
} as const;

describe.each(Object.entries(WHYS))("%s", async (name, whys) => {
  const { title, unavailable } = LANGUAGES[name as keyof typeof WHYS];
  const missing = unavailable("");
  if (missing !== null) console.warn(`skipped: ${missing}`);
  const dataset = missing === null ? await loadDataset(fixtureOf(name), quietly) : { tasks: [], remarks: [] };

  test.skipIf(missing !== null)("tasks that are judged so get a remark with the reason before anything is run", () => {
    expect(dataset.tasks.map(({ id }) => dataset.remarks.find((one) => one.id === id)?.reason ?? null)).toEqual(whys);
    expect(dataset.tasks.map(({ judgeMode }) => judgeMode ?? null)).toEqual(whys.map((why) => why && "in_process"));
  });

  const dev = join(SHARED, `humanevalfix-${name}-dev.jsonl`);
  test.skipIf(missing !== null || !existsSync(dev))("no row of the development half is", async () => {
    const { tasks, remarks } = await loadDataset(dev, quietly);
    // A library that one row needs may be missing here.
    const lacking = remarks.filter(({ reason }) => reason.includes("sudo apt install"));
    for (const { id, reason } of lacking) console.warn(`skipped: ${id}: ${reason}`);
    expect([tasks.length + lacking.length, tasks.filter(({ judgeMode }) => judgeMode)]).toEqual([82, []]);
  });

  test.skipIf(missing !== null)("the correct programs pass both tests, the buggy ones none", DEEP, async () => {
    const sandbox = await openForTests();
    const checked = await checkTasks(dataset.tasks, {
      sandbox,
      visible: toVisible,
      hiddenTestsHold: false,
      ...quietly,
    });
    expect(checked.flatMap(({ remarks }) => remarks)).toEqual([]);
    for (const { task } of checked) {
      if (!task) throw new Error("a task is left out");
      const outcome = async (one: Task, program: string | null) => await scoreProgram(one, program, sandbox);
      expect(typeof task.hiddenChecks, task.id).toBe(task.judgeMode ? "number" : "undefined");
      // Without a remark the correct program passes both tests, and the buggy one does not pass the hidden one.
      const shown = { ...task, hiddenTest: task.exampleTest, hiddenChecks: task.checks };
      expect(await outcome(shown, buggyProgram(task)), task.id).toMatchObject({ score: { outcome: "failed" } });
      // A number other than the correct program's is not a pass, for any program.
      const counted = await outcome({ ...task, hiddenChecks: (task.hiddenChecks ?? 0) + 1 }, correctProgram(task));
      expect(counted).toMatchObject({ score: { passed: !task.judgeMode } });
    }
  });

  // The same command for each; the compilers are run above.
  test.skipIf(missing !== null || (name !== "go" && !isSlow))(
    `score says how many ${title} tasks were judged so, and of each sample that it was`,
    DEEP,
    async () => {
      using folder = temporaryFolder();
      const samples = dataset.tasks.map((task) => ({ task_id: task.id, solution: correctProgram(task) }));
      writeFileSync(join(folder.path, "samples.jsonl"), samples.map((row) => `${JSON.stringify(row)}\n`).join(""));
      const words = ["samples.jsonl", "--dataset", fixtureOf(name)];
      const { lines, stderr } = await run("mend score", words, folder.path);
      const count = whys.filter((why) => why !== null).length;
      expect(lines.at(-1), stderr).toMatchObject({ num: whys.length, successes: whys.length, in_process: count });
      expect(stderr).toContain(`${plural(count, "task")} of ${name}.jsonl judged in the same process as the tests`);
      const verdicts = readFileSync(join(folder.path, "samples.jsonl.results.jsonl"), "utf8").trim().split("\n");
      expect(verdicts.map((line) => JSON.parse(line).judge ?? null)).toEqual(whys.map((why) => why && "in_process"));
    },
  );
});
