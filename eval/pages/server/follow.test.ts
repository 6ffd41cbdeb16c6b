/** Pages of a browser that follow runs which go, stop, vanish and go on. */
// @module-tag ci

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { ownMark } from "../../run/lock.ts";
import { hasBrowser, openPage } from "../testing/browser.ts";
import { writeExampleRun } from "../testing/example_run.ts";
import { writeMadeUpRun } from "../testing/made_up_run.ts";
import { startViewServer, type ViewServer } from "./server.ts";

const { path: runsFolder } = temporaryFolder();

describe.skipIf(!hasBrowser)("in a browser", () => {
  let server: ViewServer;
  beforeAll(async () => {
    server = await startViewServer({ runsFolder, port: 0 });
  });
  afterAll(() => server.close());

  const finished = (page: Page, n: number) => page.getByText(`${n} of 40 samples finished`).waitFor();
  function writeGoing(name: string, n: number): string {
    const run = join(runsFolder, name);
    writeMadeUpRun(run, { tasks: 40, turns: 4, finished: n });
    writeFileSync(join(run, "lock"), JSON.stringify(ownMark()));
    return run;
  }

  test(
    "eight pages in the background leave room for the next, and follow again once they are looked at",
    DEEP,
    async () => {
      writeGoing("many", 3);
      await using opened = await openPage(`${server.url}runs/many/`);
      const pages = [opened.page];
      const look = (page: Page, hidden: boolean) =>
        page.evaluate(
          `Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))`,
        );
      for (let i = 0; i < 8; i++) {
        await look(pages[i] ?? opened.page, true);
        const page = await opened.page.context().newPage();
        await page.goto(`${server.url}runs/many/`, { timeout: 60_000 });
        await finished(page, 3);
        pages.push(page);
      }
      writeGoing("many", 5);
      await finished(pages[8] ?? opened.page, 5);
      expect(await opened.page.locator(".notice").textContent()).toContain("3 of 40");
      await look(opened.page, false);
      await finished(opened.page, 5);
      expect(opened.problems).toEqual([]);
    },
  );

  test(
    "a run whose folder is taken away is marked as gone, keeps what is shown, and is followed once it is back",
    DEEP,
    async () => {
      const run = writeGoing("gone", 3);
      await using opened = await openPage(`${server.url}runs/gone/`);
      const { page, problems } = opened;
      await finished(page, 3);
      expect(await page.locator(".connection").textContent()).toBe("live");
      renameSync(run, `${runsFolder}/.elsewhere`);
      await page.locator(".trouble", { hasText: "There is no run at" }).waitFor();
      expect(await page.locator(".samples tbody tr").count()).toBe(3);
      renameSync(`${runsFolder}/.elsewhere`, run);
      await page.locator(".trouble").waitFor({ state: "detached" });
      writeGoing("gone", 6);
      await finished(page, 6);
      expect(await page.locator(".samples tbody tr").count()).toBe(6);
      expect(problems).toEqual([]);
    },
  );

  test("a page says that its server is gone", async () => {
    writeGoing("alone", 3);
    const other = await startViewServer({ runsFolder, port: 0 });
    await using opened = await openPage(other.url);
    await other.close();
    await opened.page.locator(".trouble", { hasText: "Not connected" }).waitFor();
  });

  test("while a run grows its page keeps the filter, the place and what is unfolded", DEEP, async () => {
    writeGoing("search", 20);
    await using opened = await openPage(`${server.url}runs/search/`);
    const { page, problems } = opened;
    await page.locator(".facts summary").click();
    await page.getByLabel("Filter tasks").fill("no such words");
    await page.getByText("No task matches.").waitFor();
    await page.evaluate(
      `globalThis.most = 0; new MutationObserver(() => { most = Math.max(most, document.querySelectorAll(".samples tbody tr").length) }).observe(document.body, { childList: true, subtree: true, characterData: true })`,
    );
    await page.evaluate("scrollTo(0, 500)");
    for (const n of [22, 25]) {
      writeGoing("search", n);
      await finished(page, n);
    }
    await page.waitForTimeout(500);
    expect(await page.evaluate("globalThis.most"), "rows that do not match").toBe(0);
    expect(await page.evaluate("scrollY")).toBe(500);
    expect(await page.locator(".facts").getAttribute("open")).not.toBeNull();
    expect(problems).toEqual([]);
  });

  test(
    "the page of a self-edit run that stopped leads back to all runs and follows it when it goes on",
    DEEP,
    async () => {
      const run = join(runsFolder, "meta");
      writeExampleRun(run);
      mkdirSync(join(run, "agents.git"));
      await using opened = await openPage(`${server.url}runs/meta/`);
      const { page, problems } = opened;
      expect(await page.locator(".stopped").textContent()).toMatch(/^Stopped before its end, at \d+ of \d+ · /);
      expect(await page.locator(".outcome").count()).toBe(1);
      expect(await page.getByRole("link", { name: "All runs" }).getAttribute("href")).toBe("../../");
      writeFileSync(join(run, "lock"), JSON.stringify(ownMark()));
      await page.locator(".notice.running").waitFor();
      expect(await page.locator(".outcome, .stopped").count()).toBe(0);
      rmSync(join(run, "lock"));
      await page.locator(".outcome").waitFor();
      expect(problems).toEqual([]);
    },
  );
});
