// @module-tag ci

import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { messageOf } from "../utils/base/data/errors.ts";
import { openCommandBox } from "../utils/sandbox/command/command_box.ts";
import { hasPytest } from "../utils/testing/needs.ts";
import { ALSO_DEEP, DEEP } from "../utils/testing/repeats.ts";
import type { FixRequest } from "./fix.ts";
import { Verifier } from "./guard/verify.ts";
import { renderOutcome } from "./outcome/render.ts";
import { sourcePatch } from "./project/patch.ts";
import { isNamedIn } from "./project/targets.ts";
import { ByChance } from "./testing/by_chance.ts";
import { makeRepository } from "./testing/repositories.ts";
import { fixRequest, prepareForTests, scriptedFix } from "./testing/scripted.ts";

const box = await openCommandBox();

const FILES = {
  "lib/clock.cjs": `exports.minutes = function minutes(text) {
  const [hours, rest] = text.split(":");
  return hours * 60 + rest;
};
`,
  "lib/paths.cjs": `exports.extension = function extension(name) {
  return name.slice(name.indexOf("."));
};
`,
  "test/paths.test.cjs": `const { test } = require("node:test");
const assert = require("node:assert");
const { extension } = require("../lib/paths.cjs");
test("knows an extension", () => assert.equal(extension("a.txt"), ".txt"));
test("is built for this machine", () => require("../build/native.node"));
`,
};
const ISSUE = "extension('a.tar.gz') should be '.gz': it takes everything behind the first dot.";
const edit = (now: string, old = 'indexOf(".")') =>
  `Action: edit\nAction Input: ${JSON.stringify({ file: "lib/paths.cjs", old, new: now })}`;
const RIGHT = { turn: 1, reply: edit('lastIndexOf(".")') };
const NEW_TEST = `const { test } = require("node:test");
const assert = require("node:assert");
const { extension } = require("../lib/paths.cjs");
test("takes the last dot", () => assert.equal(extension("a.tar.gz"), ".gz"));
`;
const create = `Action: create\nAction Input: ${JSON.stringify({ file: "test/last.test.cjs", text: NEW_TEST })}`;
const DONE = { reply: "Final Answer: it takes the last dot" };
const BUILD = "is built for this machine";

const request = (path: string, more: Partial<FixRequest> = {}) =>
  fixRequest(path, { test: "node --test test/*.test.cjs", issue: ISSUE, environment: {}, maxIterations: 5, ...more });
const fix = (wanted: FixRequest, rules: object[]) => scriptedFix(wanted, rules);

