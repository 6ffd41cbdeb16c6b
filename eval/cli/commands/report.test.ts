// @module-tag ci

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { buildReport, LARGEST_REPORT } from "../../pages/report/build_report.ts";
import { hasBrowser, openPage } from "../../pages/testing/browser.ts";
import { type MadeUpRun, writeMadeUpRun } from "../../pages/testing/made_up_run.ts";
import { loadRun } from "../../run/load_run.ts";

const { path: folder } = temporaryFolder();

/** A picture for a person to look at, where MEND_SCREENSHOTS names a folder for them. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const pictures = process.env.MEND_SCREENSHOTS;
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

const HOSTILE = [
  "</script><script>window.pwned = 1</script>",
  '<img src=x onerror="window.pwned = 2">',
  "<!--<script>",
  "\u001b[31mred\u001b[0m",
  "\u202egnirts\u202c\u2066\u200b\u0000",
  "]]>{{constructor.constructor('window.pwned = 3')()}}",
].join(" ");

const STATES = {
  empty: { tasks: 82, finished: 0 },
  running: { tasks: 82, finished: 31, turns: 6 },
  finished: { tasks: 82, turns: 8, price: 0.002 },
  failed: { tasks: 20, errorEvery: 1 },
  samples: { tasks: 20, attempts: 10, turns: 4 },
  hostile: { tasks: 3, turns: 3, errorEvery: 3, hostile: HOSTILE },
} satisfies Record<string, MadeUpRun>;

const reports = new Map<string, ReturnType<typeof writeReport>>();

/** The report of a made-up run, written once for all tests that name it. */
function makeReport(name: string, request: MadeUpRun) {
  const report = reports.get(name) ?? writeReport(join(folder, name), request);
  reports.set(name, report);
  return report;
}

function writeReport(run: string, request: MadeUpRun) {
  writeMadeUpRun(run, request);
  return reportOf(run);
}

function reportOf(run: string) {
  const report = buildReport(loadRun(run));
  const file = join(run, "report.html");
  writeFileSync(file, report.html);
  return { ...report, url: pathToFileURL(file).href };
}

test("what every task has in common is stored once", DEEP, () => {
  const engine = Array.from(
    { length: 1500 },
    (_, i) => `def step_${i * 7919}(state): return state ^ ${i * 104729}`,
  ).join("\n");
  const one = makeReport("engine1", { tasks: 1, hostile: engine });
  const twelve = makeReport("engine12", { tasks: 12, hostile: engine });
  expect(twelve.leftOut).toBe(0);
  expect(twelve.html.length - one.html.length).toBeLessThan(12 * 8_000);
});

test("where the texts are too large they are shortened, and the report says so", DEEP, () => {
  const random = Array.from({ length: 400_000 }, (_, i) =>
    String.fromCharCode(33 + ((i * 7919 + (i >> 3) * 104729 + ((i * i) % 8191)) % 90)),
  ).join("");
  const { html, leftOut } = makeReport("large", { tasks: 2, hostile: random });
  expect(Buffer.byteLength(html)).toBeLessThan(LARGEST_REPORT);
  expect(leftOut).toBeGreaterThan(0);
});

test("a page has no address of anywhere, and a policy that allows none", () => {
  const { html } = makeReport("small", { tasks: 2 });
  expect(html).toMatch(/default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  const namespaces = /http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1998\/Math\/MathML)/g;
  // highlight.js names its own pages in warnings, which nothing opens.
  const warnings = /https:\/\/github\.com\/highlightjs\/highlight\.js\/(?:issues|wiki)\//g;
  expect(html.replaceAll(namespaces, "").replaceAll(warnings, "")).not.toMatch(/https?:\/\//);
  expect(html).not.toMatch(/unsafe-(inline|eval)|insertAdjacentHTML|document\.write|\beval\(/);
  // Preact has a way to take text for markup, which no page uses and the browser would refuse.
  expect(html).toContain("require-trusted-types-for 'script'; trusted-types 'none'");
  const sources = readdirSync(join(import.meta.dirname, "../../pages"), { recursive: true, encoding: "utf8" });
  for (const file of sources.filter((name) => /(browser|components)\/|\.tsx$/.test(name)))
    expect(readFileSync(join(import.meta.dirname, "../../pages", file), "utf8"), file).not.toMatch(
      /inner.?html|DOMParser/i,
    );
});

test("the modules of the page fit into one script", () => {
  const { html } = makeReport("small", { tasks: 2 });
  const script = join(folder, "script.mjs");
  writeFileSync(script, /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1] ?? "");
  expect(spawnSync(process.execPath, ["--check", script], { encoding: "utf8" })).toMatchObject({
    status: 0,
    stderr: "",
  });
});

test("markup in data stays inside its island", () => {
  const { html } = makeReport("markup", { tasks: 2, hostile: HOSTILE, errorEvery: 2 });
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html.match(/<\/script>/g)).toHaveLength(3);
  expect(html).not.toContain("<img");
});

