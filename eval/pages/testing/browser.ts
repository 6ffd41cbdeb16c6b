/** A real browser for tests of pages: Debian's Chromium, headless. */

import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/** False where there is no browser; such tests then skip. `apt-get install chromium` brings it. */
export const hasBrowser = existsSync(CHROMIUM);

/** Without a sandbox of its own (it cannot have one as root) and without calls to anywhere. */
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS.split(" ") });

/** A page in a context of its own, once it has its heading, and what goes wrong on it: blocked content, scripts of others. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(600_000);
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("dialog", () => problems.push("a script of a model ran"));
  await page.goto(url);
  await page.locator("h1:visible").waitFor();
  return { page, problems, [Symbol.asyncDispose]: () => context.close() };
}

/** Loads the page again and waits until it is painted: a browser drops keys that are pressed before. */
export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await page.locator("h1:visible").waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
