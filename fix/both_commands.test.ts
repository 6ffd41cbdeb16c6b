// @module-tag deep

/** What `mend repair` finds for a function `mend fix` finds, too, with the same answer: one engine, one budget. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { parseSpec } from "../agent/models/create.ts";
import { searchModel } from "../agent/models/search/chat.ts";
import { openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { PYTEST_ENVIRONMENT } from "../utils/testing/pytest_plugins.ts";
import { fixRepository, repairOwnFile } from "./fix.ts";
import { makeProject } from "./own_file/testing/project.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(() => sandbox.close());

const parts = () => ({
  openModel: async () => ({ ...searchModel(0), kind: parseSpec("search").kind }),
  openSandbox: async () => sandbox,
  openBox: () => openCommandBox(),
});
const limits = { maxIterations: 12, timeoutMs: 900_000, testSeconds: 60, searchSeconds: 60 };

const PAGES = `def page_count(items, size):
    """How many pages hold so many items."""
    if size <= 0:
        raise ValueError("size")
    return (items + 9) // size


def batches(items, size):
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
  const repaired = await repairOwnFile({ file: folder.at(file), ...limits }, parts());
  expect(repaired.outcome).toBe("fixed");
  const fixed = await fixRepository(
    {
      path: folder.path,
      test: command,
      issue: "",
      samples: 1,
      write: false,
      environment: PYTEST_ENVIRONMENT,
      ...limits,
    },
    parts(),
  );
  expect(fixed.outcome).toBe("fixed");
  // Either may tell of the same change in another order.
  const changed = (diff: string) =>
    diff
      .split("\n")
      .filter((line) => /^[-+](?![-+])/.test(line))
      .sort();
  expect(changed(fixed.diff)).toEqual(changed(repaired.diff));
  expect(fixed.is_suggestion).toBe(repaired.is_suggestion);
  expect(fixed.alternatives.map(({ diff }) => changed(diff))).toEqual(
    repaired.alternatives.map(({ diff }) => changed(diff)),
  );
});
