import { expect, test } from "vitest";
import { testFilesOf } from "./test_files.ts";

const TESTS = [
  "tests/test_domain_std.py",
  "tests/test_ext_autodoc.py",
  "tests/test_ext_autodoc_configs.py",
  "src/cart.test.ts",
  "web/CartTest.java",
];

test.each([
  ["lib/domains/std.py", ["tests/test_domain_std.py"]],
  ["lib/ext/autodoc/__init__.py", ["tests/test_ext_autodoc.py"]],
  ["src/cart.ts", ["src/cart.test.ts", "web/CartTest.java"]],
  ["lib/domains/other.py", []],
  ["index.js", []],
])("%s is tested in %j", (file, expected) => {
  expect(testFilesOf(file, TESTS)).toEqual(expected);
});
