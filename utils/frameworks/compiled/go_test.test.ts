import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { standardCache } from "../../languages/go/standard_cache.ts";
import { toolchain } from "../../languages/go/toolchain.ts";
import { DEEP } from "../../testing/repeats.ts";
import { goTest } from "./go_test.ts";

const failed = (packageName: string, name: string, line: string) =>
  [
    { Action: "output", Package: packageName, Test: name, Output: `    ${line}\n` },
    { Action: "fail", Package: packageName, Test: name },
  ].map((row) => JSON.stringify(row));

test("in a workspace a test's file is found through the module that holds its package", () => {
  const report = [
    '{"Folder":"/shop"}',
    '{"Module":"example.com/queue","Dir":"/shop/libraries/queue"}',
    '{"Module":"example.com/shop","Dir":"/shop"}',
    ...failed("example.com/queue/ring", "TestFull", "ring_test.go:11: full"),
    ...failed("example.com/shop", "TestServe", "shop_test.go:5: none"),
    ...failed("elsewhere.com/x", "TestX", "x_test.go:5: none"),
  ].join("\n");
  expect(goTest.parseResults(report)?.tests.map(({ name, file }) => [name, file])).toEqual([
    ["example.com/queue/ring.TestFull", "libraries/queue/ring/ring_test.go"],
    ["example.com/shop.TestServe", "shop_test.go"],
    ["elsewhere.com/x.TestX", undefined],
  ]);
  expect(goTest.parseResults('{"Folder":"/shop"}\n'), "it said nothing").toBeNull();
});

test("a panic is reported with the project's own frames, and without what differs in each run", () => {
  const printed = [
    "--- FAIL: TestPop (0.00s)",
    "panic: index out of range [2] with length 2 [recovered, repanicked]",
    "",
    "goroutine 6 [running]:",
    "testing.tRunner.func1.2({0x574440, 0x7c130180060})",
    "\t/usr/local/go/src/testing/testing.go:1974 +0x232",
    "panic({0x574440?, 0x7c130180060?})",
    "\t/usr/local/go/src/runtime/panic.go:860 +0x13a",
    "example.com/queue.(*Queue).Pop(...)",
    "\tqueue.go:8",
    "example.com/queue.TestPop(0xa9a7bb54248?)",
    "\tqueue_test.go:9 +0x85",
    "created by testing.(*T).Run in goroutine 1",
    "\t/usr/local/go/src/testing/testing.go:2032 +0x3d5",
  ];
  const row = { Package: "example.com/queue", Test: "TestPop" };
  const lines = printed.map((line) => JSON.stringify({ ...row, Action: "output", Output: `${line}\n` }));
  const report = ['{"Folder":"/shop"}', ...lines, JSON.stringify({ ...row, Action: "fail" })].join("\n");
  expect(goTest.parseResults(report)?.tests[0]?.message).toBe(
    [printed[1], printed[8], "\tqueue.go:8", "example.com/queue.TestPop(…)", "\tqueue_test.go:9"].join("\n"),
  );
});

test("some tests run in their packages alone, with the options of the command", () => {
  const named = (name: string, title: string) => ({ name, title, status: "failed" as const, message: "" });
  const tests = [named("example.com/a.TestX/one", "TestX/one"), named("example.com/b.TestY", "TestY")];
  expect(goTest.select?.(tests, ["-race", "-timeout", "30s", "-count=1", "-run", "Z", "./...", "-args", "x"])).toEqual([
    ...["-run", "^(TestX|TestY)$", "-race", "-timeout", "30s", "-count=1"],
    ...["example.com/a", "example.com/b", "-args", "x"],
  ]);
  const [nameless] = [named("command-line-arguments.TestX", "TestX")];
  expect(goTest.select?.([nameless], ["./a.go"])).toEqual(["-run", "^(TestX)$", "./a.go"]);
});

test("Go's own packages are compiled once for all projects", DEEP, async ({ skip }) => {
  const go = toolchain();
  skip(go === null, "there is no Go");
  const cache = go && (await standardCache(go));
  skip(cache === null, "Go brings its packages compiled");
  expect(await Promise.all([1, 2].map(() => go && standardCache(go)))).toEqual([cache, cache]);
  expect(readdirSync(cache ?? "", { recursive: true }).filter((one) => /-d$/.test(String(one))).length).toBeGreaterThan(
    50,
  );
});
