/** The search on files whose tests the engine cannot run with the file alone. */
// @module-tag ci

import { readFileSync } from "node:fs";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openCommandBox } from "../../utils/sandbox/command/command_box.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { repairOwnFile } from "../fix.ts";
import { renderOutcome } from "../outcome/render.ts";
import { LIMITS, limitSearches, PASSES, searchParts } from "../testing/search.ts";
import { makeProject } from "./testing/project.ts";

const box = await openCommandBox();
afterAll(limitSearches());

const LIVE = "no edit of the file alone passes; now trying edits inside your test run";

/** Repairs the first file by the tests in the last one. */
async function search(
  files: Record<string, string>,
  name: string,
  tests = Object.keys(files).at(-1) ?? "",
  onLive = () => {},
  signal?: AbortSignal,
) {
  const [target = ""] = Object.keys(files);
  using folder = makeProject({ files });
  const said: string[] = [];
  const outcome = await repairOwnFile(
    { ...LIMITS, file: folder.at(target), name, tests: folder.at(tests), write: true },
    {
      ...searchParts({ box, steps: 300 }),
      say: (line) => {
        said.push(line);
        if (line === LIVE) onLive();
      },
      ...(signal ? { signal } : {}),
    },
  );
  return { outcome, said, after: readFileSync(folder.at(target), "utf8") };
}

const MONEY = `from rates import rate


def convert(amount, source, target):
    """Converts an amount.

    >>> convert(11, "usd", "eur")
    10.0
    >>> convert(10, "eur", "usd")
    11.0
    """
    return round(amount * rate(target) * rate(source), 2)
`;
const RATES = 'RATES = {"eur": 1.0, "usd": 1.1}\n\n\ndef rate(code):\n    return RATES[code]\n';
const IN_PYTHON = { "money.py": MONEY, "rates.py": RATES };
const RIGHT_MONEY = MONEY.replace("* rate(source)", "/ rate(source)");

const TESTS: [string, Record<string, string>][] = [
  [
    "plain asserts",
    {
      "checks.py":
        'from money import convert\n\nback = convert(11, "usd", "eur")\nassert back == 10\nassert convert(10, "eur", "usd") == 11\n',
    },
  ],
  [
    "pytest, with a fixture",
    {
      "test_money.py": `import pytest
from money import convert


@pytest.fixture
def dollars():
    return 11


def test_back(dollars):
    assert convert(dollars, "usd", "eur") == 10


def test_there():
    assert convert(10, "eur", "usd") == 11
`,
    },
  ],
  [
    "unittest",
    {
      "test_money.py": `import unittest
from money import convert


class MoneyTest(unittest.TestCase):
    def setUp(self):
        self.dollars = 11

    def test_back(self):
        self.assertEqual(convert(self.dollars, "usd", "eur"), 10)
        self.assertEqual(convert(10, "eur", "usd"), self.dollars)
`,
    },
  ],
  ["a doctest", {}],
];

const repairsMoney = async (title: string, tests: Record<string, string>) => {
  const files = { ...IN_PYTHON, ...tests };
  const { outcome, said, after } = await search(files, "convert", title === "a doctest" ? "money.py" : undefined);
  expect(said).toContain(LIVE);
  expect(outcome).toMatchObject({ outcome: "fixed", alternatives: [], doubts: [] });
  expect(after).toBe(RIGHT_MONEY);
};
const IMPORTS = "a file that imports its neighbour is repaired: %s";
test.each(TESTS.slice(0, 1))(IMPORTS, repairsMoney);
test.each(TESTS.slice(1))(IMPORTS, DEEP, repairsMoney);

test("what only takes code away is a suggestion, as in a repository, and is called one", DEEP, async () => {
  const file = MONEY.replace("* rate(target) * rate(source)", "* rate(target) / rate(source)").replace(
    "    return",
    "    amount.reverse()\n    return",
  );
  const { outcome } = await search({ ...IN_PYTHON, "money.py": file }, "convert", "money.py");
  expect(outcome).toMatchObject({ outcome: "suggestion", doubts: [expect.any(String)] });
  expect(renderOutcome(outcome)).toMatch(/^suggestion by search: .*^written to /ms);
});

