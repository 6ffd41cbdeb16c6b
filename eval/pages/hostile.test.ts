/** Runs that a hostile model, a damaged disk or a very large benchmark made, in a browser. */
// @module-tag ci

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noUsage } from "../../agent/run/usage.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { ALSO_DEEP, DEEP, quarter } from "../../utils/testing/repeats.ts";
import { loadRun } from "../run/load_run.ts";
import { buildReport, LARGEST_REPORT } from "./report/build_report.ts";
import { startViewServer, type ViewServer } from "./server/server.ts";
import { hasBrowser, openPage, reloadPage } from "./testing/browser.ts";
import { writeMadeUpRun } from "./testing/made_up_run.ts";

const SCRIPT = "</script><script>window.pwned = 1</script><!--<script> <img src=x onerror=alert(1)>";
const HOSTILE = `${SCRIPT} javascript:alert(1) \u202e\u2066\u0000 \ud800 \udfff =1+1`;
const IDS = [
  ...[SCRIPT, "\ud800 half", "a\0b", "\u202egnp.exe", "javascript:alert(1)", "__proto__", "../../etc/passwd"],
  ...["=1+1", "a?b#c/d%20e%ZZ", " a\tb\nc", "%", ".", "#", "x".repeat(180)],
];

const { path: folder } = temporaryFolder();
const runsFolder = join(folder, "runs");

describe.skipIf(!hasBrowser)("in a browser", () => {
  let server: ViewServer;
  beforeAll(async () => {
    const decides = { model: { name: HOSTILE.repeat(3), parameters: {} } };
    for (const [seed, name] of ["one", "two"].entries()) {
      const errorEvery = seed === 0 ? 7 : Infinity;
      writeMadeUpRun(join(runsFolder, name), {
        tasks: IDS.length,
        ids: IDS,
        hostile: HOSTILE,
        seed,
        errorEvery,
        decides,
      });
    }
    server = await startViewServer({ runsFolder, port: 0 });
  });
  afterAll(() => server.close());

  const tasks = (page: Page) => page.locator(".samples tbody td.task");
  const overflow = (page: Page) => page.evaluate("document.documentElement.scrollWidth - innerWidth");

  test("a task of any name is listed, opened by its link and again by its address", DEEP, async () => {
    await using opened = await openPage(`${server.url}runs/one/`);
    const { page, problems } = opened;
    expect(await tasks(page).count()).toBe(IDS.length);
    const headings: string[] = [];
    for (const i of IDS.keys()) {
      await tasks(page).nth(i).locator("a").focus();
      await page.keyboard.press("Enter");
      await page.locator(".turn").first().waitFor();
      const heading = (await page.locator(".sample h1").textContent()) ?? "";
      headings.push(heading);
      expect(heading).not.toMatch(/[\0\u202e\ud800]/);
      await reloadPage(page);
      await page.locator(".sample .turn").first().waitFor();
      expect(await page.locator(".sample h1").textContent()).toBe(heading);
      await page.keyboard.press("Escape");
      await page.locator(".list:visible").waitFor();
    }
    expect(headings).toEqual(expect.arrayContaining(IDS.filter((id) => /^[ -~]+$/.test(id))));
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.locator("img, .list script").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.each(quarter(["runs/one/", "", "board?run=one&run=two"]))(
    "no text makes /%s wider than its window",
    ALSO_DEEP,
    async (path) => {
      await using opened = await openPage(`${server.url}${path}`);
      const { page, problems } = opened;
      const html = await (await page.request.get(`${server.url}${path}`)).text();
      expect(html.match(/<script/g), "one island and one script").toHaveLength(2);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflow(page), "on a phone").toBeLessThanOrEqual(0);
      expect(await page.evaluate("window.pwned")).toBeUndefined();
      expect(problems).toEqual([]);
    },
  );

  test("5,000 samples: the report is whole and under 3 MB, and draws rows as they are asked for", DEEP, async () => {
    const run = join(folder, "large");
    writeMadeUpRun(run, { tasks: 5000, turns: 2, price: 0.001 });
    const { html, leftOut } = buildReport(loadRun(run));
    expect(Buffer.byteLength(html)).toBeLessThan(LARGEST_REPORT);
    expect(leftOut).toBe(0);
    const file = join(folder, "large.html");
    writeFileSync(file, html);
    await using opened = await openPage(pathToFileURL(file).href);
    const { page, problems } = opened;
    expect(await tasks(page).count()).toBe(300);
    await page.getByRole("button", { name: "Show more: 4,700 of 5,000 rows are hidden" }).click();
    expect(await tasks(page).count()).toBe(1200);
    await page.getByLabel("Filter tasks").fill("Python/4999");
    await expect.poll(() => tasks(page).allTextContents(), { timeout: 600_000 }).toEqual(["Python/4999"]);
    await tasks(page).first().click();
    await page.locator(".turn").first().waitFor();
    expect(problems).toEqual([]);
  });

  test("results of samples that the manifest does not name are reported, and hide none that was not run", async () => {
    const run = join(runsFolder, "merged");
    writeMadeUpRun(run, { tasks: 6, finished: 4 });
    const results = join(run, "results.jsonl");
    appendFileSync(results, readFileSync(results, "utf8").replaceAll("Python/", "Other/"));
    await using opened = await openPage(`${server.url}runs/merged/`);
    const notice = await opened.page.locator(".notice").textContent();
    expect(notice).toContain("Incomplete · 2 samples of 6 not run");
    expect(notice).toContain("4 results of samples that are not in manifest.json");
    await opened.page.goto(server.url);
    const row = opened.page.locator(".runs tbody tr", { hasText: "merged" });
    expect(await row.locator(".state").textContent()).toBe("4 of 6 scored");
  });

  test("what a sample used up to its error is shown", async () => {
    const run = join(runsFolder, "failed");
    const [result] = writeMadeUpRun(run, { tasks: 1, errorEvery: 1 });
    const usage = { ...noUsage(), inputTokens: 100, outputTokens: 20, seconds: 61, costUsd: 2 };
    writeFileSync(join(run, "results.jsonl"), `${JSON.stringify({ ...result, usage })}\n`);
    await using opened = await openPage(`${server.url}runs/failed/`);
    const cells = await opened.page.locator(".samples tbody td").allTextContents();
    expect(cells.slice(-3)).toEqual(["120", "$2.00", "61 s"]);
  });
});
