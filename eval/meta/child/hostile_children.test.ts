// @module-tag deep
import { expect, test } from "vitest";
import { ATTACKS } from "../testing/hostile/attacks.ts";
import { checkChildren } from "../testing/hostile/check_children.ts";

test("there are enough of them, each with a name of its own", () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(20);
  expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
});

checkChildren("self");
