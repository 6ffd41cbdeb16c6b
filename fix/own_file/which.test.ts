import { expect, test } from "vitest";
import type { TestResult } from "../../utils/frameworks/framework.ts";
import { withoutTests } from "./which.ts";

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
  expect(() => withoutTests(tests, { path: "cart.py", text: CART }, all)).toThrow(/cart\.py holds nothing but tests/);
});
