// @module-tag deep
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../utils/base/host/host_programs.ts";
import { COMPILED_PROJECTS } from "../testing/compiled_projects.ts";
import { makeRepository } from "../testing/repositories.ts";
import { prepareForTests } from "../testing/scripted.ts";

/** A project in Go whose failing test speaks of a function that is right, and never of the one that it runs. */
const MISLEADING = {
  "go.mod": "module example.com/bills\n\ngo 1.18\n",
  "bills.go": `package bills

// Rounded bill of a guest: what the guest pays, rounded.
func Rounded(bill float64) float64 {
	return float64(int(bill + 0.5))
}

func share(a, b float64) float64 {
	if b > 2 {
		return a / (b - 1)
	}
	return a / b
}

// Pay tells what each has to give.
func Pay(a, b float64) float64 {
	return share(a, b)
}
`,
  "bills_test.go": `package bills

import "testing"

func TestRoundedBillOfAGuest(t *testing.T) {
	for _, row := range []struct {
		name       string
		a, b, want float64
	}{{"two", 8, 2, 4}, {"rounded bill: three guests", 9, 3, 3}} {
		t.Run(row.name, func(t *testing.T) {
			if got := Pay(row.a, row.b); got != row.want {
				t.Errorf("rounded bill of the guest is %v, want %v", got, row.want)
			}
		})
	}
}

func TestRounded(t *testing.T) {
	if Rounded(1.6) != 2 {
		t.Error("not rounded")
	}
}
`,
};

const suspectsOf = async (files: Record<string, string>, command: string) => {
  using repository = makeRepository(files, false);
  using prepared = await prepareForTests(repository.path, command, { testSeconds: 300 });
  return { ...prepared.baseline, suspects: prepared.suspects };
};

const COVERED = COMPILED_PROJECTS.filter(
  ({ name }) => /^(?:Go|Rust)$/.test(name) || name.endsWith("GoogleTest") || name.endsWith("console"),
);

describe("the code that failing tests run is found", () => {
  test.each(COVERED.map((project) => [project.name, project] as const))("%s", async (_, project) => {
    const { needs, places = [], files, command, file, failing } = project;
    const lacking = [...needs.filter((one) => !findProgram(one)), ...places.filter((one) => !existsSync(one))];
    if (lacking.length > 0) return console.warn(`skipped: ${project.name} needs ${lacking.join(", ")}`);
    const found = await suspectsOf(files, command);
    expect(found.failing.map(({ name }) => name)).toEqual([failing]);
    expect(found.flaky).toEqual([]);
    const [first, second] = found.suspects;
    expect(first).toMatchObject({ file, name: expect.stringMatching(/discounted$/i) });
    expect(first?.reasons[0]).toBe("runs in 1 of 1 failing and 0 of 2 passing tests");
    expect(second?.reasons.join()).not.toContain("failing");
  });

  test("Go: before what its words speak of", async () => {
    if (!findProgram("go")) return console.warn("skipped: there is no go");
    const { failing, suspects } = await suspectsOf(MISLEADING, "go test ./...");
    expect(failing.map(({ title }) => title)).toEqual(["TestRoundedBillOfAGuest/rounded_bill:_three_guests"]);
    expect(suspects[0]).toMatchObject({ file: "bills.go", name: "share" });
  });
});
