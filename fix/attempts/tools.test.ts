// @module-tag ci

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workspace } from "../../agent/tools/workspace.ts";
import { makeTemporaryFolder } from "../../utils/base/files/temporary.ts";
import { linkTree } from "../../utils/base/files/trees/copy_tree.ts";
import { hasPytest } from "../../utils/testing/needs.ts";
import { makeRepository, PYTHON_FILES } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";
import type { Preparation } from "./prepare.ts";
import { runTestsTool } from "./tools.ts";

const testPytest = test.skipIf(!(await hasPytest()));
const repository = makeRepository(PYTHON_FILES);
let prepared: Preparation;
beforeAll(async () => {
  const command = "python3 -m pytest tests/test_rates.py tests/test_stock.py";
  prepared = await prepareForTests(repository.path, command);
});
afterAll(() => {
  prepared?.[Symbol.dispose]();
  repository[Symbol.dispose]();
});

const NEW = `from shop.money import shown


def test_other_sign():
    assert shown(2, "USD") == "2.00 USD"


def test_no_sign():
    assert shown(2, "") == "2.00"
`;

/** Runs tests on the tree with some files written anew. */
async function runWith(files: Record<string, string>, input: { tests?: string | string[] }) {
  using work = makeTemporaryFolder("work");
  linkTree(prepared.base, work.path);
  const workspace = Workspace.ofAnyFiles(work.path);
  for (const [file, text] of Object.entries(files)) {
    const place = workspace.locateToEdit(file);
    if ("problem" in place) throw new Error(place.problem);
    workspace.write(place, text);
  }
  return await runTestsTool({ workspace, ...prepared }).run(input);
}
const change = (file: string, from: string, to: string) => ({
  [file]: (PYTHON_FILES[file] ?? "").replace(from, to),
});
const money = (from: string, to: string) => change("shop/money.py", from, to);

describe("the tool run_tests", () => {
  testPytest("says what a slow suite costs before it runs", () => {
    const workspace = Workspace.ofAnyFiles(prepared.base);
    const { baseline } = prepared;
    const takes = (clockSeconds: number) =>
      runTestsTool({ ...prepared, workspace, baseline: { ...baseline, run: { ...baseline.run, clockSeconds } } });
    expect([takes(54).description, takes(2).description]).toEqual([
      "Runs all or named tests. All take 54 s.",
      "Runs all or named tests.",
    ]);
  });

  testPytest.each([
    ["no names", {}, ["test_no_sign", "test_discounted[100-20-80]", "test_discounted[50-10-45]"], "3 of 7 tests fail"],
    ["a name in the new file", { tests: ["test_no_sign"] }, ["test_no_sign"], "1 of 2 tests fail"],
    ["the new file", { tests: "tests/test_new.py" }, ["test_no_sign"], "1 of 2 tests fail"],
    ["both files", { tests: ["tests/test_new.py", "test_count"] }, ["test_no_sign"], "1 of 3 tests fail"],
  ])(
    "a file that was just created is run with %s, though the command does not name it",
    async (_, input, failing, status) => {
      const said = await runWith({ "tests/test_new.py": NEW }, input);
      const names = [...said.output.matchAll(/^tests\/\w+\.py::(\S+)/gm)].map(([, name]) => name);
      expect([said.status, names.sort()]).toEqual([status, failing.sort()]);
    },
  );

  testPytest("tests that fail only now run again, and pass if they pass then", async () => {
    const late = "_calls = []\n\n\ndef rounded(amount):\n    _calls.append(amount)\n    assert len(_calls) < 4";
    const { status, output } = await runWith(money("def rounded(amount):", late), {});
    expect(status).toMatch(/^2 of 5 tests fail/);
    expect(output).toMatch(
      /^passed when run again, after a failure: \S+::test_total_without_discount, \S+::test_shown$/m,
    );
  });

  testPytest("of tests that fail only now, one that fails again stays a failure", async () => {
    const both =
      "_calls = []\n\n\ndef rounded(amount):\n    _calls.append(amount)\n    assert len(_calls) < 4 and type(amount) is not int";
    const { status, output } = await runWith(money("def rounded(amount):", both), {});
    expect(status).toMatch(/^3 of 5 tests fail/);
    expect(output).toMatch(/^passed when run again, after a failure: \S+::test_total_without_discount$/m);
    expect(output).toMatch(/::test_shown \(passed before your change\)$/m);
  });

  testPytest("a failing test is marked with what it was before the change", async () => {
    const { output } = await runWith(money("round(amount, 2)", "amount + 1"), { tests: ["test_shown", "100-20"] });
    expect(output).toMatch(/::test_shown \(passed before your change\)\n/);
    expect(output).toMatch(/::test_discounted\[100-20-80\] \(failed before your change, too\)\n/);
  });

  const ofTotal =
    "from shop.rates import total\n\n\ndef test_total_with_discount():\n    assert total([100], 20) == 80\n";
  const fixed = change("shop/rates.py", "percent / 10", "percent / 100");

  testPytest(
    "a part of a name finds new tests beside known ones, and tells what they do without the change",
    async () => {
      const { status, output } = await runWith({ ...fixed, "tests/test_new.py": ofTotal }, { tests: ["test_total"] });
      expect(status).toBe("2 tests pass");
      expect(output).toBe("your new tests (tests/test_new.py): 1 passes, 0 fail; without your change 1 fails");
    },
  );

  testPytest("of an existing test that was updated it says that the base's version ran", async () => {
    const updated = change("tests/test_stock.py", '"1.00 EUR"', '"1.00 €"');
    const files = { ...money('sign="EUR"', 'sign="€"'), ...updated };
    const { output } = await runWith(files, { tests: ["test_shown"] });
    expect(output).toBe("tests/test_stock.py ran without your update; with it 1 of 1 failing test passes");
  });
});
