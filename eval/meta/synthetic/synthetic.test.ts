import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { openForTests } from "../../../utils/sandbox/testing/open.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import { shareOf } from "../../benchmark/benchmark.ts";
import type { ChildTask } from "../benchmarks/benchmark.ts";
import { temporaryFolder } from "../testing/test_run.ts";
import { editScore, fileEditTasks, hunksOf, longestCommon } from "./file_edit.ts";
import { Repository } from "./repository.ts";
import { locationScore, symbolLocationTasks } from "./symbol_location.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\n";
const AFTER = "one\nTWO\nthree\nfour\nfive\nSIX\n";

const sandbox = await openForTests();
const score = async (task: ChildTask | undefined, left: { answer: string | null; workspace: string | null }) => {
  const scored = await task?.score(left, sandbox, new AbortController().signal);
  return scored && "score" in scored ? shareOf(scored.score) : undefined;
};

async function repository() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: folder.path, stdio: "pipe" });
  const commit = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(folder.path, name, ".."), { recursive: true });
      writeFileSync(join(folder.path, name), text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", "change");
  };
  git("init", "-q");
  commit({
    "src/a.py": BEFORE,
    "src/b.ts": "export async function locate() {}\n\nclass Twice {}\n",
    "c.ts": "class Twice {}\n",
    "d.md": "x\n",
  });
  commit({ "src/a.py": AFTER });
  commit({ "d.md": "y\n" });
  commit({ "src/a.py": `${AFTER}seven\n`, "c.ts": "class Twice { }\n" });
  return Repository.open(folder.path);
}

describe("file_edit", () => {
  test(
    "takes commits that change one source file; the workspace holds the repository as it was before",
    DEEP,
    async () => {
      const tasks = await fileEditTasks(await repository(), 10);
      expect(tasks).toHaveLength(1);
      const [task] = tasks;
      if (task?.assignment.type !== "work") throw new Error("a task in a folder was expected");
      const folder = temporaryFolder();
      onTestFinished(() => folder[Symbol.dispose]());
      await task.assignment.prepare(folder.path, new AbortController().signal);
      const file = join(folder.path, "src/a.py");
      expect(readFileSync(file, "utf8")).toBe(BEFORE);
      const left = { answer: "done", workspace: folder.path };
      expect(await score(task, left)).toBe(0);
      writeFileSync(file, AFTER);
      expect(await score(task, left)).toBe(1);
      writeFileSync(file, AFTER.replace("SIX", "six"));
      expect(await score(task, left)).toBe(0.5);
      unlinkSync(file);
      symlinkSync("/etc/passwd", file);
      expect(await score(task, left)).toBe(0);
    },
  );

  test("hunks count by what they say, not by where they stand", () => {
    expect(editScore(BEFORE, AFTER, `zero\n${AFTER}`)).toBeCloseTo(2 / 3);
    expect(editScore(BEFORE, AFTER, AFTER.replace("three\n", ""))).toBeLessThan(1);
    expect(editScore(BEFORE, BEFORE, BEFORE)).toBe(1);
    expect(hunksOf(BEFORE, AFTER)).toEqual(["-two\n+TWO", "-six\n+SIX"]);
  });

  /** Judged by coming to its end: without a bound each takes many times what a test may. */
  test.each([
    ["200,000 empty lines", "\n".repeat(200_000)],
    ["200,000 other lines", Array.from({ length: 200_000 }, (_, i) => `${i}\n`).join("")],
    ["half of each", `${BEFORE}${"x\n".repeat(100_000)}${AFTER}`.repeat(3)],
  ])("another text has nothing in common: %s", (_, got) => {
    expect(editScore(BEFORE, AFTER, got)).toBe(0);
  });

  test("the longest common subsequence is symmetric, bounded, and whole for equal lists", () => {
    const list = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (a, b) => {
        expect(longestCommon(a, b)).toBe(longestCommon(b, a));
        expect(longestCommon(a, b)).toBeLessThanOrEqual(Math.min(a.length, b.length));
        expect(longestCommon(a, a)).toBe(a.length);
        expect(longestCommon(a, [...b, ...a])).toBe(a.length);
      }),
    );
  });
});

describe("symbol_location", () => {
  test("asks for names that are defined once", async () => {
    const tasks = await symbolLocationTasks(await repository(), 10);
    expect(tasks.map(({ id }) => id)).toEqual(["symbol_location/locate"]);
    const right = '{"path": "src/b.ts", "line": 1, "column": 23}';
    expect(await score(tasks[0], { answer: `It is here: ${right}`, workspace: null })).toBe(1);
  });

  test.each([
    ['{"path": "a/b.ts", "line": 3, "column": 7}', 1],
    ['```json\n{"path": "./a/b.ts", "line": 3, "column": 1}\n```', 0.8],
    ['{"path": "a/b.ts", "line": 4, "column": 7}', 0.4],
    ['{"path": "b.ts", "line": 3, "column": 7}', 0],
    ["a/b.ts:3:7", 0],
    [null, 0],
  ])("%s scores %d", (answer, expected) => {
    expect(locationScore({ path: "a/b.ts", line: 3, column: 7 }, answer)).toBe(expected);
  });
});
