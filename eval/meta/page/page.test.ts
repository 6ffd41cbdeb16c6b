import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownMark } from "../../../utils/process_mark.ts";
import { hasBrowser, openBrowser } from "../../report/testing/browser.ts";
import { startViewServer } from "../../view/server.ts";
import { VERDICTS } from "../events.ts";
import { openLog } from "../state.ts";
import { temporaryFolder } from "../testing.ts";
import { writeExampleRun } from "./example_run.ts";
import { metaPage } from "./page.ts";

test("the page shows every child with its verdict, hypothesis, diff, calls and notices", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  const page = metaPage(folder.path);
  for (const verdict of VERDICTS) expect(page).toContain(`<span class="badge ${verdict}">${verdict}</span>`);
  expect(page).toContain("Iteration 6, round 1: no agent");
  expect(page).toContain("main.1 <b>coder</b>");
  expect(page).toContain("<b>notice</b> main after 12.0 s: You repeat yourself.");
  expect(page).toContain('<span class="removed">-old</span>');
  expect(page).toContain("On the 1 sealed tasks: A_0 0.0%, champion 100.0%");
  expect(page.match(/class="cell solved"/g)).toHaveLength(11);
});

test("nothing a model wrote becomes markup, and nothing in the page may run or load", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  const page = metaPage(folder.path);
  expect(page).not.toMatch(/<script|<img|\u202E/);
  expect(page).toContain("&#60;script&#62;");
  expect(page).toContain("default-src 'none'");
});

test.skipIf(!hasBrowser)(
  "an open page follows the run without loading again, and keeps open what was opened",
  async () => {
    using folder = temporaryFolder();
    const run = join(folder.path, "meta");
    writeExampleRun(run);
    mkdirSync(join(run, "agents.git"));
    writeFileSync(join(run, "lock"), JSON.stringify(ownMark()));
    const server = await startViewServer({ runsFolder: folder.path, port: 0 });
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(600_000);
      const problems: string[] = [];
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      page.on("dialog", () => problems.push("a script of a model ran"));
      await page.goto(`${server.url}runs/meta/`);
      await page.evaluate("globalThis.sameDocument = true");
      await page.locator("details summary").first().click();
      const before = await page.locator("p.note").first().textContent();
      const [known] = openLog(run).state.measured.values();
      if (!known) throw new Error("the example has no measurement");
      openLog(run).append({ ...known, key: "another", task: "d3", inputTokens: 5_000 });
      await page
        .locator("p.note", { hasText: "measured" })
        .filter({ hasNotText: before ?? "" })
        .waitFor();
      expect(await page.evaluate("globalThis.sameDocument")).toBe(true);
      expect(await page.locator("details").first().getAttribute("open")).not.toBeNull();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
