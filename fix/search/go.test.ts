// @module-tag deep
import { afterAll, expect, test } from "vitest";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { makeRepository } from "../testing/repositories.ts";
import { fixBySearch, limitSearches } from "../testing/search.ts";

afterAll(limitSearches({ edits: 30 }));

const missing = LANGUAGES.go.unavailable("");
if (missing !== null) console.warn(`skipped: ${missing}`);

const WORKSPACE = {
  "go.work": "go 1.18\n\nuse (\n\t./queue\n\t./shop\n)\n",
  "queue/go.mod": "module example.com/queue\n\ngo 1.18\n",
  "queue/ring/ring.go": `// Package ring is a queue of a fixed size.
package ring

// Ring holds a few items; the oldest goes first.
type Ring[T any] struct {
	items       []T
	head, count int
}

// New makes an empty ring.
func New[T any](size int) *Ring[T] {
	return &Ring[T]{items: make([]T, size)}
}

// Push adds an item and says whether there was room.
func (r *Ring[T]) Push(n T) bool {
	if r.count > len(r.items) {
		return false
	}
	r.items[(r.head+r.count)%len(r.items)] = n
	r.count++
	return true
}
`,
  "queue/ring/ring_test.go": `package ring

import "testing"

func TestFull(t *testing.T) {
	r := New[int](2)
	if !r.Push(1) || !r.Push(2) {
		t.Fatal("no room")
	}
	if r.Push(3) {
		t.Error("a full ring took a number")
	}
}
`,
  "shop/go.mod": "module example.com/shop\n\ngo 1.18\n",
  "shop/shop.go":
    'package shop\n\nimport "example.com/queue/ring"\n\nfunc Has(size int) bool {\n\treturn ring.New[int](size).Push(1)\n}\n',
  "shop/shop_test.go":
    'package shop\n\nimport "testing"\n\nfunc TestHas(t *testing.T) {\n\tif !Has(3) {\n\t\tt.Error("none")\n\t}\n}\n',
};

test.skipIf(missing !== null)(
  "in a workspace what passes by chance with a file alone ends no search, and lines around it stay",
  async () => {
    using repository = makeRepository(WORKSPACE, false);
    const { fixed, said } = await fixBySearch(repository.path, "go test ./queue/... ./shop/...");
    expect(said.join("\n")).toContain(
      "passes: queue/ring/ring.go, line 17: if r.count > len(r.items) { → if r.count >= len(r.items) {",
    );
    // No program holds versions of a method, so it is not tried with its file alone.
    expect(said.filter((line) => line.startsWith("trying")).join()).not.toContain("Push");
    expect(fixed.diff).toContain(" func (r *Ring[T]) Push(n T) bool {");
    expect(fixed.diff).not.toContain("-// Package ring");
    expect(repository.git("status", "--porcelain")).toBe("");
  },
);

const TWO = {
  "go.mod": "module example.com/till\n\ngo 1.19\n",
  "till.go": `package till

type Till struct{ cents int }

func (t *Till) Pay(cents int) { t.cents -= cents }

func (t *Till) Has(cents int) bool { return t.cents > cents }
`,
  "till_test.go": `package till

import "testing"

func TestPay(t *testing.T) {
	var till Till
	till.Pay(5)
	till.Pay(2)
	if till.cents != 7 {
		t.Fatal(till.cents)
	}
}

func TestHas(t *testing.T) {
	till := Till{cents: 3}
	if !till.Has(3) || !till.Has(2) || till.Has(4) {
		t.Fatal("has")
	}
}
`,
};

test.skipIf(missing !== null)("two bugs that a test each shows are repaired one after the other", async () => {
  using repository = makeRepository(TWO, false);
  const { fixed, said } = await fixBySearch(repository.path, "go test ./...");
  expect(fixed.diff, said.join("\n")).toContain("+func (t *Till) Pay(cents int) { t.cents += cents }");
  expect(fixed.diff).toContain("+func (t *Till) Has(cents int) bool { return t.cents >= cents }");
});
