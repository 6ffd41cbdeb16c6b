// @module-tag ci
/** The search repairs a function of each compiled language in a whole run: it is a model there, whose steps are JSON. */

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { run, temporaryFolder } from "../../utils/testing/command.ts";

test.each(["go", "cpp", "java", "rust"] as const)("the search repairs a function in a run of %s", async (language) => {
  const missing = LANGUAGES[language].unavailable("");
  if (missing !== null) return console.warn(`skipped: ${missing}`);
  using folder = temporaryFolder();
  const dataset = fileURLToPath(new URL(`fixtures/${language}.jsonl`, import.meta.url));
  const command = ["--dataset", dataset, "--few-shot-k", "0", "--num", "1", "--protocol", "tests", "--model", "search"];
  const { stdout, stderr } = await run("mend eval", command, folder.path);
  const summary: unknown = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  expect(summary, stderr).toMatchObject({ num: 1, successes: 1, errors: 0 });
});
