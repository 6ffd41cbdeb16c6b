import { expect, test } from "vitest";
import { isTestName, Kinds } from "./kinds.ts";

const kindsOf = (files: Record<string, string>, ran: string[] = []) =>
  new Kinds({ files: Object.keys(files), text: (file) => files[file] ?? null }, ran);
const isNew = { isNew: true, isGone: false };
const known = { isNew: false, isGone: false };

test("the repository decides what is source, not the words in the names of its folders", () => {
  const kinds = kindsOf({
    "setup.py": "",
    "hooks.py": "",
    "django/__init__.py": "",
    "django/test/__init__.py": "",
    "django/test/client.py": "",
    "numpy/__init__.py": "from numpy import testing",
    "numpy/testing/__init__.py": "",
    "numpy/testing/tools.py": "",
    "numpy/testing/tests/test_tools.py": "",
    "src/app.js": 'import { seed } from "./fixtures/seed.js";',
    "src/fixtures/seed.js": "",
    "tests/test_client.py": "",
    "tests/data/page.py": "",
    "web/fixtures/page.js": "",
    "web/test/page.js": "",
  });
  for (const file of ["hooks.py", "django/test/client.py", "numpy/testing/tools.py", "src/fixtures/seed.js"])
    expect(kinds.standing(file, known), file).toEqual({ kind: "source" });
  for (const file of [
    "numpy/testing/tests/test_tools.py",
    "tests/data/page.py",
    "web/fixtures/page.js",
    "web/test/page.js",
  ])
    expect(kinds.standing(file, known), file).toMatchObject({ kind: "dropped", why: "it is a test" });
  expect(kinds.standing("tests/test_new.py", isNew)).toEqual({ kind: "test" });
});

test.each([
  ["shop/test_rates.py", "shop/rates_test.py", "shop/tests.py", "shop/latest.py"],
  ["lib/rates.test.ts", "lib/rates-spec.mjs", "lib/rates_test.js", "lib/contest.js"],
  ["rates/rates_test.go", "a_test.go", "rates/x_test.go", "rates/latest.go"],
  ["src/rates_test.cpp", "src/test_rates.cc", "src/rates-unittest.cxx", "src/contest.cpp"],
  ["shop/rates_test.java", "shop/test_rates.java", "shop/tests.java", "shop/Latest.java"],
  ["shop/RatesTest.java", "TestRates.java", "shop/RatesTestCase.java", "shop/Contest.java"],
  ["src/rates_test.rs", "src/tests.rs", "src/test-rates.rs", "src/latest.rs"],
])("%s, %s and %s hold tests by their names, %s does not", (...names) => {
  expect(names.map(isTestName)).toEqual([true, true, true, false]);
});

test.each(["jest", "vitest", "mocha", "tape", "pytest"])("a new module %s could be taken for the runner", (name) => {
  const kinds = kindsOf({ "lib/a.js": "", "lib/a.py": "" });
  expect(kinds.standing(`${name}/index.js`, isNew)).toEqual({
    kind: "dropped",
    why: "it could replace the test runner",
  });
});

test("a file for which the runner reported a test is a test, wherever it is", () => {
  const kinds = kindsOf({ "lib/a.js": "", "checks/all.js": "" }, ["checks/all.js"]);
  expect(kinds.isTest("checks/all.js")).toBe(true);
  expect(kinds.isTest("lib/a.js")).toBe(false);
});

test.each([
  "pytest.toml",
  ".pytest.toml",
  ".pytest.ini",
  "pytest.ini",
  "shop/conftest.py",
  "shop/Conftest.py",
  "setup.cfg",
  "tox.ini",
  "package.json",
  "lib/package.json",
  ".mocharc.cjs",
  "jest.config.js",
  "vitest.workspace.ts",
  "tsconfig.test.json",
  "Makefile",
  "config.toml",
  "sitecustomize.py",
  "pytest.py",
  "src/_pytest/runner.py",
  ".github/workflows/test.yml",
  "node_modules/mocha/index.js",
  "shop/__pycache__/rates.pyc",
  "shop/fast.so",
  "shop/notes.txt",
  "shop/new.rb",
])("%s is not for a patch to add", (file) => {
  const kinds = kindsOf({ "setup.py": "", "shop/__init__.py": "", "shop/rates.py": "", "lib/rates.js": "" });
  expect(kinds.standing(file, isNew).kind).toBe("dropped");
});

test.each([
  "shop/rates.py",
  "shop/new.py",
  "lib/new.js",
  "shop/page.html",
  "README.md",
  "shop/other.html",
  "src/test_support/a.py",
])("%s is source", (file) => {
  const files = { "shop/rates.py": "", "lib/rates.js": "", "shop/page.html": "", "README.md": "" };
  const kinds = kindsOf(files);
  expect(kinds.standing(file, { isNew: !(file in files), isGone: false })).toEqual({ kind: "source" });
});

test("the runner's own source is source", () => {
  const kinds = kindsOf({ "src/_pytest/runner.py": "" });
  expect(kinds.standing("src/_pytest/runner.py", known)).toEqual({ kind: "source" });
});

test.each([
  ["tests/test_a.py", "import shop\nimport hypothesis\n", "hypothesis/__init__.py"],
  ["test/a.test.js", 'const { expect } = require("chai");\n', "chai/index.js"],
  [
    "src/test/java/shop/RatesTest.java",
    "import static org.junit.jupiter.api.Assertions.assertEquals;\n",
    "src/main/java/org/junit/jupiter/api/Assertions.java",
  ],
  ["tests/a_test.cpp", "#include <gtest/gtest.h>\n", "src/gtest/gtest.h"],
  [
    "a_test.go",
    'import (\n\t"testing"\n\t"github.com/stretchr/testify/assert"\n)\n',
    "third/github.com/stretchr/testify/assert/assert.go",
  ],
])("what %s imports from elsewhere has no new file in its place", (test, text, file) => {
  const own = { "shop/__init__.py": "", "src/a.java": "", "src/a.cpp": "", "src/a.h": "", "a.go": "", "a.js": "" };
  const why = { kind: "dropped", why: expect.stringMatching(/could replace/) };
  expect(kindsOf({ ...own, [test]: text }, [test]).standing(file, isNew)).toEqual(why);
  // It is missing, and the patch may bring it: such tests cannot be loaded.
  expect(kindsOf({ ...own, [test]: text }, []).standing(file, isNew)).toEqual({ kind: "source" });
});

test("new files of a package that tests import are source", () => {
  const kinds = kindsOf({ "shop/__init__.py": "", "tests/test_a.py": "import shop, json\n" }, ["tests/test_a.py"]);
  for (const file of ["shop/new.py", "shop/json.py"]) expect(kinds.standing(file, isNew)).toEqual({ kind: "source" });
});

test("what decides how tests run is no source", () => {
  const kinds = kindsOf({ "package.json": "", "lib/setup.js": "", "lib/app.config.js": "" }).with(["lib/setup.js"]);
  const why = { kind: "dropped", why: "it changes how the tests run" };
  expect(kinds.standing("lib/setup.js", known)).toEqual(why);
  expect(kinds.standing("postcss.config.js", isNew)).toEqual(why);
  expect(kinds.standing("lib/app.config.js", known)).toEqual({ kind: "source" });
  for (const file of ["checks.mk", "cmake/tests.cmake"]) expect(kinds.standing(file, known).kind).toBe("dropped");
});
