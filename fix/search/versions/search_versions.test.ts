// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { some } from "../../../utils/testing/repeats.ts";
import { COMPILED_PROJECTS } from "../../testing/compiled_projects.ts";
import { makeRepository } from "../../testing/repositories.ts";
import { fixBySearch, limitSearches } from "../../testing/search.ts";

// A few more than there are up to the right one; without a limit all that is about as likely is tried.
let unlimited: () => void;
beforeAll(() => {
  unlimited = limitSearches({ edits: 48 });
});
afterAll(() => unlimited());

interface Slip {
  project: string;
  written: string;
  slip: string;
  right: string;
}

const SLIPS: readonly Slip[] = [
  {
    project: "Java with JUnit's console",
    written: "price - price * percent / 10;",
    slip: "return price + price * percent / 100;",
    right: "return price - price * percent / 100;",
  },
  {
    project: "Rust",
    written: "price - price * percent / 10.0",
    slip: "price + price * percent / 100.0",
    right: "price - price * percent / 100.0",
  },
  // Repaired from end to end by a model in ../../compiled.test.ts.
  {
    project: "C++ with CTest and GoogleTest",
    written: "price - price * percent / 10;",
    slip: "return price + price * percent / 100;",
    right: "return price - price * percent / 100;",
  },
];

test.each(some(SLIPS, 2))(
  "$project: edits of a function are built at once, those that do not compile drop out, and the tests run for each",
  async ({ project: name, written, slip, right }) => {
    const project = COMPILED_PROJECTS.find((one) => one.name === name);
    if (!project) throw new Error("no such project");
    const lacking = project.needs.filter((program) => findProgram(program) === undefined);
    if (lacking.length > 0) {
      console.warn(`skipped: ${name} needs ${lacking.join(", ")}`);
      return;
    }
    const files = Object.fromEntries(
      Object.entries(project.files).map(([file, text]) => [
        file,
        text.replace(`return ${written}`, slip).replace(written, slip),
      ]),
    );
    using repository = makeRepository(files, false);
    const { fixed, said } = await fixBySearch(repository.path, project.command);
    expect(["fixed", "suggestion"], said.join("\n")).toContain(fixed.outcome);
    expect(fixed.diff?.replace(/^([-+]) +/gm, "$1")).toContain(`-${slip}\n+${right}`);
    expect(fixed.before.failing.map(({ name }) => name)).toEqual([project.failing]);
    expect(repository.git("status", "--porcelain"), "without --write nothing changes").toBe("");
  },
);
