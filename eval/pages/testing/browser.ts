/** A real browser for tests of pages: Debian's Chromium, headless. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";

const CHROMIUM = "/usr/bin/chromium";

/** False where there is no browser; such tests then skip. `apt-get install chromium` brings it. */
export const hasBrowser = existsSync(CHROMIUM);

/** Without a sandbox of its own (it cannot have one as root) and without calls to anywhere. */
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

const OPTIONS = { executablePath: CHROMIUM, headless: true, args: FLAGS.split(" ") };

export const openBrowser = (): Promise<Browser> => chromium.launch(OPTIONS);

const VIEWPORT = { width: 1280, height: 900 };
let shared: Promise<Page> | undefined;

/**
 * The page of this process, in a browser that ends with it: a browser costs a second of processor time, a page in a
 * context of its own a third of one.
 */
function pageForTests(): Promise<Page> {
  shared ??= startShared();
  return shared;
}

/**
 * What the browser writes lies in a folder of this process: Vitest may kill its workers, and the next start of mend removes
 * what these left.
 */
async function startShared(): Promise<Page> {
  const { path } = makeTemporaryFolder("browser");
  const context = await chromium.launchPersistentContext(join(path, "profile"), {
    ...OPTIONS,
    artifactsDir: join(path, "artifacts"),
    env: { ...process.env, TMPDIR: path },
    permissions: ["clipboard-read", "clipboard-write"],
    // Tests of the same process send it signals: Playwright would end it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  return context.pages()[0] ?? context.newPage();
}

/** What a test changes of a page or of its context is as it was, and nothing of the test's own goes on. */
async function putBack(page: Page): Promise<void> {
  for (const event of ["pageerror", "console", "dialog"]) page.removeAllListeners(event);
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.goto("about:blank");
  await page.emulateMedia({ colorScheme: null, media: null });
}

/**
 * The page that the tests of this process share, once it has its heading, and what goes wrong on it: blocked content,
 * scripts of others. Tests of one process use it one after the other.
 */
export async function openPage(url: string, viewport = VIEWPORT) {
  const page = await pageForTests();
  await page.setViewportSize(viewport);
  return { ...(await shown(page, url)), [Symbol.asyncDispose]: () => putBack(page) };
}

/** A page in a context of its own, which takes longer. */
export async function openPageIn(browser: Browser, url: string, options: BrowserContextOptions) {
  const context = await browser.newContext(options);
  return { ...(await shown(await context.newPage(), url)), [Symbol.asyncDispose]: () => context.close() };
}

async function shown(page: Page, url: string): Promise<{ page: Page; problems: string[] }> {
  page.setDefaultTimeout(600_000);
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("dialog", () => problems.push("a script of a model ran"));
  await page.goto(url);
  await page.locator("h1:visible").waitFor();
  return { page, problems };
}

/** Loads the page again and waits until it is painted: a browser drops keys that are pressed before. */
export async function reloadPage(page: Page): Promise<void> {
  await page.reload();
  await page.locator("h1:visible").waitFor();
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
}
