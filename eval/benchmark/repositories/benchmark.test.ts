import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MODEL_KINDS } from "../../../agent/models/table.ts";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { hasPytest } from "../../../utils/testing/needs.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { writeRepositoryTasks } from "../../testing/repository_tasks.ts";
import { openRepositoryBenchmark } from "./benchmark.ts";
import { openRepositories, type Repositories } from "./checkout.ts";

test.skipIf(!(await hasPytest()))(
  "what the search engine cannot search is left out with the reason: tests that need a build",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    writeRepositoryTasks(folder.path);
    const rows = join(folder.path, "tasks.jsonl");
    const text = readFileSync(rows, "utf8");
    writeFileSync(rows, text.replace('"framework":"node:test"', '"framework":"node:test","build":"npm run compile"'));
    const by = MODEL_KINDS.find(({ name }) => name === "search");
    if (!by) throw new Error("no row of the table");
    using benchmark = await openRepositoryBenchmark({
      rows,
      repositories: join(folder.path, "clones"),
      protocol: "tests",
      prepare: false,
      box: await openCommandBox(),
      log: () => {},
    });
    const sandbox = await openForTests();
    const checked = await benchmark.check(benchmark.tasks, { sandbox, by, log: () => {} });
    expect(checked.map(({ task }) => task?.id)).toEqual(["o__r-python-0", undefined]);
    expect(checked[1]?.remarks).toMatchObject([
      { id: "o__r-javascript-0", kind: "left_out", reason: expect.stringContaining("built") },
    ]);
  },
);

test("opening a set checks nothing out, and checking a row that row alone", DEEP, async () => {
  using folder = temporaryFolder();
  writeRepositoryTasks(folder.path);
  using clones = openRepositories(join(folder.path, "clones"));
  const written: string[] = [];
  const repositories: Repositories = {
    ...clones,
    checkOut: (task, place) => {
      written.push(task.id);
      return clones.checkOut(task, place);
    },
  };
  const box = await openCommandBox();
  const options = { rows: join(folder.path, "tasks.jsonl"), repositories, prepare: false, box, log: () => {} };
  using benchmark = await openRepositoryBenchmark(options);
  const tasks = benchmark.tasks.filter(({ language }) => language === "javascript");
  expect([benchmark.tasks.length, tasks.length, written]).toEqual([2, 1, []]);
  await benchmark.check(tasks, { sandbox: await openForTests(), by: "gold", log: () => {} });
  expect(new Set(written)).toEqual(new Set(tasks.map(({ id }) => id)));
});

test(
  "a row whose tree has unexpected content is left out with the reason, and the others are scored",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    const options = writeRepositoryTasks(folder.path);
    const patch = "--- a/a.js\n+++ b/a.js\n@@ -1 +1 @@\n-a\n+b\n";
    const rowFor = (name: string, files: Record<string, string>) => {
      using made = makeRepository({ ...files, "a.js": "a\n" });
      made.git("clone", "--quiet", ".", at(`clones/bad/${name}`));
      return {
        ...{ instance_id: name, repo: `bad/${name}`, base_commit: made.git("rev-parse", "HEAD").trim(), patch },
        ...{ problem_statement: "x", FAIL_TO_PASS: ["a"], PASS_TO_PASS: [] },
        test_patch: "--- /dev/null\n+++ b/test/a.js\n@@ -0,0 +1 @@\n+a\n",
        mend: { language: "js", framework: "mocha", test_files: ["test/a.js"] },
      };
    };
    const broken = rowFor("broken", { "package.json": "{" });
    const needed = JSON.stringify({ devDependencies: { mocha: "0.0.1-none" } });
    const rows = [
      broken,
      rowFor("folder", { "package.json": needed, "test/b.js/x": "" }),
      { ...broken, instance_id: "outside", repo: "../clones/bad" },
    ];
    const good = readFileSync(at("tasks.jsonl"), "utf8");
    writeFileSync(at("tasks.jsonl"), rows.map((one) => `${JSON.stringify(one)}\n`).join("") + good);
    const { exitCode, lines, stderr } = await run("eval/pass1.ts", [...options, "--gold"], folder.path);
    expect({ exitCode, last: lines.at(-1) }, stderr).toMatchObject({ exitCode: 1, last: { num: 2, successes: 2 } });
    expect(stderr).toMatch(/broken: its package\.json is not a JSON object/);
    expect(stderr).toMatch(/folder: its packages are not installed/);
    expect(stderr).toMatch(/outside: field "repo" is wrong: it is not the name of a repository/);
    expect(stderr).toMatch(/^checking \d\/4: broken is left out$/m);
    expect(stderr).toMatch(/^checking 4\/4: /m);
    expect(stderr).not.toMatch(/\n {4}at /);
    // Positions are those in the file, whether or not a row can run.
    expect(lines.slice(0, 2)).toMatchObject([{ index: 3 }, { index: 4 }]);
    const one = await run("eval/pass1.ts", [...options, "--gold", "--indices", "2,4"], folder.path);
    expect(one.lines, one.stderr).toMatchObject([{ index: 4, task_id: "o__r-javascript-0", pass: true }, { num: 1 }]);
    for (const [index, id] of [
      ["0", "broken"],
      ["2", "outside"],
    ] as const) {
      const none = await run("eval/pass1.ts", [...options, "--gold", "--indices", index], folder.path);
      expect(none).toMatchObject({ exitCode: 2, stdout: "" });
      expect(none.stderr).toContain(`No task can be scored: 1 row of tasks.jsonl; ${id} is left out: `);
    }
    const beyond = await run("eval/pass1.ts", [...options, "--gold", "--indices", "5"], folder.path);
    expect(beyond).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("There is no row 5: ") });
    writeFileSync(
      at("p.jsonl"),
      ["outside", "broken"].map((id) => JSON.stringify({ instance_id: id, model_patch: "" })).join("\n"),
    );
    const scored = await run("mend score", [at("p.jsonl"), ...options], folder.path);
    expect(scored.stderr).toMatch(
      /p\.jsonl, line 1: outside is left out: field "repo" is wrong: it is not the name of a repository/,
    );
    expect(scored.stderr).toMatch(/broken: its package\.json/);
  },
);

