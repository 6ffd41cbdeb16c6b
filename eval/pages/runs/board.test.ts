// @module-tag ci

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { run, temporaryFolder } from "../../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../../utils/testing/repeats.ts";
import { loadRun } from "../../run/load_run.ts";
import { hasBrowser, openPage } from "../testing/browser.ts";
import { writeMadeUpRun } from "../testing/made_up_run.ts";
import { buildBoard } from "../report/build_report.ts";
import { boardData } from "./board.ts";

const { path: folder } = temporaryFolder();

const NAMES = ["poor", "middling", "good"];
beforeAll(() => {
  for (const [i, name] of NAMES.entries())
    writeMadeUpRun(join(folder, "runs", name), {
      ...{ tasks: 12, seed: i + 1, skill: 0.1 + 0.4 * i, hostile: "<img src=x onerror=alert(1)>" },
      decides: {
        model: { name: `m-${name}`, parameters: {} },
        ...(i === 0 ? { shown: "less", protocol: "docs" } : {}),
        ...(i === 1 ? { dataset: { name: "own.jsonl", sha256: "0", left_out: ["a", "b"] } } : {}),
      },
    });
});
const runs = () => NAMES.map((name) => loadRun(join(folder, "runs", name)));

test("a row a run and a cell a task, with a warning where models were shown different things", () => {
  const { runs: measured, board } = boardData(runs());
  const { tasks, warnings } = board;
  expect(measured.map(({ name, model }) => [name, model])).toEqual(NAMES.map((name) => [name, `m-${name}`]));
  expect(measured[1]?.dataset).toBe("own.jsonl (2 left out)");
  expect(tasks).toHaveLength(12);
  for (const [i, { estimate }] of measured.entries()) {
    const passed = tasks.filter(({ samples }) => samples[i]?.[0]?.outcome === "passed").length;
    expect(estimate.value).toBeCloseTo(passed / 12);
  }
  expect(warnings.join()).toContain("saw different material, so their scores cannot be compared: less; ");
});

test("runs of one dataset that scored different tasks are not ranked without a word", () => {
  const part = join(folder, "runs", "part");
  writeMadeUpRun(part, { tasks: 12, finished: 5 });
  const whole = join(folder, "runs", "whole");
  writeMadeUpRun(whole, { tasks: 12 });
  const warnings = (...folders: string[]) => boardData(folders.map(loadRun)).board.warnings;
  expect(warnings(part, whole)).toContain(
    "These runs scored different tasks, so their order does not rank them: 5 tasks have a score in all of them.",
  );
  expect(warnings(whole, whole)).toEqual([]);
});

test("the command writes one file, and says what is wrong with its runs", DEEP, async () => {
  const report = (...args: string[]) => run("mend report", args, folder);
  const done = await report("--runs", "poor,good", "--json");
  expect(JSON.parse(done.stdout), done.stderr).toMatchObject({
    file: "runs/leaderboard.html",
    samples: 24,
    expected: 24,
  });
  expect(readFileSync(join(folder, "runs/leaderboard.html"), "utf8")).toContain("<title>Leaderboard of 2 runs · mend");
  const refused = async (...args: string[]) => {
    const { exitCode, stderr } = await report(...args);
    return `${exitCode} ${stderr}`;
  };
  expect(await refused("poor", "--runs", "good")).toMatch(/^2 error: Name one run, several/);
  expect(await refused()).toMatch(/^2 error: Name one run, several/);
  expect(await refused("--runs", "poor,,good")).toMatch(/^2 error: --runs takes the names/);
  expect(await refused("--runs", "poor,poor")).toMatch(/^2 error: --runs names poor twice/);
  expect(await refused("--runs", "poor,none")).toMatch(/^2 error: There is no run at none/);
});

test("of two runs the page says whether they differ by more than chance, and in which settings", () => {
  const [poor, , good] = runs();
  const { comparison } = poor && good ? boardData([poor, good]).board : { comparison: null };
  expect(comparison?.conclusion.join(" ")).toMatch(/^B − A = \+[\d.]+ points \[95%: .*\] · 12 shared tasks /);
  expect(comparison?.differences.map(({ setting }) => setting)).toContain("model.name");
});

describe.skipIf(!hasBrowser)("in a browser", () => {
  const url = () => pathToFileURL(join(folder, "board.html")).href;
  beforeAll(() => writeFileSync(join(folder, "board.html"), buildBoard(runs()).html));

  test("runs are sorted and filtered, tasks too, and any cell opens the turns behind it", async () => {
    await using opened = await openPage(url());
    const { page, problems } = opened;
    const names = () => page.locator(".leaders tbody td.task b").allTextContents();
    expect((await names())[0]).toBe("good");
    await page.locator(".leaders th", { hasText: "pass@1" }).click();
    expect((await names()).at(-1)).toBe("good");
    await page.getByLabel("Filter runs").fill("middling");
    expect(await names()).toEqual(["middling"]);
    await page.getByLabel("Protocol").selectOption("docs");
    expect(await names()).toEqual([]);
    await page.locator(".chip.differs").click();
    const rows = page.locator(".board tbody tr");
    expect(await rows.count()).toBeLessThan(12);
    await rows.first().locator("td.cell a").nth(2).click();
    await page.locator(".sample h1").waitFor();
    expect(await page.locator(".sample-bar").textContent()).toContain("good · ");
    expect(await page.locator(".turn").count()).toBeGreaterThan(0);
    await page.keyboard.press("Escape");
    await rows.first().waitFor();
    expect(problems).toEqual([]);
  });

  test.each(quarter([400, 1400]))("nothing is wider than a window of %i pixels", ALSO_DEEP, async (width) => {
    await using opened = await openPage(url(), { width, height: 900 });
    const widest = await opened.page.evaluate(
      "Math.max(...[...document.querySelectorAll('.leaders td, .board td.cell')].map((cell) => cell.getBoundingClientRect().right))",
    );
    expect(widest).toBeLessThanOrEqual(width);
    expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});
