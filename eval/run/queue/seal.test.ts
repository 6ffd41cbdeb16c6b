import { expect, test } from "vitest";
import { z } from "zod";
import { seal, unseal } from "./seal.ts";

const KEY = "a secret of this test";

test("a seal holds for its purpose and its text alone", () => {
  const sealed = seal(KEY, ["result", "r", "a"], { n: 1 });
  const Value = z.object({ n: z.number() });
  expect(unseal(KEY, ["result", "r", "a"], sealed, Value)).toMatchObject({ value: { n: 1 } });
  expect(unseal(KEY, ["result", "r", "b"], sealed, Value)).toBeNull();
  expect(unseal(KEY, ["result", "r", "a"], { ...sealed, body: `${sealed.body}A` }, Value)).toBeNull();
  expect(unseal(KEY, ["result", "r", "a"], { n: 1 }, Value)).toBeNull();
  expect(unseal(KEY, ["result", "r", "a"], seal(KEY, ["result", "r", "a"], { n: "1" }), Value)).toBeNull();
});

test("what is attached comes back byte for byte", () => {
  for (const text of ["", "\n", `{\n  "a": "\\n\u2028ü"\n}\n`]) {
    const unsealed = unseal(KEY, ["result"], seal(KEY, ["result"], { text: "a\nb" }, text), z.unknown());
    expect(unsealed?.value).toEqual({ text: "a\nb" });
    expect(new TextDecoder().decode(unsealed?.attached)).toBe(text);
  }
});
