import fc from "fast-check";
import { expect, test } from "vitest";
import { headAndTail } from "./text.ts";

test("a text that fits stays as it is", () => {
  expect(headAndTail("abc\n", 4)).toBe("abc\n");
});

test("head and tail stay, and the note counts what is left out", () => {
  const text = Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n");
  const short = headAndTail(text, 100);
  expect(short.startsWith("line 0\n")).toBe(true);
  expect(short.endsWith("\nline 99")).toBe(true);
  const omitted = Number(/… (\d+) characters/.exec(short)?.[1]);
  const note = /\n… .* …\n/.exec(short)?.[0] ?? "";
  expect(short.length - note.length + omitted).toBe(text.length);
});

test("no half of a surrogate pair is left, and the shown parts never exceed the limit", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 30, maxLength: 200 }),
      fc.integer({ min: 2, max: 20 }),
      (text, max) => {
        const short = headAndTail(text, max);
        expect(short.isWellFormed()).toBe(true);
        if (text.length > max)
          expect(short.replace(/\n… \d+ characters left out …\n/, "").length).toBeLessThanOrEqual(max);
      },
    ),
  );
});
