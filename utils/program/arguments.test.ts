import { expect, test } from "vitest";
import { UserError } from "../base/data/errors.ts";
import { Arguments } from "./arguments.ts";

const seconds = (time: string) => new Arguments<"time">({ time }, []).seconds("time");

test.each([
  ["30", 30],
  ["30s", 30],
  ["1.5m", 90],
  ["2h", 7200],
])("a time of %s is %d seconds", (text, expected) => {
  expect(seconds(text)).toBe(expected);
});

test.each(["", "s", "-3", "0", "0.5", "3 days", "1e3", "Infinity"])('a time of "%s" is refused', (text) => {
  expect(() => seconds(text)).toThrow(UserError);
  expect(() => seconds(text)).toThrow(`--time takes a time from 1 seconds, such as 30, 30s or 2m, not "${text}".`);
});
