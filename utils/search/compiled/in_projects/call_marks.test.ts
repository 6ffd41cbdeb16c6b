import { expect, test } from "vitest";
import { withMarks } from "./call_marks.ts";

const JAVA = `class Shelf {
    Shelf() {
        this(0);
    }
    Shelf(int size) { super(); }
    int size() { return 1; }
    abstract int kind();
    static class Inner {
        Inner() { size = 1; }
        void put(String text)
            throws Exception {
            Runnable later = () -> { text.length(); };
        }
    }
}
`;

const RUST = `const fn two() -> usize { 2 }
pub fn outer<T: Clone>(items: &[T]) -> usize {
    fn inner() -> usize { 1 }
    items.len() + inner()
}
trait Named { fn name(&self) -> String; fn both(&self) -> String { self.name() } }
`;

test("each function that can be marked is, on its own line, and no line moves", async () => {
  const java = await withMarks("java", "src/Shelf.java", JAVA, 5);
  expect([...java.marked]).toEqual([
    [5, 6],
    [6, 9],
    [7, 11],
  ]);
  expect(java.unmarked, "where another constructor comes first").toEqual([2, 5]);
  const rust = await withMarks("rust", "src/lib.rs", RUST, 1);
  expect([...rust.marked]).toEqual([
    [1, 2],
    [2, 3],
    [3, 6],
  ]);
  expect(rust.unmarked, "what is called while it is compiled").toEqual([1]);
  for (const [{ text }, before] of [
    [java, JAVA],
    [rust, RUST],
  ] as const) {
    expect(text.split("\n").length).toBe(before.split("\n").length);
    expect(text.replace(/ (?:if \(java\.lang|\{ static RAN)[^\n]*?(?:mkdir\(\);|\}\); \})/g, "")).toBe(before);
  }
});

test("what runs before the program, or has no system below it, is left as it is", async () => {
  for (const [file, text] of [
    ["build.rs", "fn main() {}\n"],
    ["src/lib.rs", "#![no_std]\npub fn one() -> u8 { 1 }\n"],
  ] as const) {
    const { marked, unmarked, text: now } = await withMarks("rust", file, text, 1);
    expect([marked.size, unmarked.length, now]).toEqual([0, 1, text]);
  }
});