describe("with an issue, a test that failed before", () => {
  test("need not pass, and is reported as failing before the change, too", DEEP, async () => {
    using repository = makeRepository(FILES);
    const { outcome, steps, said } = fix(request(repository.path), [RIGHT, DONE]);
    const found = await outcome;
    expect(steps.map(({ observation }) => observation.status)).toEqual(["ok", "it passes the tests"]);
    expect(found).toMatchObject({
      outcome: "suggestion",
      doubts: [expect.stringContaining("no test failed without the patch")],
    });
    expect(found.diff).toContain("lastIndexOf");
    expect(renderOutcome(found)).toContain(`${BUILD}: still fails\n`);
    expect(said.join("\n")).toMatch(new RegExp(`is not named in the issue: .*${BUILD}`));
    expect(found.suspects[0]).toMatchObject({
      file: "lib/paths.cjs",
      reasons: ["the issue names it", expect.stringMatching(/^words: /)],
    });
  });

  const beside = "is beside a new test of the model, which is evidence and stays with --keep-tests alone";
  test.each([{ keepTests: true }, { keepTests: false }])(`${beside}: %j`, DEEP, async ({ keepTests }) => {
    using repository = makeRepository(FILES);
    const rules = [{ turn: 1, reply: create }, { turn: 2, reply: RIGHT.reply }, DONE];
    const found = await fix(request(repository.path, { keepTests }), rules).outcome;
    expect(found).toMatchObject({ outcome: "fixed", reproduced: ["takes the last dot"] });
    expect(found.diff.includes("+++ b/test/last.test.cjs")).toBe(keepTests);
    expect(renderOutcome(found)).toContain(": all other tests pass");
  });

  test("is the target where the issue names it", ALSO_DEEP, async () => {
    const files = { ...FILES, "build/native.node": "// not built" };
    using repository = makeRepository(files);
    const issue = `${ISSUE} And the test "${BUILD}" fails.`;
    const { outcome, steps } = fix(request(repository.path, { issue, maxIterations: 2 }), [RIGHT, DONE]);
    const found = await outcome;
    expect(found.outcome).toBe("not_fixed");
    expect(steps.at(-1)?.observation.status).toBe("1 of 2 tests fail");
  });

  test("that runs what was changed is shown once to a model whose answer no test supports", DEEP, async () => {
    const files = {
      ...FILES,
      "test/paths.test.cjs": FILES["test/paths.test.cjs"].replace(
        'require("../build/native.node")',
        'assert.equal(extension("archive.tar.gz"), ".bz2")',
      ),
    };
    using repository = makeRepository(files);
    const { outcome, steps } = fix(request(repository.path), [RIGHT, DONE]);
    const found = await outcome;
    const answers = steps.flatMap(({ reply, observation }) => (reply.kind === "answer" ? observation : []));
    expect(answers.map(({ status }) => status)).toEqual([
      "nothing that passed fails, and no test shows that it helps",
      "it passes the tests",
    ]);
    expect(answers[0]?.output).toContain(`${BUILD} failed before your change, too`);
    expect(found.outcome).toBe("suggestion");
  });

  test("excuses no test that passed", ALSO_DEEP, async () => {
    using repository = makeRepository(FILES);
    const rules = [{ turn: 1, reply: edit('indexOf("/")') }, DONE];
    const { outcome, steps } = fix(request(repository.path, { maxIterations: 2 }), rules);
    expect(await outcome).toMatchObject({ outcome: "not_fixed", diff: "" });
    expect(steps.at(-1)?.observation).toMatchObject({
      status: "1 test that passed before fails",
      output: expect.stringMatching(/^knows an extension \(passed before\)/),
    });
  });
});

describe.skipIf(!(await hasPytest()))("a file of tests that cannot be loaded", () => {
  const files = {
    "shop/__init__.py": "",
    "shop/sizes.py": "def larger(a, b):\n    return a if a > b else a\n",
    "tests/test_sizes.py": "from shop.sizes import larger\n\n\ndef test_first():\n    assert larger(3, 2) == 3\n",
    "tests/test_plot.py": "import no_such_plotter\n\n\ndef test_plot():\n    assert no_such_plotter\n",
  };
  const right = {
    turn: 1,
    reply: `Action: edit\nAction Input: ${JSON.stringify({ file: "shop/sizes.py", old: "else a", new: "else b" })}`,
  };
  const wanted = (path: string, more: Partial<FixRequest> = {}) =>
    fixRequest(path, { test: "pytest tests", issue: "larger(1, 2) should be 2.", maxIterations: 2, ...more });

  test("keeps no other test from being run, and no right patch from being accepted", DEEP, async () => {
    using repository = makeRepository(files);
    const { outcome, said } = fix(wanted(repository.path), [right, { reply: "Final Answer: b is larger" }]);
    const found = await outcome;
    expect(found).toMatchObject({ outcome: "suggestion", before: { passing: ["tests/test_sizes.py::test_first"] } });
    expect(found.diff).toContain("else b");
    expect(said.join("\n")).toMatch(/some tests cannot be loaded: .*no_such_plotter/);
  });
});

