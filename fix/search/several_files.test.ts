/** Functions of several files in the box: mistakes in two of them, and a call of one in another. */
// @module-tag deep

import { afterAll, expect, test } from "vitest";
import { limitSearches, searchRepository } from "../testing/search.ts";

afterAll(limitSearches({ edits: 200 }));

const CART = `from .money import cents


class Cart:
    def __init__(self, items):
        self.items = [(cents(price), count) for price, count in items]

    def total(self):
        return sum(price for price, count in self.items)
`;
const MONEY = `def cents(text):
    whole, _, part = text.partition(".")
    return int(whole) * 100 + int(part or 1)
`;
const CASES = `import pytest

from shop.cart import Cart
from shop.money import cents


def test_total():
    assert Cart([("1.50", 2), ("0.20", 10)]).total() == 500


@pytest.mark.parametrize("text, value", [("1", 100), ("7", 700), ("2.05", 205)])
def test_cents(text, value):
    assert cents(text) == value
`;
const PYTHON = { "shop/__init__.py": "", "shop/cart.py": CART, "shop/money.py": MONEY, "tests/test_shop.py": CASES };

test("two mistakes in two files are a suggestion; lines keep the ends that they have", async () => {
  const files = { ...PYTHON, "shop/cart.py": `\uFEFF${CART.replaceAll("\n", "\r\n")}` };
  const { outcome } = await searchRepository(files, { test: "pytest tests" });
  expect(outcome).toMatchObject({ outcome: "suggestion", alternatives: [] });
  expect(outcome.doubts).toEqual([expect.stringContaining("combines edits")]);
  const changed = outcome.diff.split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line));
  expect(changed).toHaveLength(4);
  expect(changed[1]).toMatch(/^\+.*(?:price \* count|count \* price).*\r$/);
  expect(changed[3]).toMatch(/^\+.*int\(part or 0\)$/);
});

test("beside a mistake out of reach the other is repaired, as a part; a file in another encoding is named", async () => {
  const latin = Buffer.from(`# -*- coding: latin-1 -*-\n# Gr\u00f6\u00dfe\n${MONEY}`, "latin1");
  const { outcome, observations } = await searchRepository(
    { ...PYTHON, "shop/money.py": latin },
    { test: "pytest tests" },
  );
  expect(outcome).toMatchObject({ outcome: "partly_fixed", before: { failing: { length: 3 } } });
  expect(outcome.after?.filter(({ status }) => status === "passed")).toHaveLength(1);
  expect(outcome.diff).toContain("count");
  expect(observations[0]).toContain("shop/money.py cents: its file is not UTF-8 text");
});

test("what calls gave while the tests ran is known: a call of the project's own is given what it lacks", async () => {
  const cart = CART.replace("[(cents(price), count) for price, count in items]", "items").replace(
    "sum(price for price, count in self.items)",
    "sum(cents(price) for price, count in self.items)",
  );
  const files = { ...PYTHON, "shop/cart.py": cart, "shop/money.py": MONEY.replace("or 1", "or 0") };
  const { outcome } = await searchRepository(files, { test: "pytest tests" });
  // A slow machine does not come to the end of the edits, and says so.
  expect(outcome.doubts.filter((doubt) => !doubt.startsWith("not all edits were tried"))).toEqual([]);
  expect(outcome.diff).toMatch(/^\+.*\(cents\(price\) \* count for price, count/m);
});
