import { expect, test } from "vitest";
import { z } from "zod";
import { seal, unseal } from "./seal.ts";

const KEY = "a secret of this test";

test("a seal holds for its purpose and its text alone", () => {
  const sealed = seal(KEY, ["result", "r", "a"], { n: 1 });
  const Value = z.object({ n: z.number() });
  expect(unseal(KEY, ["result", "r", "a"], sealed, Value)).toEqual({ n: 1 });
  expect(unseal(KEY, ["result", "r", "b"], sealed, Value)).toBeNull();
  expect(unseal(KEY, ["result", "r", "a"], { ...sealed, body: `${sealed.body}A` }, Value)).toBeNull();
  expect(unseal(KEY, ["result", "r", "a"], { n: 1 }, Value)).toBeNull();
});
