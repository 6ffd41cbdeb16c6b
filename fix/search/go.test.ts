// @module-tag deep
import { expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { makeRepository } from "../testing/repositories.ts";
import { fixBySearch } from "../testing/search.ts";

const missing = LANGUAGES.go.unavailable("");
if (missing !== null) console.warn(`skipped: ${missing}`);

const FILES = {
  "go.mod": "module example.com/shop\n\ngo 1.19\n",
  "price.go": `package shop

// Total of the items in cents.
func Total(cents []int) int {
	sum := 0
	for i := 1; i < len(cents); i++ {
		sum += cents[i]
	}
	return sum
}
`,
  "price_test.go": `package shop

import "testing"

func TestTotal(t *testing.T) {
	if got := Total([]int{5, 1, 7}); got != 13 {
		t.Errorf("Total: %d", got)
	}
}

func TestTotalOfNone(t *testing.T) {
	if got := Total(nil); got != 0 {
		t.Errorf("Total: %d", got)
	}
}
`,
};

test.skipIf(missing !== null)(
  "a function of a Go module is repaired by its tests, and nothing is written",
  async () => {
    using repository = makeRepository(FILES, false);
    const { fixed, said } = await fixBySearch(repository.path, "go test ./...");
    expect(["fixed", "suggested"], said.join("\n")).toContain(fixed.outcome);
    expect(fixed.diff).toContain("-\tfor i := 1; i < len(cents); i++ {\n+\tfor i := 0; i < len(cents); i++ {");
    expect(repository.git("status", "--porcelain"), "without --write nothing changes").toBe("");
  },
);
