// @module-tag ci

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { loadRun } from "../run/load_run.ts";
import { type Field, filterOf, sorted } from "./browser/fields.ts";
import { buildReport } from "./report/build_report.ts";
import { startViewServer, type ViewServer } from "./server/server.ts";
import { hasBrowser, openPage, reloadPage } from "./testing/browser.ts";
import { writeMadeUpRun } from "./testing/made_up_run.ts";

const { path: folder } = temporaryFolder();

interface Named {
  name: string;
  n: number | null;
}
const FIELDS: Field<Named>[] = [
  { id: "name", name: "Name", value: ({ name }) => name },
  { id: "n", name: "N", value: ({ n }) => n },
];

test.each([
  ["off", ["x"]],
  ["-off", ["y", "z"]],
  ["n>2", ["z"]],
  ["n>=2 name:y", ["y"]],
  ["n=2", ["y"]],
  ["-n<=2", ["x", "z"]],
  ['name:"off by"', ["x"]],
  ['"off by one"', ["x"]],
  ["name=z", ["z"]],
  ["http://a", []],
  ["", ["x", "y", "z"]],
])("a filter: %s", (typed, expected) => {
  const rows = [
    { name: "off by one", n: null, id: "x" },
    { name: "y", n: 2, id: "y" },
    { name: "z", n: 10, id: "z" },
  ];
  const fits = filterOf(
    [
      { id: "name", name: "Name", value: (row: (typeof rows)[number]) => row.name },
      { id: "n", name: "N", value: (row) => row.n },
    ],
    ({ name }) => name,
  );
  expect(rows.filter((row) => fits(row, typed)).map(({ id }) => id)).toEqual(expected);
});

test("what is unknown is sorted last, whichever way", () => {
  const rows = [
    { name: "x", n: null },
    { name: "y", n: 2 },
    { name: "z", n: 10 },
  ];
  const names = (sort: string) => sorted(rows, FIELDS, sort).map(({ name }) => name);
  expect([names("n"), names("-n")]).toEqual([
    ["y", "z", "x"],
    ["z", "y", "x"],
  ]);
});

const FOUND = {
  status: "found",
  tried: 50,
  passing: 2,
  lines: 692,
  best: [
    { splices: [[1, 2, "x"]], operator: "attribute", line: 6, old: "math.floor", new: "<img src=x>", cost: 3.6 },
    { splices: [[1, 2, "y"]], operator: "swap_names", line: 7, old: "a", new: "b" },
  ],
  cursor: {},
};

/** A run whose first sample searched, and whose second changed a very long line. */
function writeSearchRun(run: string): void {
  writeMadeUpRun(run, { tasks: 8, turns: 5, price: 0.001, skill: 0.5, finished: 6 });
  const [first, second, third, , fifth] = loadRun(run).results.map(({ task_id }) =>
    join(run, "trajectories", `${task_id.replace("/", "_")}.0.json`),
  );
  const edit = (file: string | undefined, change: (trajectory: Trajectory) => void) => {
    const trajectory = JSON.parse(readFileSync(file ?? "", "utf8"));
    change(trajectory);
    writeFileSync(file ?? "", JSON.stringify(trajectory));
  };
  edit(first, ({ steps }) => {
    const [step] = steps;
    if (!step) throw new Error("there is no step");
    step.observation.data = FOUND;
    step.reply = { ...step.reply, tool: "search_edits", input: { cursor: { cut: [4711] } } };
  });
  const long = `total = ${"value + ".repeat(60)}1`;
  edit(second, (trajectory) => {
    trajectory.answer = `${long}\nneedle in a haystack`;
    const [step] = trajectory.steps;
    if (!step) throw new Error("there is no step");
    step.reply.input.code = long.replace("1", "2");
    step.reply.thought = "the Needle is here";
  });
  edit(third, (trajectory) => {
    const file = (name: string, from: number, old: string, now: string) =>
      `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -${from},2 +${from},2 @@\n kept\n-${old}\n+${now}\n\\ No newline at end of file\n`;
    trajectory.answer =
      file("lib/rates.js", 41, "return x / 10;", "return x / 100;") + file("lib/b.js", 7, "-- a", "++ <b>");
  });
  edit(fifth, ({ steps: [step] }) => {
    if (step) step.finishReason = "length";
  });
  const results = join(run, "results.jsonl");
  const lines = readFileSync(results, "utf8").split("\n");
  lines[2] = JSON.stringify({
    ...JSON.parse(lines[2] ?? ""),
    passed: true,
    outcome: "passed",
    overfit: true,
    doubt: "2 edits pass",
  });
  writeFileSync(results, lines.join("\n"));
  writeFileSync(join(run, "session.json"), JSON.stringify({ v: 1, seconds: 75, stopped: "$4.50 of $4 are spent" }));
}

