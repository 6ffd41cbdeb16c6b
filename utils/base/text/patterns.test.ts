import { expect, test } from "vitest";
import { oneOf } from "./patterns.ts";

test("parts are alternatives of one group, so what stands around it holds for each", () => {
  const pattern = new RegExp(`^${oneOf(/a|b/, "c", /\/d/i)}$`);
  expect(["a", "b", "c", "/d"].every((text) => pattern.test(text))).toBe(true);
  expect(["ac", "c/", "/D", ""].some((text) => pattern.test(text))).toBe(false);
});
