/** Edits that pass the tests and were never seen to differ: any of them may be the repair. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { parseSpec } from "../../agent/models/table.ts";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import { CI, DEEP } from "../../utils/testing/repeats.ts";
import { repairOwnFile } from "../fix.ts";
import { helpFor } from "../outcome/help.ts";
import { LIMITS, searchParts } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

const box = await openCommandBox();

async function searched(file: string, code: string, tests: string, more: Record<string, string> = {}) {
  using folder = makeProject({ files: { ...more, [file]: code, [`test_${basename(file)}`]: tests } });
  const outcome = await repairOwnFile({ file: folder.at(file), ...LIMITS }, searchParts({ box }));
  if (outcome.diff !== "") execFileSync("git", ["apply"], { cwd: folder.at("."), input: outcome.diff, stdio: "pipe" });
  return { ...outcome, after: readFileSync(folder.at(file), "utf8") };
}

const STACK = `class Stack:
    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def pop(self):
        if len(self._items) == 1:
            raise IndexError("empty")
        return self._items.pop()
`;
const STACK_TEST = `from stack import Stack


def test_one():
    stack = Stack()
    stack.push(1)
    assert stack.pop() == 1
`;
const SCALED = "def scaled(number, factor=3):\n    return number * 3 - factor\n";

/** A class is asked for in another way than a function; the others are as a function is. */
test("a class: several edits pass, so that each is a suggestion", DEEP, () =>
  expectSuggestions("stack.py", STACK, STACK_TEST, "== 0:"),
);

const CART = `class Cart:
    def __init__(self):
        self.lines = []

    def add(self, name, price, count=1):
        self.lines.append((name, price, count))

    def most_expensive(self):
        return min(self.lines, key=lambda line: line[1])[0]
`;
const CART_TEST = `import pytest
from cart import Cart


@pytest.fixture
def cart():
    made = Cart()
    made.add("pen", 2, 3)
    made.add("book", 10)
    return made


def test_most(cart):
    assert cart.most_expensive() == "book"


def test_discount(cart):
    assert cart.discount == 0
`;

test.skipIf(!(await hasPytest()))(
  "a method without arguments is compared on objects near the tests' own, and its name asks for an edit",
  async () => {
    using folder = makeProject({ files: { "cart.py": CART, "test_cart.py": CART_TEST } });
    const { outcome, diff, alternatives, doubts } = await repairOwnFile(
      { file: folder.at("cart.py"), name: "Cart.most_expensive", ...LIMITS },
      searchParts({ box }),
    );
    expect([outcome, diff]).toEqual(["partly_fixed", expect.stringContaining("+        return max(self.lines")]);
    expect(alternatives.length).toBeGreaterThan(1);
    expect(doubts.join()).toContain("different edits pass the same tests");
  },
);

test.each([
  [
    "arguments by name alone",
    "scaled.py",
    SCALED,
    "from scaled import scaled\n\n\ndef test_one():\n    assert scaled(number=2, factor=4) == 8\n",
  ],
  [
    "a coroutine",
    "later.py",
    "async def tripled(numbers):\n    return [number * 2 for number in numbers]\n",
    "import asyncio\nfrom later import tripled\n\n\ndef test_one():\n    assert asyncio.run(tripled([1, 2, 3])) == [3, 6, 9]\n",
  ],
])("%s: several edits pass, so that each is a suggestion", DEEP, (_, file, code, tests) =>
  expectSuggestions(file, code, tests, ""),
);

async function expectSuggestions(file: string, code: string, tests: string, shown: string): Promise<void> {
  const outcome = await searched(file, code, tests);
  expect(outcome).toMatchObject({ outcome: "suggestion" });
  expect(outcome.alternatives.length).toBeGreaterThan(0);
  const diffs = [outcome.diff, ...outcome.alternatives.map(({ diff }) => diff)];
  expect(new Set(diffs).size).toBe(diffs.length);
  expect(diffs.join("\n")).toContain(shown);
}

