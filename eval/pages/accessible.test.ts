/** What people who see little, or use no mouse, need of every page. */

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { startViewServer, type ViewServer } from "./server/server.ts";
import { hasBrowser, openPage } from "./testing/browser.ts";
import { writeExampleRun } from "./testing/example_run.ts";
import { writeMadeUpRepair } from "./testing/made_up_repair.ts";
import { writeMadeUpRun } from "./testing/made_up_run.ts";

const { path: runsFolder } = temporaryFolder();

/** Texts with less contrast than WCAG 2 asks for (4.5 to 1). A canvas mixes the colours as the page does. */
const FAINT = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const light = () => {
    const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const paint = (colour) => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return light();
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() === "" || !element.checkVisibility() || element.closest("svg, script, :disabled")) continue;
    const grounds = [];
    for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
    const ground = grounds.map(paint).at(-1);
    const [low, high] = [ground, paint(getComputedStyle(element).color)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) faint.add(element.className + " " + contrast.toFixed(2) + " " + walker.currentNode.data.slice(0, 20));
  }
  return [...faint];
})()`;

/** Controls and heads of tables without a name, pictures without a text, headings that leave out a level. */
const NAMELESS = `(() => {
  const isNamed = (element) => ((element.getAttribute("aria-label") ?? "") + element.textContent + (element.querySelector("title")?.textContent ?? "")).trim() !== "";
  const nameless = [...document.querySelectorAll("button, a, th, input, select, summary, svg, [role=img]")]
    .filter((element) => element.checkVisibility() && !isNamed(element));
  const levels = [...document.querySelectorAll("h1, h2, h3, h4")].filter((element) => element.checkVisibility()).map(({ tagName }) => Number(tagName[1]));
  const inside = [...document.querySelectorAll("[role=img] a, [role=img] button")];
  const skipped = levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1).map((level) => "h" + level);
  return [...[...nameless, ...inside].map((element) => element.outerHTML.slice(0, 120)), ...skipped];
})()`;

describe.skipIf(!hasBrowser)("in a browser", () => {
  let server: ViewServer;
  let repair = "";
  beforeAll(async () => {
    writeMadeUpRun(join(runsFolder, "one"), { tasks: 12, turns: 5, price: 0.001, errorEvery: 5, hostile: "\u202e" });
    writeMadeUpRun(join(runsFolder, "two"), { tasks: 12, finished: 9, seed: 4 });
    writeExampleRun(join(runsFolder, "meta"));
    repair = basename(writeMadeUpRepair(runsFolder));
    mkdirSync(join(runsFolder, "meta", "agents.git"));
    server = await startViewServer({ runsFolder, port: 0 });
  });
  afterAll(() => server.close());

  const PATHS = [
    ...["", "runs/one/", "runs/one/#/Python%2F1/0", "runs/meta/", "board?run=one&run=two"],
    ...["board?run=one&run=two#/0/Python%2F1/0?beside=%2F1%2FPython%252F1%2F0", "runs/REPAIR/"],
    "runs/REPAIR/#/half.py/0",
  ];
  test.each(PATHS)("/%s can be read and named in light and in dark", DEEP, async (path) => {
    await using opened = await openPage(`${server.url}${path.replace("REPAIR", repair)}`);
    const { page } = opened;
    if (path.includes("#")) await page.locator(".turn").first().waitFor();
    for (const width of [400, 1400]) {
      await page.setViewportSize({ width, height: 900 });
      const widest = await page.evaluate("document.documentElement.scrollWidth");
      expect(widest, `${width} pixels`).toBeLessThanOrEqual(width);
    }
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    expect(await page.evaluate(NAMELESS)).toEqual([]);
    expect(await page.evaluate(FAINT), "light").toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await page.evaluate(FAINT), "dark").toEqual([]);
    // Paper is white whatever the screen is.
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(30, 29, 27)");
    expect(await page.evaluate(FAINT), "on paper").toEqual([]);
  });

  test("Tab alone leads to a task, and what has the focus is marked", DEEP, async () => {
    await using opened = await openPage(`${server.url}runs/one/`);
    const { page } = opened;
    await page.getByLabel("Filter tasks").focus();
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
      if (await page.evaluate("document.activeElement.matches('td.task a')")) break;
    }
    const name = z.string().parse(await page.evaluate("document.activeElement.textContent"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name }).waitFor();
  });

  test("a chart says its figures, and the tasks of an agent which were solved", async () => {
    await using opened = await openPage(`${server.url}runs/one/`);
    const { page } = opened;
    const score = page.locator(".headline").getByRole("img");
    expect(await score.getAttribute("aria-label")).toMatch(/^\d+%, 95% interval \d+% to \d+%$/);
    await page.goto(`${server.url}runs/meta/`);
    await page.getByRole("img", { name: "Agent 0 on dev: solved d1" }).waitFor();
  });
});
