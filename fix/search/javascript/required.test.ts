/** What the searches of JavaScript take from the runners of frameworks: no compiler checks these names. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";

const require = createRequire(import.meta.url);
const RUNNERS = "../../../utils/frameworks/javascript/runner";
const REQUIRED = /const \{ ([^}]+) \} = require\(path\.join\(path\.dirname\(runner\), "([\w.]+)"\)\)/g;

const taken = readdirSync(new URL(".", import.meta.url)).flatMap((file) =>
  file.endsWith(".cjs")
    ? [...readFileSync(new URL(file, import.meta.url), "utf8").matchAll(REQUIRED)].map(
        ([, names = "", from = ""]): [file: string, names: string[], from: string] => [file, names.split(", "), from],
      )
    : [],
);

test("some are taken", () => {
  expect(taken.length).toBeGreaterThan(1);
});

test.each(taken)("%s finds %j in %s", (_, names, from) => {
  expect(Object.keys(Object(require(`${RUNNERS}/${from}`)))).toEqual(expect.arrayContaining(names));
});
