/** A real browser for tests of pages: Debian's Chromium, headless. */

import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/** False where there is no browser; such tests then skip. `apt-get install chromium` brings it. */
export const hasBrowser = existsSync(CHROMIUM);

/** Without a sandbox of its own (it cannot have one as root) and without calls to anywhere. */
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, headless: true, args: FLAGS.split(" ") });
