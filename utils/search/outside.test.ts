/** What a file declares beside the function that is edited, and the edits that come of it. */

import { expect, test } from "vitest";
import type { CompiledName } from "./tables.ts";
import { editsIn, factsOf } from "./testing/compiled_edits.ts";

const GO = `package shapes

const least = 3

var grown, shrunk int

type Rect struct {
	X, Y          int
	Width, Height int
	name          string
}

func larger(a, b int) int { return a }

func smaller(a, b int) int { return b }

func reached(r *Rect, by int) int {
	grown += by
	return larger(r.Width, r.Y) + by
}
`;

const JAVA = `import java.util.*;
class Stock {
    record Item(int price, int weight) {}
    private static int made = 0;
    private int kept, sold;
    private final List<Item> items = new ArrayList<>();
    int first() { return items.get(0).price(); }
    int last() { return items.get(items.size() - 1).price(); }
    int worth(Item item, int number) {
        kept += number;
        return first() * item.price();
    }
}
`;

const CPP = `#include <deque>
#include <memory>
int scaled(int by);
struct Node {
    int key;
    std::unique_ptr<Node> left, right;
    int depth() const { return 1; }
    int width() const;
};
class Tree {
    std::deque<int> seen_;
    int size_ = 0, most_ = 0;
    void look(const Node* at, int key) {
        if (size_ > key) seen_.push_back(at->depth());
        if (at->left) look(at->left.get(), key);
        seen_.pop_back();
        seen_.push_front(1);
    }
};
`;

const RUST = `const LEAST: u32 = 2;
const MOST: u32 = 9;
struct Window<T> { start: u32, end: u32, held: Vec<T> }
impl<T> Window<T> {
    fn span(&self, by: u32) -> u32 { self.end - self.start + by }
    fn moved(&self, by: u32) -> u32 { self.start + by }
    fn left(&self, by: u32) -> u32 { self.span(LEAST) - self.end }
}
`;

test.each<[CompiledName, string, string, readonly (readonly [old: string, now: string, operator: string])[]]>([
  [
    ...(["go", GO, "reached"] as const),
    [
      ["r.Width", "r.Height", "attribute"],
      ["r.Y", "r.X", "attribute"],
      ["larger(r", "smaller(r", "function"],
      ["grown +=", "shrunk +=", "variable"],
      ["Y) + by", "Y) + least", "variable"],
    ],
  ],
  [
    ...(["java", JAVA, "worth"] as const),
    [
      ["kept +=", "sold +=", "variable"],
      ["first() *", "last() *", "function"],
      ["first() * item.price", "first() * item.weight", "function"],
    ],
  ],
  [
    ...(["cpp", CPP, "look"] as const),
    [
      ["at->depth()", "at->width()", "function"],
      ["look(at->left", "look(at->right", "attribute"],
      ["size_ > key", "most_ > key", "variable"],
      ["seen_.pop_back()", "seen_.pop_front()", "function"],
      ["seen_.push_back(at", "seen_.push_front(at", "function"],
    ],
  ],
  [
    ...(["rust", RUST, "left"] as const),
    [
      ["self.span(LEAST)", "self.moved(LEAST)", "function"],
      ["- self.end }", "- self.start }", "attribute"],
      ["span(LEAST)", "span(MOST)", "variable"],
    ],
  ],
])("%s: fields, functions and variables of the file are exchanged for those of their kind", async (...row) => {
  const [language, program, entry, expected] = row;
  const edits = await editsIn(language, program, entry);
  for (const [old, now, operator] of expected) {
    expect(program).toContain(old);
    const made = edits.find((edit) => edit.program === program.replace(old, () => now));
    expect([now, made?.operator]).toEqual([now, operator]);
  }
});

test("what is declared in a list of parameters or in another function is not known outside of it", async () => {
  const facts = await factsOf("go", GO, "reached");
  expect(facts.namesAt(facts.body.endIndex - 1).map(({ name }) => name)).toEqual([
    "least",
    "grown",
    "shrunk",
    "r",
    "by",
  ]);
  expect(facts.fieldsOf("Rect").map(({ name }) => name)).toEqual(["X", "Y", "Width", "Height", "name"]);
});
