import { expect, test } from "vitest";
import { endsProgram } from "./ends_program.ts";

test.each([
  ["shop::main", "int main() { return 0; }"],
  ["A.check", "static void check(int a, int b) { if (a != b) throw new AssertionError(a); }"],
  ["A.check", "static void check(boolean right) { assert right; }"],
  ["check", "func check(got, want int) {\n\tif got != want {\n\t\tpanic(got)\n\t}\n}"],
  ["check", "func check(ok bool) { if !ok { os.Exit(1) } }"],
  ["check", "fn check(a: u8) { assert_eq!(a, 1); }"],
  ["check", "fn check(a: u8) { if a != 1 { std::process::exit(1) } }"],
  ["check", "void check(int a) {\n  if (a != 1) std::abort();\n  return;\n}"],
  ["eq", "void eq(int a, int b) { assert(a == b); count++; }"],
  ["A.check", "void check(int a) { assert a == 1; count++; }"],
  ["A.eq", "static void eq(int a, int b) { assert a == b; count++; }"],
  ["Suite::grows", "void grows() { Stack s; s.most = 3; s.push(1); assert(s.size() == 1); }"],
  ["tests::grows", "fn grows() { assert_eq!(f(), 1); let mut n = 0; n += 1; }"],
])("%s is the test: %s", (name, text) => {
  expect(endsProgram(name, text)).toBe(true);
});

test.each([
  ["Stack::push", "void push(int x) { assert(size < most); items[size++] = x; }"],
  ["Stack.push", "void push(int x) {\n  if (size == most) throw new AssertionError();\n  items[size++] = x;\n}"],
  [
    "Stack::push",
    "pub fn push(&mut self, x: u8) { assert!(self.size < 9); self.items[self.size] = x; self.size += 1; }",
  ],
  ["Stack.Push", "func (s *Stack) Push(x int) {\n\tif s.size == 9 {\n\t\tpanic(s)\n\t}\n\ts.size++\n}"],
  ["half", "int half(int x) { assert(x >= 0); return x / 2; }"],
  ["A.domain", "int domain() { return 1; }"],
  ["add", "void add(int x) { items.push_back(x); }"],
  ["assertion", "void assertion(int x) { sum += x; }"],
])("%s is none: %s", (name, text) => {
  expect(endsProgram(name, text)).toBe(false);
});
