import { expect, test } from "vitest";
import { PromptLookup } from "./drafts.ts";

test("drafts what followed the last three tokens before, within the room there is", () => {
  const lookup = new PromptLookup([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(lookup.propose(6)).toEqual([]);
  for (const token of [2, 3, 4]) lookup.push(token);
  expect(lookup.propose(3)).toEqual([5, 6, 7]);
  expect(lookup.propose(0)).toEqual([]);
});

test("what repeats goes on repeating", () => {
  const lookup = new PromptLookup([9, 1, 2, 1, 2, 1, 2]);
  expect(lookup.propose(5)).toEqual([1, 2, 1, 2, 1]);
  for (const token of [7, 7, 7, 7]) lookup.push(token);
  expect(lookup.propose(4)).toEqual([7, 7, 7, 7]);
});

test("drafts grow while they hold and shrink while they do not", () => {
  const lookup = new PromptLookup(Array.from({ length: 40 }, (_, i) => i % 20));
  const length = (drafted: number, held: number): number => {
    lookup.report(drafted, held);
    return lookup.propose(100).length;
  };
  expect([length(6, 6), length(12, 12), length(12, 1), length(6, 0), length(3, 0), length(2, 2)]).toEqual([
    12, 12, 6, 3, 2, 4,
  ]);
});
