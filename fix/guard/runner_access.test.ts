import { expect, test } from "vitest";
import { reaches } from "./runner_access.ts";

test.each([
  ["a.js", "if (process.env.VITEST) x();", "VITEST"],
  ["a.js", "const isTested = process.argv.join();", "process.argv"],
  ["a.py", "if 'PYTEST_CURRENT_TEST' in os.environ: pass", "PYTEST_CURRENT_TEST"],
])("%s: `%s` is a doubt, where the file did not look at it before", (file, line, said) => {
  expect(reaches([{ file, before: "", after: `${line}\n` }])).toEqual([
    expect.stringContaining(`${file} now uses ${said}`),
  ]);
  expect(reaches([{ file, before: `${line}\n`, after: `${line}\nx\n` }])).toEqual([]);
});
