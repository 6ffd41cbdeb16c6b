import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { editorRecording, openLog, VERDICTS } from "../../meta/log.ts";
import { temporaryFolder } from "../../meta/testing/test_run.ts";
import { loadRun } from "../../run/load_run.ts";
import { ownMark } from "../../run/lock.ts";
import { startViewServer } from "../server/server.ts";
import { hasBrowser, openPage } from "../testing/browser.ts";
import { writeExampleRun } from "../testing/example_run.ts";
import { metaPage } from "./meta_page.ts";

test("the file holds nothing a model wrote as markup, and its policy lets nothing load", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  const page = metaPage(folder.path);
  expect(page).not.toMatch(/<script>alert|<img|\u202E/);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain("connect-src");
});

test("a run of the self-edit loop is not taken for a damaged one", () => {
  using folder = temporaryFolder();
  writeExampleRun(folder.path);
  mkdirSync(join(folder.path, "agents.git"));
  expect(() => loadRun(folder.path)).toThrow(/is a run of mend improve: its page is .*report\.html/);
});

describe.skipIf(!hasBrowser)("in a browser", () => {
  test("shows every child with its verdict, hypothesis, diff and the editor's turns", async () => {
    using folder = temporaryFolder();
    writeExampleRun(folder.path);
    const file = join(folder.path, "report.html");
    writeFileSync(file, metaPage(folder.path));
    await using opened = await openPage(pathToFileURL(file).href);
    const { page, problems } = opened;
    const badges = await page.locator(".child .badge").allTextContents();
    for (const verdict of VERDICTS) expect(badges).toContain(verdict);
    const text = (await page.locator(".meta").textContent()) ?? "";
    expect(text).toContain("Iteration 6, round 1: no agent");
    expect(text).toContain("On the 1 sealed tasks: first agent 0.0%, champion 100.0%");
    expect(text).toContain("Thought: I shorten the prompt.");
    const won = page.locator("#agent-1 details", { hasText: "1 task that its parent does not solve" });
    expect(await won.locator("li").allTextContents()).toEqual(["d2 line 1: 0 → 1 (learned_0_5)."]);
    expect(await page.locator(".diff .removed").first().textContent()).toBe("-old");
    expect(await page.locator(".cells .cell.solved").count()).toBe(11);
    expect(text).toContain('<script>alert("x")</script>');
    expect(await page.locator("img, .child script").count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    const widest =
      "Math.max(...[...document.querySelectorAll('.meta svg, .cell')].map((one) => one.getBoundingClientRect().right))";
    expect(await page.evaluate(widest), "chart and tasks within a phone").toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  });

  test(
    "an open page follows the run without loading again, has progress and no verdict, keeps open what was opened",
    DEEP,
    async () => {
      using folder = temporaryFolder();
      const run = join(folder.path, "meta");
      writeExampleRun(run);
      mkdirSync(join(run, "agents.git"));
      writeFileSync(join(run, "lock"), JSON.stringify(ownMark()));
      const server = await startViewServer({ runsFolder: folder.path, port: 0 });
      try {
        await using opened = await openPage(`${server.url}runs/meta/`);
        const { page, problems } = opened;
        await page.evaluate("globalThis.sameDocument = true");
        expect(await page.locator(".notice.running").textContent()).toContain(
          "measuring the first agent twice on each task",
        );
        expect(await page.locator(".outcome").count()).toBe(0);
        expect(await page.getByRole("link", { name: "All runs" }).getAttribute("href")).toBe("../../");
        await page.locator(".child details summary").first().click();
        const note = page.locator("header .note").first();
        const before = await note.textContent();
        const log = openLog(run);
        const [known] = log.state.measured.values();
        if (!known) throw new Error("the example has no measurement");
        for (const n of [1, 2, 3, 4, 5])
          log.append({ ...known, key: `another ${n}`, task: "d3", attempt: 1, inputTokens: null });
        await page
          .locator("header .note")
          .filter({ hasNotText: before ?? "" })
          .waitFor();
        expect(await note.textContent()).toContain("unknown tokens");
        await page.getByText("an editor makes child 7").waitFor();
        const usage = { inputTokens: 100, cachedInputTokens: 0, outputTokens: 9, seconds: 2 };
        const reply = { content: "Thought: the seventh idea", toolCalls: [], usage };
        writeFileSync(
          join(run, editorRecording({ iteration: 7, round: 1 })),
          `${JSON.stringify({ key: "1", reply })}\n`,
        );
        await page.locator(".editor-turns summary").filter({ hasText: "the seventh idea" }).waitFor();
        expect(await page.evaluate("globalThis.sameDocument")).toBe(true);
        expect(await page.locator(".child details").first().getAttribute("open")).not.toBeNull();
        expect(problems).toEqual([]);
      } finally {
        await server.close();
      }
    },
  );
});
