/**
 * `npm run lint:python`: the project's Python is checked and formatted by ruff; `-- --write` formats it. What models
 * wrote, or what is wrong on purpose, is left as it is.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";
import { z } from "zod";
import { git } from "../utils/git/git.ts";
import { ROOT } from "./options.ts";

const SETTINGS = {
  "line-length": 120,
  "target-version": "py39",
  // Programs that are run as a text set their path before they import from it.
  lint: { select: ["E", "F", "W", "PLE", "B006", "B020"], ignore: ["E402"] },
};

const Problem = z.object({
  code: z.string().nullable(),
  message: z.string(),
  start_location: z.object({ row: z.number(), column: z.number() }),
});

/** Programs of data sets, and buggy programs for examples. */
const AS_THEY_ARE = /(?:^|\/)fixtures\/|^examples\/real_world\//;

const files = git(ROOT, ["ls-files"])
  .split("\n")
  .filter((file) => file.endsWith(".py") && !AS_THEY_ARE.test(file));
/** Programs in tests are texts that stay as they are. */
const isOfTests = (file: string) => /_test\.py$|\/testing\//.test(file);
const LONG_LINE = "E501";

const ruff = new Workspace(SETTINGS, PositionEncoding.Utf16);
const writes = process.argv.includes("--write");
let problems = 0;
for (const file of files) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const formatted = ruff.format(text);
  if (writes && formatted !== text) writeFileSync(join(ROOT, file), formatted);
  const found = z
    .array(Problem)
    .parse(ruff.check(writes ? formatted : text))
    .filter(({ code }) => !(code === LONG_LINE && isOfTests(file)))
    .map(({ code, message, start_location: { row, column } }) => `${file}:${row}:${column} ${code} ${message}`);
  if (!writes && formatted !== text) found.push(`${file} is not formatted: npm run lint:python -- --write`);
  for (const line of found) console.error(line);
  problems += found.length;
}
console.log(`Python: ${files.length} files, ${problems} problems`);
process.exitCode = problems > 0 ? 1 : 0;
