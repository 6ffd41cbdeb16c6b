/** Rows whose tests other harnesses named, for frameworks from the registry: the developer's patch resolves each. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../fix/testing/repositories.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { openSandbox } from "../../../utils/sandbox/sandbox.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { openRepositoryBenchmark } from "./benchmark.ts";

const SOURCE = "exports.part = (x) => x / 3;\nexports.twice = (x) => x + x;\n";
const FIX = SOURCE.replace("x / 3", "x / 2");
const LOADS = 'const { part, twice } = require("../rates");\n';

const TAPE = `const test = require("tape");
${LOADS}
test("works", (t) => { t.equal(twice(2), 4); t.end(); });
test("works", (t) => { t.equal(part(4), 2, "a half"); t.end(); });
test("outer", (t) => {
  t.comment("about parts");
  t.test("inner  part", (t) => { t.comment("in the middle"); t.equal(part(6), 3); t.end(); });
  t.test("other", (t) => { t.equal(twice(1), 2, "a double"); t.end(); });
  t.end();
});
`;
const TAP = `${TAPE.replace('"tape"', '"tap"')}test.ok(twice(3), "alone");\n`;
const DESCRIBED = `${LOADS}const equal = require("assert").strictEqual;
describe("rates", () => {
  it("works", () => equal(twice(2), 4));
  it("works", () => equal(part(4), 2));
  describe("of  parts", () => {
    it("is a half", () => equal(part(6), 3));
    it("is a double", () => equal(twice(1), 2));
  });
});
`;
const EACH = `${DESCRIBED}describe.each([[2, 1], [8, 4]])("part of %i", (of, is) => { test("is its half", () => equal(part(of), is)); });\n`;
const TDD = DESCRIBED.replaceAll("describe(", "suite(").replaceAll("it(", "test(");
const EXPORTS = `${LOADS}const equal = require("assert").strictEqual;
module.exports = { rates: {
  works: () => equal(twice(2), 4),
  "of  parts": { "is a half": () => equal(part(6), 3), "is a double": () => equal(twice(1), 2) },
} };
`;
const REPORTER = { "reports/terse.js": 'throw new Error("this reporter does not load");\n' };

interface Case {
  packages: string[];
  framework: string;
  text: string;
  files?: Record<string, string>;
  manifest?: object;
  /** Names as each harness may have them: those that fail, and those that pass. */
  names: [string[], string[]][];
}

