/** The search in tests of tape and jest that stay in one process, in the box. Needs the real packages. */

import { afterAll, describe, expect, test } from "vitest";
import { installedModules } from "../../utils/testing/modules.ts";
import { limitSearches, PASSES, searchRepository, startSeconds, TEST_SECONDS } from "../testing/search.ts";

afterAll(limitSearches());

/** A module that counts its calls, so that it works in few runs unless each has it anew. */
const RATES = `let calls = 0;
exports.discounted = function discounted(price, percent) {
  calls += 1;
  if (calls > 20) throw new Error("used up");
  return price - (price * percent) / 10;
};
exports.later = (value, told) => setTimeout(() => told(value), 2);
`;

const PLAIN = `exports.isPlain = function isPlain(text) {
  return text.length > 9 || /^(a+)+$/.test("a".repeat(32) + text);
};
`;

/** Texts of tests: titles and what they check. */
interface Written {
  version: string;
  script: string;
  /** A file of tests: title, and a call whose value is expected. */
  file: (subject: string, tests: readonly [title: string, call: string, expected: string][]) => string;
  named: (file: string, title: string) => string;
}

const WRITTEN: Record<string, Written> = {
  tape: {
    version: "5.9.0",
    script: "tape test/*.test.js",
    file: (subject, tests) =>
      `const test = require("tape");\nconst lib = require("../lib/${subject}");\n${tests
        .map(
          ([title, call, expected]) =>
            `test("${title}", (t) => {\n  t.plan(2);\n  setTimeout(() => t.pass("waited"), 2);\n  t.equal(lib.${call}, ${expected});\n});\n`,
        )
        .join("")}`,
    named: (file, title) => `test/${file}.test.js > ${title}`,
  },
  jest: {
    version: "29.7.0",
    script: "jest",
    file: (subject, tests) =>
      `const lib = require("../lib/${subject}");\ndescribe("of", () => {\n${tests
        .map(
          ([title, call, expected]) =>
            `  test("${title}", async () => {\n    await new Promise((resolve) => setTimeout(resolve, 2));\n    expect(lib.${call}).toBe(${expected});\n  });\n`,
        )
        .join("")}});\n`,
    named: (_, title) => `of ${title}`,
  },
};

describe.each(Object.entries(WRITTEN))("%s", (name, { version, script, file, named }) => {
  const modules = installedModules(name, version);
  const missing = modules === null && `${name} is not installed (name a folder that has it in MEND_TEST_MODULES)`;
  const manifest = JSON.stringify({ name: "made-up", private: true, scripts: { test: script } });

  test("finds the edit in modules that are new for each, each for less than the start of a process, and one file sees what another does not", async (context) => {
    if (missing || modules === null) return context.skip(missing || "");
    const files = {
      "package.json": manifest,
      "lib/rates.js": RATES,
      "test/rates.test.js": file("rates", [["takes percents off", "discounted(100, 20)", "80"]]),
      "test/more.test.js": file("rates", [
        ["takes nothing off", "discounted(100, 0)", "100"],
        ["takes all off", "discounted(0, 100)", "0"],
      ]),
    };
    const { outcome, searched } = await searchRepository(files, { modules });
    expect(outcome).toMatchObject({ outcome: expect.stringMatching(PASSES), framework: name });
    expect(outcome.before.failing.map(({ name }) => name)).toEqual([named("rates", "takes percents off")]);
    expect(outcome.before.passing).toHaveLength(2);
    expect(outcome.diff).toMatch(/^[+].*[/] 100;$/m);
    const [{ tried, cpu } = { tried: 0, cpu: 1 }] = searched;
    expect(tried).toBeGreaterThan(20);
    expect(cpu / tried).toBeLessThan(startSeconds());
  });

  test("a candidate that never comes back ends its process alone, soon; the next one goes on behind it", async (context) => {
    if (missing || modules === null) return context.skip(missing || "");
    const files = {
      "package.json": manifest,
      "lib/plain.js": PLAIN,
      "test/plain.test.js": file("plain", [["is plain", 'isPlain("a longer text")', "false"]]),
    };
    const { outcome, searched } = await searchRepository(files, { modules });
    expect(outcome.before.failing.map(({ name }) => name)).toEqual([named("plain", "is plain")]);
    const [plain] = searched;
    expect(plain?.hung).toBeGreaterThan(0);
    expect(plain?.hungSeconds).toBeLessThan(TEST_SECONDS / 2);
    expect(plain?.tried).toBeGreaterThan(plain?.hung ?? 0);
  });

  test("what is no CommonJS is tried in a process for each edit", async (context) => {
    if (missing || modules === null) return context.skip(missing || "");
    if (name === "jest") return context.skip("jest has no ES modules without a flag");
    const files = {
      "package.json": manifest.replace("{", '{"type":"module",'),
      "lib/half.js": "export function half(x) {\n  return x / 3;\n}\n",
      "test/half.test.js": `import test from "tape";
import { half } from "../lib/half.js";
test("halves", (t) => {
  t.deepEqual([2, 6, 8].map(half), [1, 3, 4]);
  t.end();
});
`,
    };
    const { outcome, searched } = await searchRepository(files, { modules });
    expect(outcome).toMatchObject({
      outcome: expect.stringMatching(PASSES),
      diff: expect.stringMatching(/^[+].*x \/ 2;$/m),
    });
    expect(searched).toMatchObject([{ function: "half" }]);
  });
});
