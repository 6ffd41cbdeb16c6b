// @module-tag deep
/** Where no tests are named after a file, the project's runner finds them. */

import { expect, test } from "vitest";
import { modulesWith } from "../../utils/testing/modules.ts";
import { repairOwnFile } from "../fix.ts";
import { LIMITS, searchParts } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

async function repaired(file: string, files: Record<string, string>, modules: string | null = null) {
  using folder = makeProject({ files }, modules);
  return await repairOwnFile({ file: folder.at(file), ...LIMITS }, searchParts());
}

const PAGES = "exports.pages = (n, size) => Math.floor(n / size);\n";
const PAGING = `const { test } = require("node:test");
const assert = require("node:assert");
const { pages } = require("../../lib/pages");
test("counts", () => assert.strictEqual(pages(11, 5), 3));
test("whole", () => assert.strictEqual(pages(10, 5), 2));
`;

test.each(["node --test", "node --test checks/unit/paging.test.js"])("npm test: %s", async (script) => {
  const { outcome, diff } = await repaired("lib/pages.js", {
    "package.json": JSON.stringify({ scripts: { test: script } }),
    "lib/pages.js": PAGES,
    "checks/unit/paging.test.js": PAGING,
  });
  expect(outcome).toBe("fixed");
  expect(diff).toContain("Math.ceil");
});

test("pytest, where the project has settings of it", async () => {
  const { outcome } = await repaired("shop/half.py", {
    "pytest.ini": "[pytest]\ntestpaths = checks\n",
    "shop/__init__.py": "",
    "shop/half.py": "def half(n):\n    return n // 3\n",
    "checks/test_all.py":
      "from shop.half import half\n\n\ndef test_halves():\n    assert [half(n) for n in (2, 4, 8, 9)] == [1, 2, 4, 4]\n",
    "conftest.py": "",
  });
  expect(outcome).toBe("fixed");
});

test("a command that only starts a file of assertions runs them one by one", async () => {
  const files = {
    "half.py": "def half(n):\n    return n // 3\n",
    "check_half.py": "from half import half\n\nassert half(2) == 1\nassert half(8) == 4\nassert half(0) == 0\n",
  };
  using folder = makeProject({ files });
  const request = { file: folder.at("half.py"), testCommand: "python3 check_half.py", ...LIMITS };
  const { framework, before, diff } = await repairOwnFile(request, searchParts());
  expect([framework, before.passing]).toEqual(["asserts", ["line 5: assert half(0) == 0"]]);
  expect(diff).toContain("n // 2");
});

test("for a file with assertions of its own, the error says how they are used", async () => {
  const text = "def half(n):\n    return n // 3\n\n\nassert half(4) == 2\nassert half(9) == 4\n";
  const files = { "half.py": text, "pytest.ini": "" };
  await expect(repaired("half.py", files)).rejects.toThrow(
    /settings\. --tests half\.py takes the assertions in half\.py itself\.$/,
  );
  using folder = makeProject({ files });
  const request = { file: folder.at("half.py"), tests: folder.at("half.py"), ...LIMITS };
  const { outcome, diff } = await repairOwnFile(request, searchParts());
  expect(outcome).toBe("suggestion");
  expect(diff).toMatch(/^\+ {4}return n \/\/ 2$/m);
});

test("where neither says so, --tests is asked for", async () => {
  await expect(
    repaired("lib/pages.js", { "package.json": '{ "scripts": { "test": "make check" } }', "lib/pages.js": PAGES }),
  ).rejects.toThrow("mend found no tests");
});

test.each([
  [
    "Stock.java",
    "public class Stock {\n    static int half(int n) { return n / 3; }\n}\n",
    "pom.xml, gradlew, build.gradle, or",
  ],
  ["stock.cpp", "int half(int n) { return n / 3; }\n", "CMakeLists.txt: name the command"],
])("%s in a folder without a build file: the error asks for the command", async (file, text, asked) => {
  await expect(repaired(file, { [file]: text })).rejects.toThrow(`has no ${asked}`);
});

const jest = modulesWith("jest");
test.skipIf(jest === null)("jest, with a rejected promise that is not awaited", async () => {
  const { outcome, before } = await repaired(
    "store.js",
    {
      "package.json": '{ "scripts": { "test": "jest" } }',
      "store.js": `exports.add = async (items, id) => {
  if (items.includes(id)) throw new Error("duplicate");
  items.push(id);
};
exports.addAll = async (items, ids) => {
  for (const id of ids) exports.add(items, id);
  return items.length;
};
`,
      "store.test.js": `const { addAll } = require("./store");
test("refuses twice", () => expect(addAll([], ["a", "a"])).rejects.toThrow("duplicate"));
test("adds", async () => expect(await addAll([], ["a", "b"])).toBe(2));
`,
    },
    jest,
  );
  expect(outcome).not.toBe("passes_already");
  expect(before.failing.map(({ name }) => name)).toEqual(["refuses twice"]);
});
