import { expect, test } from "vitest";
import { withCountedLoops } from "./loop_limits.ts";

const counted = (code: string) => withCountedLoops(code, " T();", "t");

test("every loop counts its turns, where it stands and without a new line", () => {
  for (const [code, now] of [
    ["while (x > 0) { x--; }", "while (x > 0) { T(); x--; }"],
    ["while (f(x)) x--;", "while (t(f(x))) x--;"],
    ["for (int i = 0; i < n; i++) s += i;", "for (int i = 0;t( i < n); i++) s += i;"],
    ["for (;;) { break; }", "for (;;) { T(); break; }"],
    ["do { x--; } while (x > 0);", "do { T(); x--; } while (t(x > 0));"],
    ["for (int a : b) { for (int c : d) e++; }", "for (int a : b) { T(); for (int c : d) e++; }"],
    ['String s = "while (x) {";', 'String s = "while (x) {";'],
  ] as const)
    expect(counted(code)).toBe(now);
});

test("a loop that always goes on still says so, or what follows it would be reached", () => {
  expect(counted("while (true) step();")).toBe("while (true) step();");
  expect(counted("for (;;) step();")).toBe("for (;;) step();");
});
