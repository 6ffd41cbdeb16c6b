import fc from "fast-check";
import { expect, test } from "vitest";
import { Detokenizer, StopFilter } from "./text_stream.ts";

/** One byte a token. */
const decode = (ids: readonly number[]): string => Buffer.from(ids).toString("utf8");

test("any text comes out whole, however many tokens a character takes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const detokenizer = new Detokenizer(decode);
      const parts = [...Buffer.from(text)].map((byte) => detokenizer.push(byte));
      expect(parts.join("") + detokenizer.flush()).toBe(text);
      if (!text.includes("\ufffd")) expect(parts.join("")).not.toContain("\ufffd");
    }),
  );
});

test("a replacement character is a character like others, and broken bytes end", () => {
  const shown = (bytes: Buffer): string[] => {
    const detokenizer = new Detokenizer(decode);
    return [...[...bytes].map((byte) => detokenizer.push(byte)), detokenizer.flush()].filter((part) => part !== "");
  };
  expect(shown(Buffer.from("\ufffdé\ufffd\u3000\ufffd🎈x")).join("")).toBe("\ufffdé\ufffd\u3000\ufffd🎈x");
  expect(shown(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x41])).join("")).toBe(`${"\ufffd".repeat(6)}A`);
  expect(shown(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]))[0]).toBe("\ufffd");
});

test("however a text is cut into parts, it ends at the first stop text", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c") });
  fc.assert(
    fc.property(fc.array(letters), fc.array(letters, { maxLength: 3 }), (parts, stops) => {
      const filter = new StopFilter(stops);
      const shown = parts.map((part) => filter.push(part)).join("") + filter.flush();
      const text = parts.join("");
      const ends = stops.filter((s) => s !== "" && text.includes(s)).map((s) => firstEnd(text, s));
      const first = ends.toSorted((a, b) => a.end - b.end || a.start - b.start)[0];
      if (first) expect(text.startsWith(shown) && shown.length <= first.start).toBe(true);
      else expect(shown).toBe(text);
      expect(stops.filter((s) => s !== "" && shown.includes(s))).toEqual([]);
    }),
  );
});

const firstEnd = (text: string, stop: string) => ({ start: text.indexOf(stop), end: text.indexOf(stop) + stop.length });
