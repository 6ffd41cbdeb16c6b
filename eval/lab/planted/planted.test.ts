import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Task } from "../../../utils/task/task.ts";
import { emptyTask } from "../../../utils/testing/empty_task.ts";
import type { Trial, TriedEdit } from "../search/trials.ts";
import { leaveTemplateOut } from "./leave_out.ts";

const PATH = process.env.PATH ?? "";
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("the parts of the builder", () => {
  const run = spawnSync("python3", [here("planted_test.py")], {
    encoding: "utf8",
    env: { PATH, PYTHONDONTWRITEBYTECODE: "1" },
  });
  expect(run.stderr).toBe("");
  expect(run.stdout).toBe("ok\n");
});

const task = (id: string): Task => emptyTask({ id, bugType: "delete" });

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
