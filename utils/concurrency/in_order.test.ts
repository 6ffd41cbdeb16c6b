import { expect, test } from "vitest";
import { inOrder } from "./in_order.ts";

test("items come in the order of their keys, each as soon as all before it are there", () => {
  const told: string[] = [];
  const lines = inOrder<string>(["a", "b", "c", "d", "e"], (item) => told.push(item));
  lines.add("c", "C");
  expect(told).toEqual([]);
  lines.add("a", "A");
  expect(told).toEqual(["A"]);
  lines.add("e", "E");
  lines.flush();
  expect(told).toEqual(["A", "C", "E"]);
});
