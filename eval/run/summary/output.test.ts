import { expect, test } from "vitest";
import { failed, sample, scored } from "../../testing/results.ts";
import type { Result } from "../results.ts";
import { errorCauses } from "./causes.ts";
import { renderEnd } from "./output.ts";

const error = (index: number, message: string, kind = "harness"): Result => ({
  ...sample(index),
  error: { kind, message },
});
const disagrees = (name: string) =>
  `the task cannot be run here: tests do not do what its row says: "${name}" expected passed, got failed (x)`;
const lacks = (name: string, file: string) =>
  `the task cannot be run here: no report: Cannot find module '${name}' in ${file}:12. Install it.`;

test("errors are grouped by what is behind them, with counts and tasks, the largest group first", () => {
  const results = [
    failed(0),
    ...[1, 2, 3, 4, 5].map((i) => error(i, disagrees(`tests/test_${i}.py::test_x[${i}]`))),
    error(6, lacks("chai", "test/a.js")),
    error(7, lacks("chai", "test/other/b.js")),
    error(8, lacks("sinon", "test/a.js")),
    error(9, "T/9 wrote 1,024 bytes in 3.5 s"),
    error(10, "T/10 wrote 77 bytes in 12 s"),
    error(11, "pytest ended with exit code 3"),
    error(12, "pytest ended with exit code 4"),
    scored(13, true),
  ];
  expect(errorCauses(results).map(({ samples, tasks }) => [samples, tasks[0]])).toEqual([
    [5, "T/1"],
    [2, "T/6"],
    [2, "T/9"],
    [1, "T/0"],
    [1, "T/8"],
    [1, "T/11"],
    [1, "T/12"],
  ]);
  expect(renderEnd(results, { folder: "runs/r", resume: null }).split("\n").slice(0, 8)).toEqual([
    'errors   5 × harness (T/1, T/2, T/3 and 2 more): the task cannot be run here: tests do not do what its row says: "tests/test_1.py::test_x[1]" expected passed, got failed (x)',
    expect.stringMatching(/^ {9}2 × harness \(T\/6, T\/7\): .*'chai'/),
    "         2 × harness (T/9, T/10): T/9 wrote 1,024 bytes in 3.5 s",
    "         1 × server (T/0): it broke",
    expect.stringMatching(/^ {9}1 × harness \(T\/8\): .*'sinon'/),
    expect.stringMatching(/exit code 3$/),
    expect.stringMatching(/exit code 4$/),
    "         details: runs/r/results.jsonl",
  ]);
});

test("several attempts of one task name it once, and a message of many lines stays on one", () => {
  const results = [0, 1].map((attempt): Result => ({ ...error(3, "it\nbroke"), attempt }));
  expect(renderEnd(results, { folder: "runs/r", resume: null })).toMatch(
    /^errors {3}2 × harness \(T\/3\): it\\nbroke$/m,
  );
});

test("no errors, no line of them", () => {
  expect(renderEnd([scored(0, true)], { folder: "runs/r", resume: null })).not.toContain("errors");
});

test("where most replies could not be read, the end says so", () => {
  const unread = scored(0, false, { iterations: 3, format_errors: { no_action: 2, empty: 1 } });
  const end = { folder: "runs/r", resume: null };
  expect(renderEnd([unread, scored(1, true)], end)).toMatch(
    /^format {3}3 of 5 replies could not be read, .*the other --tool-calls/m,
  );
  expect(renderEnd([unread, scored(1, true), scored(2, true)], end)).not.toContain("format");
});
