import { expect, test } from "vitest";
import { remarks } from "./remarks.ts";

test.each([
  ["a.js", "if (process.env.VITEST) x();", "VITEST"],
  ["a.js", "const isTested = process.argv.join();", "process.argv"],
  ["a.py", "if 'PYTEST_CURRENT_TEST' in os.environ: pass", "PYTEST_CURRENT_TEST"],
])("%s: `%s` is said, where the file did not look at it before", (file, line, said) => {
  expect(remarks([{ file, before: "", after: `${line}\n` }])).toEqual([`${file}: ${said}`]);
  expect(remarks([{ file, before: `${line}\n`, after: `${line}\nx\n` }])).toEqual([]);
});
