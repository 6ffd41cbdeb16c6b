// @module-tag deep
import { expect, test } from "vitest";
import { findProgram } from "../../utils/base/host/host_programs.ts";
import { COMPILED_PROJECTS } from "../testing/compiled_projects.ts";
import { makeRepository } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";
import { fixBySearch, limitSearches } from "../testing/search.ts";
import { versionsCommand } from "./versions/search_versions.ts";

interface Project {
  name: string;
  needs: readonly string[];
  files: Record<string, string>;
  /** Default: `make test`. */
  command?: string;
  /** A start of a program for each: a few more than there are up to the right one. */
  edits: number;
  /** Of lines of the patch. */
  diff: string;
  /** Found with its file alone, before the command is tried. */
  isAlone?: boolean;
}

const PROJECTS: Project[] = [
  {
    name: "Python",
    needs: ["make", "python3"],
    edits: 100,
    files: {
      Makefile: "test:\n\tpython3 check.py\n",
      "cart.py": `def total(items, rate):
    net = sum(price * count for price, count in items)
    return round(net * (1 - rate))
`,
      "check.py": `from cart import total

assert total([(100, 2), (50, 1)], 0.2) == 300
assert total([(10, 1)], 0.5) == 15
assert total([], 0.2) == 0
`,
    },
    diff: "-    return round(net * (1 - rate))\n+    return round(net * (1 + rate))",
  },
  {
    name: "JavaScript",
    needs: ["make"],
    edits: 40,
    files: {
      Makefile: "test:\n\tnode check.js\n",
      "package.json": '{ "name": "seats", "version": "1.0.0" }',
      "seats.js": `exports.rows = function rows(people, width) {
  return Math.floor(people / width);
};
`,
      "check.js": `const { rows } = require("./seats.js");
const wrong = [[20, 10, 2], [21, 10, 3], [29, 10, 3], [0, 4, 0]].filter(([a, b, want]) => rows(a, b) !== want);
for (const [a, b] of wrong) console.log("rows", a, b, "is wrong: " + rows(a, b));
process.exit(wrong.length === 0 ? 0 : 3);
`,
    },
    diff: "-  return Math.floor(people / width);\n+  return Math.ceil(people / width);",
  },
  {
    name: "C++, a program of checks beside the source",
    needs: ["make", "g++"],
    edits: 40,
    files: {
      Makefile: `test: check
	./check

rates.o: rates.cpp
	g++ -std=c++17 -c -o $@ $<

check: rates.o check.cpp
	g++ -o $@ rates.o check.cpp
`,
      "rates.h": "int discounted(int price, int percent);\n",
      "rates.cpp": `#include "rates.h"

int discounted(int price, int percent) {
    return price + price * percent / 100;
}
`,
      "check.cpp": `#include "rates.h"
#include <cstdio>

int main() {
    bool right = discounted(100, 20) == 80 && discounted(50, 10) == 45 && discounted(7, 0) == 7;
    if (!right) std::puts("discounted is wrong");
    return right ? 0 : 1;
}
`,
    },
    diff: "-    return price + price * percent / 100;\n+    return price - price * percent / 100;",
  },
  {
    name: "C++, a program that checks itself",
    needs: ["g++"],
    edits: 150,
    files: {
      "join.cpp": `#include <cstdlib>
#include <string>
#include <vector>

std::string joined(const std::vector<std::string>& parts) {
    std::string all;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i == 1) all += ",";
        all += parts[i];
    }
    return all;
}

void check(const std::vector<std::string>& parts, const std::string& want) {
    if (joined(parts) != want) std::abort();
}

int main() {
    check({"a", "b", "c"}, "a,b,c");
    check({"a"}, "a");
    check({}, "");
}
`,
    },
    command: "g++ join.cpp -o join && ./join",
    diff: "-        if (i == 1) all",
  },
];

/** A project with a slip in place of its bug; edits of a function are built at once, and those drop out that do not compile. */
const withSlip = (name: string, written: string, slip: string, right: string): Project => {
  const project = COMPILED_PROJECTS.find((one) => one.name === name);
  if (!project) throw new Error(`no project ${name}`);
  const files = Object.entries(project.files).map(([file, text]) => [file, text.replace(written, slip)]);
  return { ...project, edits: 48, files: Object.fromEntries(files), diff: `-${slip}\n+${right}` };
};
const GO = withSlip(
  "Go",
  "return price - price*percent/10",
  "return price + price*percent/100",
  "return price - price*percent/100",
);
const TENTH = "return price - price * percent / 10;";
const [SLIP, RIGHT] = ["return price + price * percent / 100;", "return price - price * percent / 100;"];
const BUILT = [
  withSlip("Java with JUnit's console", TENTH, SLIP, RIGHT),
  withSlip(
    "Rust",
    "price - price * percent / 10.0",
    "price + price * percent / 100.0",
    "price - price * percent / 100.0",
  ),
];

test.each([...PROJECTS, { ...GO, isAlone: true }, ...BUILT])(
  "$name: the user's command judges each edit, and nothing is written",
  async ({ needs, files, command = "make test", edits, diff, isAlone = false }) => {
    const lacking = needs.filter((program) => findProgram(program) === undefined);
    if (lacking.length > 0) {
      console.warn(`skipped: it needs ${lacking.join(", ")}`);
      return;
    }
    using repository = makeRepository(files, false);
    const asBefore = limitSearches({ edits });
    const { fixed, said } = await fixBySearch(repository.path, command).finally(asBefore);
    expect(["fixed", "suggestion"], said.join("\n")).toContain(fixed.outcome);
    expect(fixed.diff.replace(/^([-+])[ \t]+/gm, "$1")).toContain(diff.replace(/^([-+])[ \t]+/gm, "$1"));
    expect(said.some((line) => line.startsWith("passes: "))).toBe(!isAlone);
    expect(said.join("\n"), "what is the test is not edited").not.toMatch(/passes: check\.cpp|abort/);
    expect(repository.git("status", "--porcelain", "--ignored"), "nothing is written").toBe("");
  },
);

test.skipIf(findProgram("go") === undefined)("versions are built beside what the first run built", async () => {
  using repository = makeRepository(GO.files, false);
  using prepared = await prepareForTests(repository.path, "go test ./...", { testSeconds: 120 });
  expect(await versionsCommand(prepared, "go", "/out")).toMatchObject({ builds: true });
});
