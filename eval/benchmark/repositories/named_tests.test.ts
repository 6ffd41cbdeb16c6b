import { expect, test } from "vitest";
import type { TestResult } from "../../../utils/frameworks/framework.ts";
import { meantAmong, NamedTests } from "./named_tests.ts";

const of = (name: string, more: Partial<TestResult> = {}): TestResult => ({
  ...{ name, status: "passed", message: "" },
  ...more,
});
const TAPE = { file: "test/a.js" };
/** As the frameworks here report their tests. */
const TESTS = {
  works: of("test/a.js > works", TAPE),
  "works (2)": of("test/a.js > works (2)", { ...TAPE, title: "works" }),
  inner: of("test/a.js > outer > inner", { ...TAPE, title: "inner", within: ["should be equal", "a comment"] }),
  other: of("test/b.js > other > inner", { file: "test/b.js", title: "inner" }),
  mocha: of("rates of half  are halves", { file: "test/rates.js", title: "of half  are halves" }),
  jest: of("when x is -1 then y", { file: "tests/x.test.js", title: "then y" }),
  "node:test": of("deep > er > most", { file: "test/deep.test.js" }),
  method: of("tests/test_rates.py::Rates::test_half"),
  "a b": of("tests/test_rates.py::test_words[a b-1]"),
  "a c": of("tests/test_rates.py::test_words[a c-2]"),
  address: of("tests/test_rates.py::test_of[<object at 0x7f3a5c0001b0>]"),
  accent: of("tests/test_rates.py::test_accent[é]"),
  java: of("org.rates.HalfTest.halves", { title: "halves" }),
  go: of("example.com/rates.TestHalf/of_four", { title: "TestHalf/of_four" }),
  rust: of("rates::tests::half"),
  dash: of("test/a.js > --- option value", TAPE),
};
type Key = keyof typeof TESTS;

const INDEX = new NamedTests(Object.values(TESTS));
const meant = (name: string): string[] =>
  (INDEX.meant(name)[0] ?? []).map((found) => Object.keys(TESTS).find((key) => TESTS[key as Key] === found) ?? "");

test.each<[how: string, name: string, ...Key[]]>([
  ["as the run names it", "test/a.js > works", "works"],
  ["with a title alone", "works", "works"],
  ["with the file and the title", "test/b.js > inner", "other"],
  ["with a title that two suites have", "inner", "inner", "other"],
  ["with > between suites", "outer > inner", "inner"],
  ["with another sign between suites", "outer › inner", "inner"],
  ["with :: between suites", "outer::inner", "inner"],
  ["with | between suites", "other | inner", "other"],
  ["with spaces between suites", "other inner", "other"],
  ["with the file in front and spaces", "test/a.js outer inner", "inner"],
  ["with the file's last name", "a.js: outer inner", "inner"],
  ["with the file without its ending", "test/a > outer > inner", "inner"],
  ["with a path of another machine", "/testbed/test/a.js > outer > inner", "inner"],
  ["with a path that begins with a dot", "./test/a.js > outer > inner", "inner"],
  ["with the file in brackets", "[tests/x.test.js] when x is -1 > then y", "jest"],
  ["as a line of TAP", "ok 3 - outer > inner", "inner"],
  ["as a line of TAP that fails, with its time", "not ok 12 inner # time=3.5ms", "inner", "other"],
  ["as a spec reporter prints it", "✓ then y (12 ms)", "jest"],
  ["as mocha counts failures", "2) of half are halves", "mocha"],
  ["with spaces collapsed", "rates of half are halves", "mocha"],
  ["with suites joined by a dash", "rates - of half  are halves", "mocha"],
  ["by what it asserts", "should be equal", "inner"],
  ["by a comment of it", "test/a.js > a comment", "inner"],
  ["by its suite", "test/a.js > outer", "inner"],
  ["by its file", "tests/x.test.js", "jest"],
  ["by the innermost suite and the title", "er > most", "node:test"],
  ["as unittest and Django print it", "test_half (tests.test_rates.Rates)", "method"],
  ["as newer Pythons print it", "test_half (tests.test_rates.Rates.test_half)", "method"],
  ["as JUnit's XML has it", "tests.test_rates.Rates.test_half", "method"],
  ["by class and method", "Rates.test_half", "method"],
  ["cut at a space", "tests/test_rates.py::test_words[a", "a b", "a c"],
  ["without its parameters", "tests/test_rates.py::test_words", "a b", "a c"],
  ["with another address", "tests/test_rates.py::test_of[<object at 0x55d0c8e0a2f0>]", "address"],
  ["with an escaped letter", "tests/test_rates.py::test_accent[\\xe9]", "accent"],
  ["by its class in Java", "org.rates.HalfTest", "java"],
  ["with a method sign", "org.rates.HalfTest#halves", "java"],
  ["without its package in Go", "TestHalf/of_four", "go"],
  ["by the end of its path in Rust", "tests::half", "rust"],
  ["where it has hardly a letter", "test/a.js > --- option value", "dash"],
])("a test is found %s", (_, name, ...keys) => {
  expect(meant(name).toSorted()).toEqual(keys.toSorted());
});

test("a name means no test that only resembles it", () => {
  for (const name of ["work", "it works", "test/c.js > works", "half are", "a"])
    expect([name, meant(name)]).toEqual([name, []]);
});

test("of some tests those are taken that names mean, and all where no name means any", () => {
  const { works, inner, other } = TESTS;
  expect(meantAmong(["outer > inner"], [works, inner])).toEqual([inner]);
  expect(meantAmong(["gone"], [works, other])).toEqual([works, other]);
});
