import { expect, test } from "vitest";
import { readShares, splitTasks } from "./splits.ts";

const tasks = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `Python/${i}` }));
const lengths = (count: number) => {
  const { dev, validation, sealed } = splitTasks(tasks(count));
  return [dev, validation, sealed].map(({ length }) => length);
};

test("164 tasks make 64, 50 and 50; smaller sets the same in proportion", () => {
  expect(lengths(164)).toEqual([64, 50, 50]);
  expect(lengths(82)).toEqual([32, 25, 25]);
  expect(lengths(10)).toEqual([4, 3, 3]);
  expect(lengths(1)).toEqual([1, 0, 0]);
});

test("every task is in exactly one split", () => {
  const { dev, validation, sealed } = splitTasks(tasks(82));
  expect([...dev, ...validation, ...sealed].map(({ id }) => id).sort()).toEqual(
    tasks(82)
      .map(({ id }) => id)
      .sort(),
  );
});

test("the order of the dataset does not matter", () => {
  expect(splitTasks(tasks(40).reverse())).toEqual(splitTasks(tasks(40)));
});

test("a split is no run of neighbours: its tasks come from the whole set", () => {
  const positions = splitTasks(tasks(164)).dev.map(({ id }) => Number(id.split("/")[1]));
  expect(Math.min(...positions)).toBeLessThan(20);
  expect(Math.max(...positions)).toBeGreaterThan(143);
});

test("shares can be given: any unit, and each split stays a beginning, middle or end of the same order", () => {
  const { dev, validation, sealed } = splitTasks(tasks(82), readShares("15,55,30"));
  expect([dev.length, validation.length, sealed.length]).toEqual([12, 45, 25]);
  expect(splitTasks(tasks(82)).dev.slice(0, 12)).toEqual(dev);
  expect(splitTasks(tasks(82), readShares("0.3,1.1,0.6"))).toEqual({ dev, validation, sealed });
});

test.each(["15,55", "15,55,30,1", "0,50,50", "a,b,c", ""])("shares %j are refused in a sentence", (text) => {
  expect(() => readShares(text)).toThrow(/three shares above 0/);
});
