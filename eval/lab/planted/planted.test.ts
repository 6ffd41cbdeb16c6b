import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Task } from "../../../utils/task/task.ts";
import { emptyTask } from "../../../utils/testing/empty_task.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";
import type { Trial, TriedEdit } from "../search/trials.ts";
import { admission } from "./admission.ts";
import { leaveTemplateOut } from "./leave_out.ts";

const PATH = process.env.PATH ?? "";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the parts of the builder", DEEP, () => {
  const run = spawnSync("python3", [here("planted_test.py")], {
    encoding: "utf8",
    env: { PATH, PYTHONDONTWRITEBYTECODE: "1" },
  });
  expect(run.stderr).toBe("");
  expect(run.stdout).toBe("ok\n");
});

const task = (id: string): Task => emptyTask({ id, bugType: "delete", entryPoint: `f_${id[0]}` });

const candidate = (operator: string, passed: boolean, cost: number): TriedEdit => ({
  splices: [],
  operator,
  line: 1,
  old: "",
  new: "",
  score: cost,
  cost,
  features: {},
  passed,
});

const trial = (id: string, candidates: TriedEdit[]): Trial => ({
  task: task(id),
  tried: 1,
  passing: candidates.length,
  seconds: 0,
  candidates,
});

test("a template that one task alone needs does not count for it", () => {
  const alone = trial("a", [candidate("only here", true, 1), candidate("wrong", false, 2)]);
  const shared = ["b", "c"].map((id) => trial(id, [candidate("shared", true, 1)]));
  expect(leaveTemplateOut([alone, ...shared], 1)).toBe(2);
  const both = trial("a", [candidate("only here", true, 1), candidate("shared", true, 1.5)]);
  expect(leaveTemplateOut([both, ...shared], 1)).toBe(3);
  expect(leaveTemplateOut([trial("d", [])], 1)).toBe(0);
});

test("an operator is admitted that is right in two functions, not in two bugs of one", () => {
  const dev = ["a", "b"].map((id) => trial(id, [candidate("both", true, 1), candidate("wrong", false, 2)]));
  const planted = ["c1", "c2"].map((id) => trial(id, [candidate("one function", true, 1)]));
  const sets = [
    { name: "dev", trials: dev },
    { name: "planted", trials: planted },
  ];
  const rows = admission(sets, ["both", "wrong", "one function"])
    .split("\n")
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ["operator", "dev", "planted", "admitted"],
    ["wrong", "0", "0", "no"],
    ["one function", "0", "2", "no"],
    ["both", "2", "0", "yes"],
  ]);
});
