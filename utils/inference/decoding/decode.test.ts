import { expect, test } from "vitest";
import { endsInLoop } from "./decode.ts";

const times = (count: number, ...tokens: number[]) => Array.from({ length: count }, () => tokens).flat();

test.each([
  ["one token over and over", times(200, 7)],
  ["a line over and over, after text of its own", [...times(1, 1, 2, 3), ...times(40, 4, 5, 6, 7, 8)]],
  ["a paragraph of 60 tokens, nine times", times(9, ...Array.from({ length: 60 }, (_, i) => i))],
])("a loop: %s", (_, tokens) => expect(endsInLoop(tokens)).toBe(true));

test.each([
  ["a table of a hundred zeros", times(100, 0)],
  ["a function twice", times(2, ...Array.from({ length: 60 }, (_, i) => i))],
  ["a loop that was left", [...times(300, 7), 1, 2, 3]],
  ["counting", Array.from({ length: 400 }, (_, i) => i)],
])("no loop: %s", (_, tokens) => expect(endsInLoop(tokens)).toBe(false));
