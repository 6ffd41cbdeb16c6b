// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { findProgram } from "../../../utils/base/host/host_programs.ts";
import { openCommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { some } from "../../../utils/testing/repeats.ts";
import { prepareRepository } from "../../attempts/prepare.ts";
import { COMPILED_PROJECTS } from "../../testing/compiled_projects.ts";
import { makeRepository } from "../../testing/repositories.ts";
import { fixBySearch, limitSearches } from "../../testing/search.ts";
import { versionsCommand } from "./search_versions.ts";

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

const GO = {
  "go.mod": "module shop\n\ngo 1.18\n",
  "half.go": "package shop\n\nfunc Half(x int) int { return x * 2 }\n",
  "half_test.go":
    'package shop\n\nimport "testing"\n\nfunc TestHalf(t *testing.T) {\n\tif Half(4) != 2 {\n\t\tt.Fatal(Half(4))\n\t}\n}\n',
};

test.skipIf(findProgram("go") === undefined)("versions are built beside what the first run built", async () => {
  using repository = makeRepository(GO, false);
  const box = await openCommandBox();
  const request = { path: repository.path, test: "go test ./...", issue: "", environment: {}, testSeconds: 120, box };
  using prepared = await prepareRepository(request);
  expect(await versionsCommand(prepared, "go", "/out")).toMatchObject({ builds: true });
});
