// @module-tag deep

/** What `mend repair` finds for a function `mend fix` finds, too, with the same answer: one engine, one budget. */

import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseSpec } from "../agent/models/create.ts";
import { searchModel } from "../agent/models/search/chat.ts";
import { openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../utils/sandbox/sandbox.ts";
import type { Sandbox } from "../utils/sandbox/types.ts";
import { PYTEST_ENVIRONMENT } from "../utils/testing/pytest_plugins.ts";
import { fixRepository, repairOwnFile } from "./fix.ts";
import { renderOutcome } from "./outcome/render.ts";
import { makeProject } from "./own_file/testing/project.ts";
import { limitSearches } from "./testing/search.ts";

let sandbox: Sandbox;
let unlimited: () => void;
beforeAll(async () => {
  unlimited = limitSearches({ edits: 200 });
  sandbox = await openSandbox({ concurrency: 1 });
});
afterAll(async () => {
  unlimited();
  await sandbox.close();
});

const parts = () => ({
  openModel: async () => ({ ...searchModel(0), kind: parseSpec("search").kind }),
  openSandbox: async () => sandbox,
  openBox: () => openCommandBox(),
});
const limits = { maxIterations: 12, timeoutMs: 900_000, testSeconds: 60, searchSeconds: 600 };

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
const PRICES = `export function total(prices) {
  let sum = 1;
  for (const price of prices) sum += price;
  return sum;
}

export function cheapest(prices) {
  return Math.max(...prices);
}
`;
const PRICED = `import assert from "node:assert";
import test from "node:test";
import { cheapest, total } from "./prices.mjs";
test("total", () => {
  assert.equal(total([1, 2, 3]), 6);
  assert.equal(total([]), 0);
});
test("cheapest", () => {
  assert.equal(cheapest([3, 1, 2]), 1);
  assert.equal(cheapest([4, 5]), 4);
});
`;

describe.each([
  ["pytest", "pages.py", BOTH_BROKEN, "test_pages.py", BOTH_TESTED, "pytest", ["page_count", "batches"]],
  ["node:test", "prices.mjs", PRICES, "prices.test.mjs", PRICED, "node --test", ["total", "cheapest"]],
] as const)("two functions that are broken, a test of each, %s", (_, file, code, testFile, tests, command, names) => {
  const files = { [file]: code, [testFile]: tests };

  test.each(names)("of the function that is named a part is repaired, and called so: %s", async (name) => {
    using folder = makeProject({ files });
    const said: string[] = [];
    const told = { ...parts(), say: (line: string) => said.push(line) };
    const outcome = await repairOwnFile({ file: folder.at(file), name, write: true, ...limits }, told);
    expect(outcome.outcome).toBe("partly_fixed");
    const ended = (status: string) => outcome.after.filter((one) => one.status === status).map((one) => one.name);
    expect([ended("passed").length, ended("failed").length]).toEqual([1, 1]);
    expect(ended("passed")[0]).toContain(name);
    expect(outcome.before.failing.length).toBe(2);
    expect(said.join("\n")).toContain(`also fails, but does not run ${name}: ${ended("failed")[0]}`);
    expect(renderOutcome(outcome)).toContain("1 of 2 failing tests passes now; the others fail as before");
    const [one, other] = names.map((function_) => blockOf(readFileSync(folder.at(file), "utf8"), function_));
    const [was, otherWas] = names.map((function_) => blockOf(code, function_));
    expect([one === was, other === otherWas]).toEqual([name !== names[0], name === names[0]]);
  });

  test("where none is named both are repaired, by both commands", async () => {
    using folder = makeProject({ files });
    const repaired = await repairOwnFile({ file: folder.at(file), ...limits }, parts());
    const request = { path: folder.path, test: command, issue: "", samples: 1, environment: PYTEST_ENVIRONMENT };
    const fixed = await fixRepository({ ...request, ...limits }, parts());
    for (const { outcome, after } of [repaired, fixed])
      expect([outcome, after.map(({ status }) => status)]).toEqual(["suggestion", ["passed", "passed"]]);
  });
});

test("a bug out of reach leaves the others repaired, and its test is reported as failing", async () => {
  using folder = makeProject({
    files: {
      "pages.py": `${BOTH_BROKEN}\n\ndef motto():\n    return "slow"\n`,
      "test_pages.py": `${BOTH_TESTED}\n\ndef test_motto():\n    import pages\n    assert hash(pages.motto()) == 7\n`,
    },
  });
  const request = { path: folder.path, test: "pytest", issue: "", samples: 1, environment: PYTEST_ENVIRONMENT };
  const { outcome, after, doubts } = await fixRepository({ ...request, ...limits }, parts());
  expect([outcome, doubts]).toEqual(["partly_fixed", [expect.any(String)]]);
  expect(after.map(({ name, status }) => [name.split("::")[1], status])).toEqual([
    ["test_page_count", "passed"],
    ["test_batches", "passed"],
    ["test_motto", "failed"],
  ]);
});

/** The lines of a function, to the next empty line at the margin. */
function blockOf(text: string, name: string): string {
  const at = text.search(new RegExp(`^(?:def|export function) ${name}\\(`, "m"));
  return (
    text
      .slice(at)
      .split(/\n\n+(?=\S)/)[0]
      ?.trimEnd() ?? ""
  );
}