describe.skipIf(!hasBrowser)("in a browser (skipped without /usr/bin/chromium)", () => {
  const rows = (page: Page) => page.locator(".samples tbody tr");

  const PHONE = { width: 390, height: 844 };
  const overflow = (page: Page) => page.evaluate("document.documentElement.scrollWidth - innerWidth");

  test.each(Object.entries(STATES))(
    "%s: drawn without a problem in light, in dark and on a phone",
    DEEP,
    async (name, request) => {
      const { url } = makeReport(name, request);
      await using opened = await openPage(url);
      const { page, problems } = opened;
      const picture = (look: string) => keepPicture(page, `${name}-${look}`);
      await picture("light");
      expect(await overflow(page), "wider than the window").toBeLessThanOrEqual(0);
      await page.emulateMedia({ colorScheme: "dark" });
      await picture("dark");
      await page.setViewportSize(PHONE);
      expect(await overflow(page), "wider than a phone").toBeLessThanOrEqual(0);
      await picture("phone");
      if ((await rows(page).count()) > 1) {
        await rows(page).nth(1).click();
        await page.locator(".verdict").waitFor();
        expect(await overflow(page), "a task wider than a phone").toBeLessThanOrEqual(0);
        await picture("task");
      }
      expect(problems).toEqual([]);
    },
  );

  test("the table filters, sorts, and shows what is behind a figure", DEEP, async () => {
    const { url } = makeReport("table", { tasks: 40, turns: 5 });
    await using opened = await openPage(url);
    const { page } = opened;
    expect(await rows(page).count()).toBe(40);
    expect(await page.locator(".connection").count(), "a file follows nothing").toBe(0);
    expect(await rows(page).first().locator(".badge.pass").count(), "what failed comes first").toBe(0);
    await page.keyboard.press("/");
    await page.keyboard.type("missing logic");
    expect(await rows(page).count()).toBe(7);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await rows(page).count()).toBe(40);
    await page.locator(".chip.failed").click();
    const failed = await rows(page).count();
    expect(await page.locator(".chip.failed .count").textContent()).toBe(String(failed));
    expect(await page.locator(".samples .badge.pass").count()).toBe(0);
    await page.locator(".chip.all").click();
    await page.getByRole("button", { name: "Turns" }).click();
    const turns = (await page.locator(".samples td.turns").allTextContents()).map(Number);
    expect(turns).toEqual([...turns].sort((a, b) => b - a));
    await page.locator("button.measure").first().click();
    expect(await rows(page).count()).toBe(7);
  });

  test("the keyboard walks tasks and turns, and comes back", DEEP, async () => {
    const { url } = makeReport("keys", { tasks: 10, turns: 12 });
    await using opened = await openPage(`${url}#?sort=task`);
    const { page } = opened;
    for (const key of ["j", "j", "j", "Enter"]) await page.keyboard.press(key);
    await page.locator(".turn").first().waitFor();
    expect(await page.locator(".sample h1").textContent()).toBe("Python/2");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Python/3" }).waitFor();
    await page.locator(".turn").first().waitFor();
    const top = () => page.evaluate("scrollY");
    for (let i = 0; i < 3; i++) await page.keyboard.press("n");
    expect(await top()).toBeGreaterThan(500);
    await page.keyboard.press("?");
    expect(await page.locator("dialog").textContent()).toContain("next turn");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await page.locator(".list").isVisible()).toBe(true);
    await page.goBack();
    await page.getByRole("heading", { name: "Python/3" }).waitFor();
  });

  test("a task shows its change, every turn with what it cost, and the prompt", DEEP, async () => {
    const { url } = makeReport("turns", { tasks: 2, turns: 12, skill: 1 });
    await using opened = await openPage(`${url}#/Python%2F1/0`);
    const { page } = opened;
    await page.locator(".turn").first().waitFor();
    expect(await page.locator(".turn").count()).toBe(13);
    expect(await page.locator(".diff .removed").textContent()).toContain("+=");
    expect(await page.locator(".diff .added").textContent()).toContain("-=");
    expect(await page.locator(".turn .cost").nth(1).textContent()).toMatch(/^[\d.]+k in .*\d out · [\d.]+ s$/);
    expect(await page.locator(".turn .token-string").first().textContent()).toContain('"""');
    await page.locator(".prompt > summary", { hasText: "before its first turn" }).click();
    expect(await page.locator(".message.system").textContent()).toContain("You repair Python functions.");
  });

  test(
    "a task shows what was asked, its hidden tests, raw requests, and another trajectory beside it; each turn has an address",
    DEEP,
    async () => {
      const { url } = makeReport("beside", { tasks: 3, attempts: 2, turns: 3 });
      await using opened = await openPage(`${url}#/Python%2F1/0`);
      const { page, problems } = opened;
      await page.locator(".turn").first().waitFor();
      const texts = page.locator(".task-texts details");
      expect(await texts.first().locator("summary").textContent()).toMatch(/^Task, as the model saw it/);
      expect(await texts.last().textContent()).toContain("hidden Python/1");
      const raw = page.locator(".raw").first();
      await raw.locator("summary").click();
      expect(await raw.locator(".message.system").textContent()).toContain("You repair Python functions.");
      expect(await raw.locator(".message.reply").count()).toBe(1);
      await page.locator(".turn a.index").nth(1).click();
      await page.waitForURL(/turn=1/);
      await page.getByLabel("Another trajectory beside it").selectOption({ index: 1 });
      await page.locator(".pair .body").nth(1).locator(".turn").first().waitFor();
      expect(await page.locator(".pair h2").first().textContent()).toBe("Python/1, attempt 0");
      expect(await page.locator(".pair .body").nth(1).locator("h2").first().textContent()).toBe("Python/1, attempt 1");
      await page.waitForURL(/beside=/);
      await page.reload();
      await page.locator(".pair .body").nth(1).locator(".turn").first().waitFor();
      expect(problems).toEqual([]);
    },
  );

  test("hostile text is shown as text", async () => {
    const { url } = makeReport("hostile", STATES.hostile);
    await using opened = await openPage(`${url}#/Python%2F1/0`);
    const { page, problems } = opened;
    await page.locator(".turn").first().waitFor();
    for (const details of await page.locator("details").all())
      await details.evaluate("element => { element.open = true }");
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.locator("img, iframe, body script:not([type]), .turn script").count()).toBe(0);
    const text = await page.locator("ol.turns").textContent();
    expect(text).toContain("</script><script>window.pwned = 1</script>");
    for (const mark of ["ESC", "U+202E", "U+2066", "U+200B", "\\0"]) expect(text).toContain(mark);
    for (const char of "\u001b\u202e\u2066\u200b\0") expect(text).not.toContain(char);
    expect(problems).toEqual([]);
  });

  test("a line of a million characters is shortened and grows on request", DEEP, async () => {
    const { url } = makeReport("long", { tasks: 2, turns: 1, hostile: "x".repeat(500_000) });
    await using opened = await openPage(`${url}#/Python%2F1/0`);
    const { page } = opened;
    const answer = page.locator(".turn .code").last();
    await answer.waitFor();
    const length = async (place: Locator) => (await place.textContent())?.length ?? 0;
    expect(await length(page.locator(".sample"))).toBeLessThan(20_000);
    const before = await length(answer);
    await answer.locator(".more").click();
    expect(await length(answer)).toBeGreaterThan(before + 4000);
  });
});