test("rows that do not hold on this machine say which test, what was expected and what came", DEEP, async () => {
  using folder = temporaryFolder();
  const options = writeRepositoryTasks(folder.path);
  const rows = join(folder.path, "tasks.jsonl");
  const [python = "", javascript = ""] = readFileSync(rows, "utf8").trim().split("\n");
  const turned = (line: string, FAIL_TO_PASS: string[], PASS_TO_PASS: string[]) =>
    `${JSON.stringify({ ...JSON.parse(line), FAIL_TO_PASS, PASS_TO_PASS })}\n`;
  const [half, twice] = ["tests/test_rates.py::test_half", "tests/test_rates.py::test_twice"];
  writeFileSync(rows, turned(python, [twice], [half]) + turned(javascript, ["part of four", "not there"], ["twice"]));
  const { exitCode, lines, stderr } = await run("eval/pass1.ts", [...options, "--gold"], folder.path);
  expect(exitCode).toBe(1);
  expect(lines.slice(0, 2)).toMatchObject([
    {
      error: expect.stringMatching(
        /: tests do not do what its row says: "\S+::test_twice" expected failed, got passed; "\S+::test_half" expected passed, got failed \(.*assert/,
      ),
    },
    { task_id: "o__r-javascript-0", pass: true },
  ]);
  // One test that does as its row says is enough; the one that does not is named.
  expect(stderr).toMatch(
    /^dataset: o__r-javascript-0: tests do .*: "not there" with the developer's patch expected passed, got no such test$/m,
  );
  // A model is not asked about the first, which counts neither as solved nor as an error.
  writeFileSync(join(folder.path, "replies.json"), JSON.stringify([{ reply: "Final Answer: It is right." }]));
  const asked = await run("eval/pass1.ts", [...options, "--model", "script:replies.json"], folder.path);
  expect(asked.exitCode, asked.stderr).toBe(0);
  expect(asked.lines.at(-1)).toMatchObject({ num: 1, successes: 0, errors: 0, complete: true, left_out: 1 });
  expect(asked.stderr).toMatch(/o__r-python-0: tests do not do what its row says: .*test_twice" expected failed/);
});

test(
  "a row whose pytest does not start is left out with the line and what to do, before anything runs",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const options = writeRepositoryTasks(folder.path);
    const rows = join(folder.path, "tasks.jsonl");
    const text = readFileSync(rows, "utf8");
    const bad = ["filterwarnings = error\nasyncio_made_up = auto", "addopts = --made-up-option"].map((settings, i) => {
      const files = { "pytest.ini": `[pytest]\n${settings}\n`, "rates.py": "x = 1\n" };
      using made = makeRepository(files);
      made.git("clone", "--quiet", ".", join(folder.path, `clones/bad/r${i}`));
      const changed = "--- a/rates.py\n+++ b/rates.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n";
      const tests = "--- /dev/null\n+++ b/test_x.py\n@@ -0,0 +1,2 @@\n+def test_x():\n+    assert 1\n";
      return `${JSON.stringify({
        ...{ instance_id: `bad-${i}`, repo: `bad/r${i}`, base_commit: made.git("rev-parse", "HEAD").trim() },
        ...{ patch: changed, test_patch: tests, problem_statement: "x", PASS_TO_PASS: [] },
        FAIL_TO_PASS: ["test_x.py::test_x"],
      })}\n`;
    });
    writeFileSync(rows, bad.join("") + text);
    const { exitCode, lines, stderr } = await run("eval/pass1.ts", [...options, "--gold", "--num", "2"], folder.path);
    expect({ exitCode, last: lines.at(-1) }, stderr).toMatchObject({
      exitCode: 1,
      last: { num: 2, successes: 2, left_out: 2 },
    });
    expect(stderr).toMatch(/bad-0: INTERNALERROR> .*asyncio_made_up\. Install .*--python.*-W ignore/);
    expect(stderr).toMatch(/bad-1: pytest ended with exit code 4: .*--made-up-option\. Install .*-o addopts=/);
  },
);

test("the search engine with the issue alone is refused once, with what to give instead", DEEP, async () => {
  using folder = temporaryFolder();
  const args = [...writeRepositoryTasks(folder.path), "--model", "search", "--run", "r"];
  const { exitCode, stdout, stderr } = await run("eval/pass1.ts", args, folder.path);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^error: The search engine works from failing tests[^\n]*--protocol tests[^\n]*\n$/);
});
