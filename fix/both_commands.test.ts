// @module-tag deep

/** What `mend repair` finds for a function `mend fix` finds, too, with the same answer: one engine, one budget. */

import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { PYTEST_ENVIRONMENT } from "../utils/testing/pytest_plugins.ts";
import { fixRepository, repairOwnFile } from "./fix.ts";
import { renderOutcome } from "./outcome/render.ts";
import { makeProject } from "./own_file/testing/project.ts";
import { LIMITS, limitSearches, searchParts } from "./testing/search.ts";

afterAll(limitSearches({ edits: 200 }));
const limits = { ...LIMITS, searchSeconds: 600 };
const parts = searchParts();

const BATCHES = `def batches(items, size):
    """Lists of at most so many."""
    found = []
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            found.append(batch)
            batch = []
    return found
`;
const PAGES = `def page_count(items, size):
    """How many pages hold so many items."""
    if size <= 0:
        raise ValueError("size")
    return (items + 9) // size


${BATCHES}`;
const COUNTED = `import pytest
from pages import page_count


def test_full():
    assert page_count(20, 10) == 2


@pytest.mark.parametrize("items, size, pages", [(7, 3, 3), (8, 4, 2), (0, 4, 0), (9, 4, 3), (100, 7, 15)])
def test_other_size(items, size, pages):
    assert page_count(items, size) == pages
`;
const BATCHED = `from pages import batches


def test_even():
    assert batches([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]


def test_rest():
    assert batches([1, 2, 3], 2) == [[1, 2], [3]]


def test_none():
    assert batches([], 2) == []
`;
const SLUGS = `export function slug(text) {
  return text.toLowerCase().split(" ").join("_");
}
`;
const SLUGGED = `import assert from "node:assert";
import test from "node:test";
import { slug } from "./slug.mjs";
test("words", () => assert.equal(slug("A Red Fox"), "a-red-fox"));
test("one", () => assert.equal(slug("Fox"), "fox"));
`;

test.each([
  ["a page count", "pages.py", PAGES, "test_pages.py", COUNTED, "pytest"],
  ["a forgotten last batch", "pages.py", PAGES, "test_pages.py", BATCHED, "pytest"],
  ["a separator", "slug.mjs", SLUGS, "slug.test.mjs", SLUGGED, "node --test"],
])("%s: both commands find it, and say the same", async (_, file, code, testFile, tests, command) => {
  using folder = makeProject({ files: { [file]: code, [testFile]: tests } });
  const repaired = await repairOwnFile({ file: folder.at(file), ...limits }, parts);
  expect(repaired.outcome).toBe("fixed");
  const fixed = await fixRepository(
    { ...limits, path: folder.path, test: command, issue: "", samples: 1, environment: PYTEST_ENVIRONMENT },
    parts,
  );
  expect(fixed.outcome).toMatch(/^(fixed|suggestion)$/);
  expect(fixed.outcome).toBe(repaired.outcome);
  // The two may report the same change in another order.
  const changed = (diff: string) =>
    diff
      .split("\n")
      .filter((line) => /^[-+](?![-+])/.test(line))
      .sort();
  expect(changed(fixed.diff)).toEqual(changed(repaired.diff));
  expect(fixed.alternatives.map(({ diff }) => changed(diff))).toEqual(
    repaired.alternatives.map(({ diff }) => changed(diff)),
  );
});

const BOTH_BROKEN = `def page_count(items, size):
    """How many pages the items fill."""
    return len(items) // size


${BATCHES}`;
const BOTH_TESTED = `from pages import batches, page_count


def test_page_count():
    assert page_count([1, 2, 3], 2) == 2
    assert page_count([1, 2, 3, 4], 2) == 2
    assert page_count([], 3) == 0


def test_batches():
    assert batches([1, 2, 3], 2) == [[1, 2], [3]]
    assert batches([1, 2], 2) == [[1, 2]]
    assert batches([], 2) == []
`;

const BOTH = { "pages.py": BOTH_BROKEN, "test_pages.py": BOTH_TESTED };
const request = { test: "pytest", issue: "", samples: 1, environment: PYTEST_ENVIRONMENT, ...limits };

test("of the function that is named a part is repaired, and called so", async () => {
  using folder = makeProject({ files: BOTH });
  const said: string[] = [];
  const wanted = { file: folder.at("pages.py"), name: "batches", write: true, ...limits };
  const outcome = await repairOwnFile(wanted, { ...parts, say: (line: string) => said.push(line) });
  expect(outcome.outcome).toBe("partly_fixed");
  const ended = (status: string) => outcome.after.filter((one) => one.status === status).map((one) => one.name);
  expect([ended("passed"), ended("failed")]).toEqual([
    ["test_pages.py::test_batches"],
    ["test_pages.py::test_page_count"],
  ]);
  expect(outcome.before.failing.length).toBe(2);
  expect(said.join("\n")).toContain("also fails, but does not run batches: test_pages.py::test_page_count");
  expect(renderOutcome(outcome)).toContain(
    "no edit makes all tests pass; with this one 1 of 2 failing tests passes now; the others fail as before",
  );
  const text = readFileSync(folder.at("pages.py"), "utf8");
  expect([text === BOTH_BROKEN, text.startsWith(BOTH_BROKEN.slice(0, -BATCHES.length))]).toEqual([false, true]);
});

test("where none is named both are repaired, by both commands", async () => {
  using folder = makeProject({ files: BOTH });
  const repaired = await repairOwnFile({ file: folder.at("pages.py"), ...limits }, parts);
  const fixed = await fixRepository({ path: folder.path, ...request }, parts);
  for (const { outcome, after } of [repaired, fixed])
    expect([outcome, after.map(({ status }) => status)]).toEqual(["suggestion", ["passed", "passed"]]);
});

test("a bug out of reach leaves the others repaired, and its test is reported as failing", async () => {
  using folder = makeProject({
    files: {
      "pages.py": `${BOTH_BROKEN}\n\ndef motto():\n    return "slow"\n`,
      "test_pages.py": `${BOTH_TESTED}\n\ndef test_motto():\n    import pages\n    assert hash(pages.motto()) == 7\n`,
    },
  });
  const { outcome, after, doubts } = await fixRepository({ path: folder.path, ...request }, parts);
  expect([outcome, doubts]).toEqual(["partly_fixed", [expect.any(String)]]);
  expect(after.map(({ name, status }) => [name.split("::")[1], status])).toEqual([
    ["test_page_count", "passed"],
    ["test_batches", "passed"],
    ["test_motto", "failed"],
  ]);
});
