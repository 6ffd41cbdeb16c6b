import { expect, test } from "vitest";
import { noUsage } from "../../../agent/run/usage.ts";
import { wilson } from "../../../utils/base/statistics/stats.ts";
import { NO_ANSWER } from "../../benchmark/scorer.ts";
import { failed, scored } from "../../testing/results.ts";
import { breakDown } from "./breakdown.ts";
import { renderBreakdown } from "./breakdown_text.ts";
import { estimate, taskScores, usualKs } from "./task_scores.ts";

test("by bug type: errors apart, each share with an interval", () => {
  const { bugTypes } = breakDown([
    scored(0, true),
    scored(1, false),
    failed(2),
    scored(3, true, { bug_type: "missing logic" }),
  ]);
  expect(bugTypes.map(({ name, samples, passed, errors }) => [name, samples, passed, errors])).toEqual([
    ["value misuse", 2, 1, 1],
    ["missing logic", 1, 1, 0],
  ]);
  expect(bugTypes[0]?.estimate).toMatchObject({ value: 0.5, method: "Wilson" });
});

test("how often a visible pass is a hidden fail", () => {
  const rows = [
    scored(0, true),
    scored(1, false, { verified: true }),
    scored(2, true, { verified: false }),
    scored(3, false),
  ];
  expect(breakDown(rows).visibleAndHidden).toMatchObject({
    bothPass: 1,
    visibleOnly: 1,
    hiddenOnly: 1,
    neither: 1,
    misled: { value: 0.5 },
  });
  expect(breakDown([scored(0, false)]).visibleAndHidden.misled).toBeNull();
});

test("turns needed: the share solved within so many", () => {
  const rows = [
    scored(0, true, { iterations: 1 }),
    scored(1, true, { iterations: 10 }),
    scored(2, false, { iterations: 10 }),
    scored(3, true, { iterations: 2 }),
  ];
  expect(breakDown(rows).iterations).toEqual([
    { iterations: 1, samples: 1, passed: 1, solvedWithin: 0.25 },
    { iterations: 2, samples: 1, passed: 1, solvedWithin: 0.5 },
    { iterations: 10, samples: 2, passed: 1, solvedWithin: 0.75 },
  ]);
});

test("tokens and cost: total, median, 90th percentile; one unknown part leaves the total unknown", () => {
  const rows = Array.from({ length: 11 }, (_, i) => scored(i, true));
  expect(breakDown(rows).usage.outputTokens).toEqual({ known: 11, total: 55, median: 5, p90: 9, max: 10 });
  const unknown = scored(11, true, { usage: { ...noUsage(), costUsd: null } });
  expect(breakDown([...rows, unknown]).usage.costUsd).toMatchObject({ known: 11, total: null, median: 0.5 });
  expect(breakDown([]).usage.costUsd).toEqual({ known: 0, total: null, median: null, p90: null, max: null });
});

test("unreadable replies by kind, and errors by kind", () => {
  const rows = [
    scored(0, true, { format_errors: { no_action: 2 } }),
    scored(1, false, { format_errors: { no_action: 1, empty: 1 } }),
    failed(2),
  ];
  expect(breakDown(rows).formatErrors).toEqual([
    { kind: "no_action", replies: 3, samples: 2 },
    { kind: "empty", replies: 1, samples: 1 },
  ]);
  expect(breakDown(rows).errors).toEqual([{ kind: "server", samples: 1, tasks: ["T/2"], message: "it broke" }]);
});

test("which dialect read the replies: counted over samples, and none in runs of before they were counted", () => {
  const rows = [scored(0, true, { dialects: { strict: 2, fence: 1 } }), scored(1, false, { dialects: { fence: 2 } })];
  expect(breakDown([...rows, scored(2, true)]).dialects).toEqual([
    { kind: "fence", replies: 3, samples: 2 },
    { kind: "strict", replies: 2, samples: 1 },
  ]);
  expect(renderBreakdown(rows)).toMatch(
    /^replies +3 in another form \(fence\) · 2 in the form that the prompt asks for$/m,
  );
});

test("the models that a server says replied", () => {
  const rows = [
    scored(0, true, { answered_by: { "m-0724, fp_1": 2 } }),
    scored(1, true, { answered_by: { "m-0724": 1 } }),
  ];
  expect(renderBreakdown(rows)).toMatch(/^answered by +m-0724, fp_1: 2 replies · m-0724: 1 reply$/m);
});

