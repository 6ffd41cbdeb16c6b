import { expect, test } from "vitest";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { findProject } from "../../utils/project/project.ts";
import { functionsOf } from "../project/functions.ts";
import { findEntries } from "./check_input.ts";
import { likeliestEntries, withoutTests } from "./likely_entries.ts";
import { makeProject } from "./testing/project.ts";

const CART = `def total(prices):
    return sum(prices)


def test_total():
    assert total([1]) == 2


class TestTotal:
    def test_none(self):
        assert total([]) == 0


def test_rate(rate):
    return rate
`;
const entries = ["total", "test_total", "TestTotal", "test_rate"].map((name) => ({ name, definition: name }));
const failed = (name: string): TestResult => ({ name, status: "failed", message: "" });
const baseline = (failing: string[], passing: string[] = []) => ({
  failing: failing.map(failed),
  passing: passing.map((name) => ({ ...failed(name), status: "passed" as const })),
  aside: [],
});
const left = (failing: string[], passing?: string[], text = CART) =>
  withoutTests(entries, { path: "shop/cart.py", text }, baseline(failing, passing)).map(({ name }) => name);

test("tests that stand beside what they test are not looked at, whatever else is called so", () => {
  expect(left(["shop/cart.py::test_total"], ["shop/cart.py::TestTotal::test_none"])).toEqual(["total", "test_rate"]);
  expect(left(["cart.py::test_total[1]"])).toEqual(["total", "TestTotal", "test_rate"]);
});

test("names of another file's tests leave nothing out", () => {
  expect(left(["shop/test_cart.py::test_total"])).toHaveLength(4);
});

test("a file with nothing but tests is refused", () => {
  const [, ...tests] = entries;
  const all = baseline(["cart.py::test_total", "cart.py::TestTotal::test_none", "cart.py::test_rate"]);
  expect(() => withoutTests(tests, { path: "cart.py", text: CART }, all)).toThrow(/cart\.py contains only tests/);
});

/** A file's functions as they are looked at where a failing test runs those that are named, likeliest first. */
async function looked(file: string, text: string, ran: readonly string[]) {
  using folder = makeProject({ files: { [file]: text } });
  const { entries } = await findEntries(file, text, undefined, findProject([folder.at(file)]));
  const functions = functionsOf(file, text);
  const suspects = ran.map((name) => {
    const found = functions.find((one) => one.name === name);
    if (!found) throw new Error(`${name} is none of ${functions.map((one) => one.name)}`);
    return { ...found, file, score: 1, reasons: ["runs"], isCertain: true };
  });
  const seen = {
    suspects,
    baseline: { failing: [], passing: [], aside: [] },
    evidence: { failing: ["f"], passing: [] },
  };
  return likeliestEntries(entries, seen).map(({ entry: { name, line } }) => `${line} ${name}`);
}

test("in compiled languages methods are looked at, each of those of one name by itself", async () => {
  const go =
    "package p\n\ntype A[T any] struct{}\n\nfunc New() int { return 1 }\nfunc (a *A[T]) Len() int { return 1 }\n";
  expect(await looked("a.go", `${go}func (b B) Len() int { return 2 }\n`, ["A.Len", "New"])).toEqual([
    "6 A.Len",
    "5 New",
  ]);
  const rust = "fn of() {}\nmod m {\n  impl A {\n    fn len(&self) {}\n  }\n  impl B {\n    fn len(&self) {}\n  }\n}\n";
  expect(await looked("a.rs", rust, ["m::A::len"])).toEqual(["4 m::A::len"]);
  const cpp =
    "struct A {\n  int len() { return 1; }\n};\nint B::len(int x) { return 2; }\nint B::len() { return 3; }\n";
  expect(await looked("a.cpp", cpp, ["B::len", "A::len"])).toEqual(["4 B::len", "2 A::len"]);
  const java =
    "class A {\n  A() {}\n  static class B {\n    int len() { return 1; }\n  }\n  int len() { return 2; }\n}\n";
  expect(await looked("A.java", java, ["A.B.len", "A.A"])).toEqual(["4 A.B.len", "2 A.A"]);
});