describe("what was changed is kept", () => {
  const failing = {
    ...FILES,
    "test/paths.test.cjs": NEW_TEST.replace("takes", "knows"),
  };
  const byTests = (path: string, more: Partial<FixRequest> = {}) => request(path, { issue: "", ...more });

  test("where turns end before the model answers with what passes", DEEP, async () => {
    using repository = makeRepository(failing);
    const found = await fix(byTests(repository.path, { maxIterations: 1 }), [RIGHT]).outcome;
    expect(found).toMatchObject({ outcome: "fixed", attempts: [{ stop: "max_iterations", validated: true }] });
    expect(found.diff).toContain("lastIndexOf");
  });

  test("where it passes no test, as what is unfinished", ALSO_DEEP, async () => {
    using repository = makeRepository(failing);
    const rules = [{ turn: 1, reply: edit("indexOf('..')") }];
    const found = await fix(byTests(repository.path, { maxIterations: 1 }), rules).outcome;
    expect(found).toMatchObject({
      outcome: "not_fixed",
      diff: "",
      unfinished: expect.stringContaining("indexOf('..')"),
    });
  });

  test("where the model fails: the message says in which file", ALSO_DEEP, async () => {
    using repository = makeRepository(failing);
    const rules = [
      { turn: 1, reply: edit("indexOf('..')") },
      { turn: 2, error: { kind: "auth", fatal: true } },
    ];
    const said = await fix(byTests(repository.path), rules).outcome.then(String, messageOf);
    const [, file = ""] = /The patch is kept in (\S+): /.exec(said) ?? [];
    expect(readFileSync(file, "utf8"), said).toContain("indexOf('..')");
    rmSync(dirname(file), { recursive: true });
  });
});

describe("a test that fails by chance", () => {
  const checked = async (ends: ConstructorParameters<typeof ByChance>[1]) => {
    using repository = makeRepository(FILES);
    using prepared = await prepareForTests(repository.path, "node --test test/*.test.cjs", { issue: ISSUE });
    const { base, baseline, suite } = prepared;
    using chance = new ByChance(
      { box, project: suite.project, plan: suite.plan, installed: new Map(), environment: {}, seconds: 60 },
      ends,
    );
    const file = "lib/paths.cjs";
    const before = FILES[file];
    const source = [{ file, before, after: before.replace("indexOf", "lastIndexOf") }];
    const verifier = new Verifier({ suite: chance, base, baseline });
    return await verifier.check(sourcePatch(source));
  };

  test("and passed before does not refuse a patch", DEEP, async () => {
    expect(await checked({ "knows an extension": ["failed", "passed"] })).toMatchObject({ accepted: true });
  });

  test("again and again is broken by the patch, unless it fails without it, too", DEEP, async () => {
    const fails = (times: number) => Array<"failed">(times).fill("failed");
    expect(await checked({ "knows an extension": [...fails(3), "passed"] })).toMatchObject({
      accepted: false,
      status: "1 test that passed before fails",
    });
    expect(await checked({ "knows an extension": [...fails(4), "passed"] })).toMatchObject({ accepted: true });
  });

  test("is not shown as failed → passed", DEEP, async () => {
    const { accepted, after } = await checked({ [BUILD]: ["passed", "passed"] });
    expect({ accepted, after }).toEqual({ accepted: true, after: [{ name: BUILD, status: "flaky" }] });
    const sure = await checked({ [BUILD]: ["passed", "failed", "passed"] });
    expect(sure.after).toEqual([{ name: BUILD, status: "passed" }]);
  });
});

test.each([
  ["tests/test_text.py::test_initials", "test_initials fails since May", true],
  ["tests/test_text.py::test_initials[a-b]", "see tests/test_text.py", false],
  ["tests/test_text.py::test_initials", "pytest tests/test_text.py::test_initials", true],
  ["tests/test_text.py::test_initials", "test_initials_long fails", false],
  ["tests.test_rates.Rates.test_total", "`test_total` is red", true],
  ["tests/test_text.py::test", "the test of text fails", false],
  ["rates > takes percents off", "takes percents off: fails", true],
  ["works", "nothing works", false],
])("%s in “%s”: %s", (name, issue, isNamed) => {
  expect(isNamedIn(issue, name)).toBe(isNamed);
});