test("several attempts: the mean over tasks, its interval over tasks; an error is no attempt", () => {
  const attempts = [true, true, false, true].map((passed, i) => scored(Math.floor(i / 2), passed, { attempt: i % 2 }));
  const tasks = taskScores([...attempts, { ...failed(1), attempt: 2 }]);
  expect(tasks.map(({ samples, passed, errors }) => [samples, passed, errors])).toEqual([
    [2, 2, 0],
    [2, 1, 1],
  ]);
  expect(estimate(tasks)).toMatchObject({
    tasks: 2,
    value: 0.75,
    method: "Wilson and bootstrap over tasks together",
  });
  expect(estimate(tasks, 2)).toMatchObject({ tasks: 2, value: 1, method: "Wilson" });
  expect(estimate(tasks, 3)).toMatchObject({ tasks: 0, value: null, interval: null });
  expect(usualKs(tasks)).toEqual([1]);
  // One task with two passes of three: a bootstrap would say that 2/3 is certain.
  const alone = taskScores([true, true, false].map((passed, attempt) => scored(0, passed, { attempt })));
  expect(estimate(alone)).toMatchObject({ value: 2 / 3, method: "Wilson", interval: wilson(2 / 3, 1) });
});

test("of few tasks with several attempts the interval is as wide as that many tasks allow", () => {
  const rates = (n: number) => Array.from({ length: n }, (_, i) => ({ samples: 5, passed: 1 + (i % 2) }));
  const [low, high] = estimate(rates(4)).interval ?? [1, 0];
  const [least, most] = wilson(4 * 0.3, 4);
  expect([low <= least, high >= most, low < 0.1, high > 0.7]).toEqual([true, true, true, true]);
  // Where almost all attempts or almost none pass a bootstrap is the wider one.
  const far = [1, 1, 9, 9].map((passed) => ({ samples: 10, passed }));
  expect(estimate(far).interval).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.9, 12)]);
  expect(estimate(rates(10))).toMatchObject({ method: "bootstrap over tasks" });
});

test("the breakdown for a terminal: unknown figures are marked as such, and empty kinds are left out", () => {
  const rows = [
    scored(0, true, { iterations: 1 }),
    scored(1, false, { verified: true, bug_type: "missing logic", format_errors: { no_action: 2 } }),
    failed(2),
  ];
  const text = renderBreakdown(rows);
  expect(text.split("\n").map((line) => line.slice(0, 18).trim())).toEqual([
    "by bug type",
    "stop reason",
    "tests",
    "turns needed",
    "tokens",
    "cost",
    "time per sample",
    "unreadable replies",
  ]);
  expect(text).toContain("value misuse 1/1 100% [21–100]");
  expect(text).toContain("only visible pass 1 (50% [9–91] of all visible passes)");
  expect(text).toContain("within 1: 50% solved");
  expect(text).toContain("no action 2 in 1 sample");
  expect(text).toContain("answered: 2 samples, 1 solved");
  const unpriced = { ...noUsage(), inputTokens: 5, outputTokens: 5, costUsd: null };
  const silent = scored(0, false, { stop: "malformed", explanation: NO_ANSWER, usage: unpriced });
  expect(renderBreakdown([silent])).toMatch(
    /both fail 1 \(1 without a program that loads\)\n.*\ncost +unknown \(no price: give --price IN,OUT\)/,
  );
  const unknown = { ...noUsage(), inputTokens: null, costUsd: null };
  const several = [scored(0, true, { usage: unknown }), scored(0, false, { attempt: 1, usage: unknown })];
  expect(renderBreakdown(several)).toMatch(
    /1 sometimes .*tokens +unknown \(the server does not count them\)\ncost +unknown/s,
  );
  expect(renderBreakdown([failed(0)])).toBe("");
});

test("answers in repositories: alike, overfit and none apart, and what was called fixed", () => {
  const doubt = "2 edits pass";
  const rows = [
    scored(0, true, { overfit: false }),
    scored(1, true, { overfit: true }),
    scored(2, true, { overfit: false, doubt }),
    scored(3, true, { overfit: true, doubt }),
    scored(4, true, { overfit: null, doubt }),
    scored(5, false),
    scored(6, false, { verified: true }),
    failed(7),
    scored(8, true, { overfit: false, unchecked: "nothing says whether its tests can fail", verified: false }),
  ];
  expect(breakDown(rows).behaviour).toEqual({
    alike: 2,
    overfit: 2,
    unchecked: 1,
    unknown: 1,
    none: 2,
    repairs: { samples: 3, alike: 1 },
    suggestions: { samples: 3, alike: 1 },
  });
  expect(renderBreakdown(rows)).toMatch(
    /overfit 2 · resolved, not checked 1 .* 1 of 3 reported as fixed behave like it · 1 of 3 suggestions behave like it/,
  );
  expect(breakDown([scored(0, true)]).behaviour).toBeNull();
  expect(renderBreakdown([scored(0, true)])).not.toContain("behaviour");
});
