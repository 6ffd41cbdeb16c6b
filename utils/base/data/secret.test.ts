import { expect, test } from "vitest";
import { Hub } from "./hub.ts";
import { secretFrom } from "./secret.ts";

test("a key that no header could hold is refused by its variable's name, and is not shown", () => {
  expect(secretFrom({ KEY: " sk-abc_123/+=\n" }, "KEY")).toBe("sk-abc_123/+=");
  expect(secretFrom({ KEY: " " }, "KEY")).toBeUndefined();
  for (const key of ["sk-abc…", "“sk-abc”", "sk-abc\nsk-abc", "sk abc"])
    expect(() => secretFrom({ KEY: key }, "KEY")).toThrow(
      /^KEY holds a character that no key has(?!.*sk).* whole key\.$/,
    );
  expect(() => new Hub("model", { HF_TOKEN: "hf_…" })).toThrow(/^HF_TOKEN holds a character/);
});