const TAP_NAMES: Case["names"] = [
  // Titles in comments, the worst of each.
  [["test/rates.js > works", "test/rates.js > inner part"], ["test/rates.js > other"]],
  [
    ["test/rates.js > outer > inner part", "works (2)"],
    ["test/rates.js > outer > other", "works"],
  ],
  // SWE-bench's reader of TAP: each assertion.
  [["a half"], ["a double"]],
  [["outer | inner part"], ["other"]],
  [["test/rates.js"], []],
];
const DESCRIBED_NAMES: Case["names"] = [
  [["rates works", "rates of parts is a half"], ["rates of parts is a double"]],
  [["rates > of parts > is a half"], ["rates > works", "rates > of parts > is a double"]],
  [["✓ is a half (3 ms)"], ["✓ is a double"]],
  [["test/rates.js | rates | of parts | is a half"], ["works"]],
  [["test/rates.js"], []],
];
const CASES: Record<string, Case> = {
  "tape 5": { packages: ["tape@5"], framework: "tape", text: TAPE, names: [...TAP_NAMES, [["in the middle"], []]] },
  "tape 4": { packages: ["tape@4"], framework: "tape", text: TAPE, names: TAP_NAMES },
  "tap 12": { packages: ["tap@12"], framework: "tap", text: TAP, names: TAP_NAMES },
  "tap 14": { packages: ["tap@14"], framework: "tap", text: TAP, names: TAP_NAMES },
  "tap 16 with a reporter of its own": {
    ...{ packages: ["tap@16"], framework: "tap", text: TAP, names: TAP_NAMES },
    files: { ...REPORTER, ".taprc": "reporter: ./reports/terse.js\n" },
  },
  "tap 18": { packages: ["tap@18"], framework: "tap", text: TAP, names: TAP_NAMES },
  "jest 29 with reporters and a threshold": {
    ...{ packages: ["jest@29"], framework: "jest", text: EACH },
    files: REPORTER,
    manifest: {
      jest: {
        testMatch: ["**/test/*.js"],
        reporters: ["./reports/terse.js"],
        ...{ collectCoverage: true, coverageThreshold: { global: { lines: 100 } }, collectCoverageFrom: ["**/*.js"] },
      },
    },
    names: [...DESCRIBED_NAMES, [["part of 8 is its half"], ["rates works"]]],
  },
  "mocha 10 with a reporter of its own": {
    ...{ packages: ["mocha@10"], framework: "mocha", text: DESCRIBED, names: DESCRIBED_NAMES },
    files: { ...REPORTER, ".mocharc.json": '{"reporter": "./reports/terse.js", "reporter-option": ["output=x"]}' },
  },
  "mocha 5 with a reporter of its own": {
    ...{ packages: ["mocha@5"], framework: "mocha", text: DESCRIBED, names: DESCRIBED_NAMES },
    files: { ...REPORTER, "test/mocha.opts": "--reporter ./reports/terse.js\n--reporter-options output=x\n" },
  },
  "mocha 10, tdd": {
    ...{ packages: ["mocha@10"], framework: "mocha", text: TDD, names: DESCRIBED_NAMES },
    files: { ".mocharc.json": '{"ui": "tdd"}' },
  },
  "mocha 10, exports": {
    ...{ packages: ["mocha@10"], framework: "mocha", text: EXPORTS, names: DESCRIBED_NAMES.slice(1, 4) },
    files: { ".mocharc.json": '{"ui": "exports"}' },
  },
};

test.each(Object.entries(CASES))("%s", async (_, { packages, framework, text, names, files = {}, manifest = {} }) => {
  const devDependencies = Object.fromEntries(packages.map((one) => one.split("@") as [string, string]));
  using made = makeRepository({
    "package.json": JSON.stringify({ devDependencies, scripts: { test: framework }, ...manifest }),
    ...{ "rates.js": SOURCE, "test/rates.js": text.replace(/^.*part\(.*$/gm, "") },
    ...files,
  });
  using folder = temporaryFolder();
  made.git("clone", "--quiet", "--bare", ".", join(folder.path, "clones/r.git"));
  const rows = names.map(([FAIL_TO_PASS, PASS_TO_PASS], i) => ({
    ...{ instance_id: `o__r-${i}`, repo: "o/r", base_commit: made.git("rev-parse", "HEAD").trim() },
    ...{
      patch: made.patchTo({ "rates.js": FIX }),
      test_patch: made.patchTo({ "test/rates.js": text }),
      problem_statement: "a third",
    },
    ...{ FAIL_TO_PASS, PASS_TO_PASS, mend: { language: "js", framework, test_files: ["test/rates.js"] } },
  }));
  writeFileSync(join(folder.path, "tasks.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const said: string[] = [];
  using benchmark = await openRepositoryBenchmark({
    ...{ rows: join(folder.path, "tasks.jsonl"), repositories: join(folder.path, "clones"), prepare: true },
    ...{ box: await openCommandBox(), log: (line: string) => void said.push(line) },
  });
  await using sandbox = await openSandbox();
  const checked = await benchmark.check(benchmark.tasks, { sandbox, by: "gold", log: () => {} });
  expect(checked.flatMap(({ remarks }) => remarks)).toEqual([]);
  const { signal } = new AbortController();
  for (const task of benchmark.tasks) {
    const [gold, empty] = [
      await task.score(task.reference("gold"), sandbox, signal),
      await task.score(null, sandbox, signal),
    ];
    expect({ gold, empty }, JSON.stringify(rows[Number(task.id.at(-1))]?.FAIL_TO_PASS)).toMatchObject({
      gold: { score: { passed: true, explanation: "" } },
      empty: { score: { passed: false } },
    });
  }
  expect(said.filter((line) => line.includes("tests do other"))).toEqual([]);
});