interface Trajectory {
  answer: string;
  steps: {
    finishReason?: string;
    observation: { output: string; data?: object };
    reply: { tool: string; thought: string; input: Record<string, unknown> };
  }[];
}

describe.skipIf(!hasBrowser)("in a browser", () => {
  let server: ViewServer;
  let report: string;
  beforeAll(async () => {
    const runsFolder = join(folder, "runs");
    writeSearchRun(join(runsFolder, "one"));
    writeMadeUpRun(join(runsFolder, "two"), { tasks: 8, turns: 2, price: 0.1, seed: 5, skill: 0.9 });
    writeMadeUpRun(join(runsFolder, "three"), { tasks: 4, decides: { model: { name: "other", parameters: {} } } });
    const file = join(folder, "report.html");
    writeFileSync(file, buildReport(loadRun(join(runsFolder, "one"))).html);
    report = pathToFileURL(file).href;
    server = await startViewServer({ runsFolder, port: 0 });
  });
  afterAll(() => server.close());

  const tasks = (page: Page) => page.locator(".samples tbody td.task").allTextContents();
  test("filter and sort stand in the address: a reload, a sample and the way back keep them", DEEP, async () => {
    await using opened = await openPage(report);
    const { page, problems } = opened;
    await page.locator(".chip.failed").click();
    await page.getByRole("button", { name: "Turns" }).click();
    await page.waitForURL(/#\?.*outcome=failed.*sort=-turns/);
    const before = await tasks(page);
    expect(before.length).toBeGreaterThan(0);
    expect(before.length).toBeLessThan(6);
    await reloadPage(page);
    expect(await tasks(page)).toEqual(before);
    await page.locator(".samples tbody tr").first().click();
    await page.locator(".sample h1").waitFor();
    expect(page.url()).toMatch(/#\/Python%2F\d\/0\?outcome=failed/);
    await reloadPage(page);
    await page.keyboard.press("Escape");
    await page.locator(".list:visible").waitFor();
    expect(await tasks(page)).toEqual(before);
    expect(problems).toEqual([]);
  });

  test("a report says how long the run took, what was not run and why", DEEP, async () => {
    await using opened = await openPage(report);
    const { page } = opened;
    expect(await page.locator(".notice").textContent()).toContain("2 samples of 8 not run: $4.50 of $4 are spent.");
    expect(await page.locator(".notice details").textContent()).toContain("Python/6#0, Python/7#0");
    expect(await page.locator(".reading").first().textContent()).toContain(
      "1 task of the dataset could not be scored.",
    );
    expect(await page.locator(".figures").textContent()).toMatch(/Wall time75 swith preparation and scoring/);
  });

  test("a patch is shown file by file, with what is known of its behaviour", DEEP, async () => {
    await using opened = await openPage(`${report}#/Python%2F2/0`);
    const { page, problems } = opened;
    const change = page.locator(".change");
    await change.waitFor();
    expect(await change.locator("h3").allTextContents()).toEqual(["lib/rates.js", "lib/b.js"]);
    const rows = await change.locator(".row").allTextContents();
    expect(rows.map((row) => row.trim())).toEqual([
      "41 kept",
      "42-return x / 10;",
      "42+return x / 100;",
      "7 kept",
      "8--- a",
      "8+++ <b>",
    ]);
    const verdict = await page.locator(".verdict").textContent();
    expect(verdict).toContain("overfit: a test tells it from the developer's fix");
    expect(verdict).toContain("a suggestion: 2 edits pass");
    expect(problems).toEqual([]);
  });

  test("reasoning is folded, and a reply that was cut off says so", async () => {
    await using opened = await openPage(`${report}#/Python%2F4/0`);
    const { page, problems } = opened;
    await page.locator(".turn").first().waitFor();
    const answer = page.locator(".turn").last();
    expect(await answer.locator(".reasoning summary").textContent()).toMatch(
      /^Reasoning: [\d,]+ characters finish reason: stop$/,
    );
    expect(await answer.locator(".reasoning pre").count()).toBe(0);
    await answer.locator(".reasoning summary").click();
    await answer.locator(".reasoning pre").waitFor();
    expect(await answer.locator(".reasoning pre").textContent()).toMatch(/^Wait: /);
    expect(await page.locator(".turn").first().getByText("cut off at its length limit").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  test("a search shows its candidates as a table, and neither its engine nor its output", async () => {
    await using opened = await openPage(`${report}#/Python%2F0/0`);
    const { page, problems } = opened;
    const turn = page.locator(".turn").first();
    await turn.waitFor();
    expect(await turn.locator("h3").textContent()).toBe("search for an edit");
    expect(await turn.locator(".found-edits").textContent()).toContain("found: 2 edits of 50 tried pass");
    expect(await turn.locator(".found-edits tbody td").allTextContents()).toEqual([
      "6",
      "math.floor → <img src=x>",
      "attribute",
      "3.6",
      "7",
      "a → b",
      "swap names",
      "–",
    ]);
    expect(await turn.locator(".part, .observation pre").count()).toBe(0);
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("the difference of a long line can be read on a phone, and the answer be copied", async () => {
    await using opened = await openPage(`${report}#/Python%2F1/0`);
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    const line = page.locator(".diff .added .line").first();
    await line.waitFor();
    const right = await line.evaluate((element) => element.getBoundingClientRect().right);
    expect(right).toBeLessThanOrEqual(390);
    expect(await page.locator(".diff pre").evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBeLessThanOrEqual(0);
    await page.getByRole("button", { name: "Copy the answer" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/\nneedle in a haystack$/);
  });

  test("runs are searched and sorted, and two of them compared with what differs", DEEP, async () => {
    await using opened = await openPage(server.url);
    const { page, problems } = opened;
    const names = () => page.locator(".run-link").allTextContents();
    await page.getByLabel("Filter runs").fill("made-up-7b");
    expect((await names()).sort()).toEqual(["one", "two"]);
    await page.getByRole("button", { name: "Cost" }).click();
    expect(await names()).toEqual(["two", "one"]);
    await page.waitForURL(/text=made-up-7b&sort=-cost/);
    await reloadPage(page);
    await page.locator(".run-link").first().waitFor();
    expect(await names()).toEqual(["two", "one"]);
    await page.getByLabel("Compare one").check();
    expect(await page.locator(".compare-button").isDisabled()).toBe(true);
    await page.getByLabel("Compare two").check();
    await page.locator(".compare-button").click();
    await page.getByRole("heading", { name: "one against two" }).waitFor();
    const compared = () => page.locator(".board tbody td.task").allTextContents();
    expect(await compared()).toHaveLength(8);
    await page.locator(".chip.differs").click();
    const [a, b] = ["one", "two"].map(
      (run) =>
        new Map(
          loadRun(join(folder, "runs", run)).results.map((result) => [
            result.task_id,
            "passed" in result && result.passed,
          ]),
        ),
    );
    const differing = [...(a ?? [])].flatMap(([task, passed]) => (b?.get(task) === passed ? [] : task));
    expect(differing.length).toBeGreaterThan(0);
    expect(await compared()).toEqual(differing);
    await page.waitForURL(/kind=differs/);
    await page.locator(".board td.cell a").nth(1).click();
    await page.locator(".sample h1").waitFor();
    expect(await page.locator(".sample h1").textContent()).toBe(differing[0]);
    expect(problems).toEqual([]);
  });
});
