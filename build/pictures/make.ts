/** `npm run pictures`: makes the pictures of the README anew, from real runs; Chromium takes that of the report. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../options.ts";
import { firstRepair } from "./first_repair.ts";
import { reportPicture } from "./report_picture.ts";
import { terminalSvg } from "./terminal_svg.ts";

const FOLDER = join(ROOT, "docs", "pictures");
const MEND = [process.execPath, join(ROOT, "node_modules/tsx/dist/cli.mjs"), join(ROOT, "eval/cli/main.ts")];

mkdirSync(FOLDER, { recursive: true });
const label = "A terminal: mend repair shows the failing tests of a file, tries edits, and prints a diff that passes";
writeFileSync(join(FOLDER, "repair.svg"), terminalSvg(label, await firstRepair(MEND)));
await reportPicture(MEND, (scheme) => join(FOLDER, `report-${scheme}.png`));