test("edits that were seen to do the same on inputs near the tests are one repair", DEEP, async () => {
  const code = 'def grade(points: int):\n    return "pass" if points > 50 else "fail"\n';
  const tests = `from grade import grade


def test_all():
    assert [grade(points) for points in (50, 49, 51, 7, 80)] == ["pass", "fail", "pass", "fail", "pass"]
`;
  expect(await searched("grade.py", code, tests)).toMatchObject({ outcome: "fixed" });
});

const FEE_TEST = `import { deepEqual } from "node:assert";
import test from "node:test";
import { fee } from "./ship.mjs";

test("all", () => deepEqual([fee(1), fee(2), fee(3)], [5, 5, 9]));
`;

const FEES: [file: string, code: string, tests: string, more: Record<string, string>][] = [
  [
    "ship.py",
    "def fee(weight):\n    if weight < 2:\n        return 5\n    return 9\n",
    "from ship import fee\n\n\ndef test_all():\n    assert [fee(1), fee(2), fee(3)] == [5, 5, 9]\n",
    {},
  ],
  [
    "ship.mjs",
    "export const fee = (weight) => {\n  if (weight < 2) return 5;\n  return 9;\n};\n",
    "",
    { "ship.test.mjs": FEE_TEST },
  ],
];

test.each(FEES)(
  "%s: edits of a bound differ between whole numbers, and another sign comes first",
  DEEP,
  async (...of) => {
    const { outcome, after, alternatives } = await searched(...of);
    expect([outcome, after]).toEqual(["suggestion", expect.stringContaining("weight <= 2")]);
    expect(alternatives).toMatchObject([{ input: "(2.5)" }]);
  },
);

test("a function that failing checks do not come by is not said to be left out", DEEP, async () => {
  const code = `def total(lines):
    result = 0
    for price, quantity in lines:
        result += price + quantity
    return result


def dearest(lines):
    return max(lines, key=lambda line: line[0])
`;
  const tests =
    "from cart import dearest, total\n\nassert dearest([(1, 2), (3, 1)]) == (3, 1)\nassert total([(9.5, 3), (11, 1)]) == 39.5\n";
  expect(await searched("cart.py", code, tests)).toMatchObject({ remarks: [], after: expect.stringContaining("*") });
});

test("an edit of one function is compared with those of others that the failing tests run", CI, async () => {
  const code = "def net(price):\n    return price - 1\n\n\ndef gross(price):\n    return net(price) * 2\n";
  const tests = "from gross import gross\n\n\ndef test_all():\n    assert [gross(3), gross(5)] == [8, 12]\n";
  const { outcome, diff, alternatives } = await searched("gross.py", code, tests);
  expect(outcome).toBe("suggestion");
  expect([diff, ...alternatives.map((one) => one.diff)].join("\n")).toContain("+    return price + 1");
});

test("the diff can be applied in the project's root", DEEP, async () => {
  const code = "def half(number):\n    return number / 3\n";
  const tests = "from shop.half import half\n\n\ndef test_one():\n    assert [half(4), half(10)] == [2, 5]\n";
  const { after } = await searched("shop/half.py", code, tests, { "pyproject.toml": "" });
  expect(after).toContain("number / 2");
});

test("the advice names tests that need a network", DEEP, async () => {
  const code = "def asked(host):\n    return None\n";
  const tests =
    "import socket\nfrom asked import asked\n\n\ndef test_one():\n    assert asked(socket.gethostbyname('example.org'))\n";
  const outcome = await searched("asked.py", code, tests);
  const limits = { maxIterations: 2, timeoutMs: 1 };
  expect(outcome.outcome).toBe("not_fixed");
  expect(helpFor({ ...outcome, stop: "gave_up", time: undefined }, parseSpec("search").kind, limits)[0]).toMatch(
    /no network/,
  );
});
