import { expect, test } from "vitest";
import { withoutTwins } from "./twins.ts";

const kept = (before: string, ...edits: string[]) => withoutTwins(edits, (after) => ({ before, after }));

test("of ways to write one number one is kept, at the place of the first: as the program writes it", () => {
  expect(kept("return a", "return 0.0", "return 0", "return 1.0 / 2")).toEqual(["return 0.0", "return 1.0 / 2"]);
  expect(kept("return True", "return 0", "return x", "return False")).toEqual(["return False", "return x"]);
  expect(kept("return 2", "return False", "return 0")).toEqual(["return 0"]);
  expect(kept("return true;", "return 1;", "return false;")).toEqual(["return 1;", "return false;"]);
});