test("stopped while the tests are looked at, it is interrupted and nothing is written", DEEP, async () => {
  const stop = new AbortController();
  const onLive = () => stop.abort(new Error("interrupted"));
  const { outcome, after } = await search(IN_PYTHON, "convert", "money.py", onLive, stop.signal);
  expect(outcome).toMatchObject({ outcome: "interrupted", written: null });
  expect(after).toBe(MONEY);
});

test("examples of a docstring guide the engine itself", DEEP, async () => {
  const file = MONEY.replace("from rates import rate", RATES.trimEnd());
  const { outcome, said, after } = await search({ "money.py": file }, "convert");
  expect(outcome.outcome).toBe("fixed");
  expect(said).not.toContain(LIVE);
  expect(after).toContain("* rate(target) / rate(source)");
});

const SHELF = `from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Shelf:
    size: int
    books: list[str] = field(default_factory=list)

    def put(self, book: str) -> None:
        if len(self.books) > self.size:
            raise OverflowError(book)
        self.books.append(book)
`;
const FULL = `    shelf.put("a")
    shelf.put("b")
    with pytest.raises(OverflowError):
        shelf.put("c")
    assert shelf.books == ["a", "b"]
`;

test("edits that pass only live are a suggestion with the others beside it; one method is searched", DEEP, async () => {
  const tests = `import pytest
from shelf import Shelf


@pytest.fixture
def shelf():
    return Shelf(2)


def test_full(shelf):
${FULL}`;
  const { outcome } = await search({ "shelf.py": SHELF, "test_shelf.py": tests }, "Shelf.put");
  expect(outcome).toMatchObject({ outcome: "suggestion", model: "search" });
  expect(outcome.alternatives.length).toBeGreaterThan(0);
  expect(outcome.alternatives.every(({ input }) => input === "")).toBe(true);
  expect([outcome.diff, ...outcome.alternatives.map(({ diff }) => diff)].join("\n")).toContain(">= self.size");
});

test("a dataclass whose annotations are text is searched with its file alone", DEEP, async () => {
  const tests = `import pytest
from shelf import Shelf


def test_full():
    shelf = Shelf(2)
${FULL}`;
  const { outcome, said } = await search({ "shelf.py": SHELF, "test_shelf.py": tests }, "Shelf");
  expect(said).not.toContain(LIVE);
  expect(outcome.outcome).toMatch(PASSES);
});

test(
  "two mistakes, each with a test of its own, are put together; of two a repair of one is the best candidate",
  DEEP,
  async () => {
    const usual = limitSearches({ edits: 400 });
    onTestFinished(usual);
    const file = SHELF.replace("append(book)", "insert(0, book)");
    const tests = `import pytest
from shelf import Shelf


@pytest.fixture
def shelf():
    return Shelf(2)


def test_order(shelf):
    shelf.put("a")
    shelf.put("b")
    assert shelf.books == ["a", "b"]


def test_full(shelf):
    shelf.books = ["a", "b"]
    with pytest.raises(OverflowError):
        shelf.put("c")
`;
    const { outcome, after } = await search({ "shelf.py": file, "test_shelf.py": tests }, "Shelf.put");
    expect(outcome).toMatchObject({ outcome: "suggestion" });
    expect(outcome.doubts).toEqual([expect.stringContaining("the patch combines edits")]);
    expect(after.split("\n").filter((line) => !file.includes(line)).length).toBe(2);
    const hard = tests.replace('["a", "b"]\n\n\ndef', '["a", "b", "no edit gives this"]\n\n\ndef');
    const { outcome: some, after: kept } = await search({ "shelf.py": file, "test_shelf.py": hard }, "Shelf.put");
    expect(some).toMatchObject({ outcome: "not_fixed", best: { passing: 1, of: 2 } });
    expect(kept).toBe(file);
  },
);
