/** The picture of the report: of a run that is made for it, as a browser shows it in each of its two colour schemes. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser, openPageIn } from "../../eval/pages/testing/browser.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";

const EVAL = "eval --dataset builtin --few-shot-k 0 --model search --run first";
/** Wide enough for the table, high enough for a first look. */
const VIEWPORT = { width: 1200, height: 760 };

/** @param mend what starts the command, @param fileOf where the picture of a colour scheme goes */
export async function reportPicture(
  mend: readonly string[],
  fileOf: (scheme: "light" | "dark") => string,
): Promise<void> {
  using folder = makeTemporaryFolder("picture");
  for (const words of [EVAL.split(" "), ["report", "first"]]) {
    const { status } = spawnSync(mend[0] ?? "", [...mend.slice(1), ...words], { cwd: folder.path, stdio: "inherit" });
    if (status !== 0) throw new Error(`mend ${words.join(" ")} ended with ${status}`);
  }
  const browser = await openBrowser();
  try {
    for (const colorScheme of ["light", "dark"] as const) {
      const address = pathToFileURL(join(folder.path, "runs/first/report.html")).href;
      await using opened = await openPageIn(browser, address, { viewport: VIEWPORT, colorScheme });
      await opened.page.screenshot({ path: fileOf(colorScheme) });
    }
  } finally {
    await browser.close();
  }
}
