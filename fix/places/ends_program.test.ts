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
])("%s is the test: %s", (name, text) => {
  expect(endsProgram(name, text)).toBe(true);
});

test.each([
  ["half", "int half(int x) { assert(x >= 0); return x / 2; }"],
  ["A.domain", "int domain() { return 1; }"],
  ["add", "void add(int x) { items.push_back(x); }"],
  ["assertion", "void assertion(int x) { sum += x; }"],
])("%s is none: %s", (name, text) => {
  expect(endsProgram(name, text)).toBe(false);
});
