/** For tests: what holds of every project, whatever its layout and its framework. */

import { afterAll, beforeAll, describe, expect, type TestOptions, test } from "vitest";
import { othersMayEnter } from "../../../utils/base/host/python.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { Layer } from "../../../utils/sandbox/types.ts";
import { changed, type TestProject } from "./project.ts";
import { missing, openRepairs, type Repairs } from "./repair_in.ts";

/** Opens what the tests of a file need. @returns it, for use inside of tests */
export function openForFile(): () => Repairs {
  let opened: Repairs | undefined;
  beforeAll(async () => {
    opened = await openRepairs();
  });
  afterAll(() => opened?.close());
  return () => {
    if (!opened) throw new Error("it is opened before the first test");
    return opened;
  };
}

const textsOf = (project: TestProject) => {
  const correct = project.files[project.target] ?? "";
  return { correct, buggy: changed(correct, project.bug), wrong: changed(correct, project.wrong) };
};

/** A model that first answers wrong, then right. */
export function checkRepair(projects: readonly TestProject[], repairs: () => Repairs, cost: TestOptions = {}): void {
  test.for(projects)(
    "$name: a wrong answer is refused with the name of the test, the right one is applied",
    cost,
    async (project, { skip }) => {
      const why = await missing(project, repairs().commandBox.layer);
      skip(why !== "", why);
      const { correct, buggy, wrong } = textsOf(project);
      const repair = { target: buggy, answers: [wrong, correct], write: true };
      const { outcome, observations, after, backup } = await repairs().repairIn(project, repair);
      expect(observations).toEqual([expect.stringContaining(project.fails), expect.stringContaining("pass")]);
      expect(outcome).toMatchObject({ outcome: "fixed", turns: 2 });
      expect(after).toBe(correct);
      expect(backup).toBe(buggy);
      if (project.framework) expect(outcome).toMatchObject({ framework: project.framework });
    },
  );
}

/** A model that only answers wrong. */
export function checkNoRepair(projects: readonly TestProject[], repairs: () => Repairs): void {
  test.for(projects)("$name: the failing test is reported, and nothing is written", async (project, { skip }) => {
    const why = await missing(project, repairs().commandBox.layer);
    skip(why !== "", why);
    const { buggy, wrong } = textsOf(project);
    const { outcome, after } = await repairs().repairIn(project, { target: buggy, answers: [wrong], write: true });
    expect(outcome).toMatchObject({ outcome: "not_fixed" });
    expect(JSON.stringify(outcome)).toContain(JSON.stringify(project.fails).slice(1, -1));
    expect(after).toBe(buggy);
  });
}

/** Projects for which no model is asked. */
export function checkUnasked(projects: readonly TestProject[], repairs: () => Repairs, cost: TestOptions = {}): void {
  describe.each(projects)("$name", cost, (project) => {
    const { correct, buggy } = textsOf(project);

    test("a correct file stays, and no model is asked", async ({ skip }) => {
      const why = await missing(project, repairs().commandBox.layer);
      skip(why !== "", why);
      const { outcome, after, asked } = await repairs().repairIn(project, { target: correct, write: true });
      expect(outcome).toMatchObject({ outcome: "nothing_to_repair" });
      expect([after, asked]).toEqual([correct, 0]);
    });

    test("broken tests are one sentence, and no model is asked", async ({ skip }) => {
      const why = await missing(project, repairs().commandBox.layer);
      skip(why !== "", why);
      const isOneFile = project.tests === project.target;
      const tests = changed(isOneFile ? buggy : (project.files[project.tests] ?? ""), project.broken);
      const { outcome, asked } = await repairs().repairIn(project, { target: isOneFile ? tests : buggy, tests });
      expect(outcome).toMatch(project.says);
      expect(outcome).not.toContain("\n");
      expect(asked).toBe(0);
    });
  });
}

/** Under layers that give the tests a copy of the project. */
export function checkCopies(
  layer: Layer,
  projects: readonly TestProject[],
  repairs: () => Repairs,
  cost: TestOptions = {},
): void {
  test.each(projects)(`under ${layer}, where tests run in a copy of the project: $name`, cost, async (project) => {
    const box = await openCommandBox({ layer }).catch(() => null);
    if (!box) return console.warn(`the ${layer} layer does not work here: skipped`);
    const locked = process.getuid?.() === 0 && !othersMayEnter(import.meta.dirname);
    if (locked && project.target.endsWith(".ts"))
      return console.warn(`the ${layer} layer's users may not read the tsx beside ${import.meta.dirname}: skipped`);
    const { correct, buggy, wrong } = textsOf(project);
    const right = await repairs().repairIn(project, { target: buggy, answers: [wrong, correct], write: true }, box);
    expect([right.outcome, right.after]).toMatchObject([{ outcome: "fixed", sandbox: layer, turns: 2 }, correct]);
    expect(right.observations[0]).toContain(project.fails);
  });
}
