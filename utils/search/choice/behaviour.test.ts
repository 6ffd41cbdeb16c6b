import { expect, test } from "vitest";
import { differingInput, isOpaque, isSame, newError, readBehaviours, valueOn } from "./behaviour.ts";

const SAID = `near 0 (1, "a b")
near 1 (2)
near 2 ({1, 2, 3})
gave 0 0 v 4
gave 0 1 v "x y"
gave 0 2 raised
gave 1 0 v 5
gave 1 1 v ""
gave 1 2 v 7
gave 2 0 v ?
gave 2 1 v ""
`;

test("what versions give is read by input; what one did not say is cut", () => {
  const found = readBehaviours(SAID, 3);
  expect(found?.inputs).toEqual(['(1, "a b")', "(2)", "({1, 2, 3})"]);
  expect(found?.of[0]).toEqual(["4", '"x y"', "raised"]);
  expect(found?.of[2]).toEqual(["(opaque) ?", '""', "cut"]);
  expect(readBehaviours("nothing of it", 2)).toBeNull();
});

test("a version raises a new error on the shortest input for which only it raises one", () => {
  const raised = ["raised", "raised", "raised"];
  expect(newError(["(1, 2)", "(3)", "(4, 5)"], ["1", "raised", "2"], raised)).toBe("(1, 2)");
  expect(newError(["(1, 2)", "(3)", "(4, 5)"], ["1", "0", "cut"], raised)).toBe("(3)");
  expect(newError(["(1)"], ["1"], ["2"])).toBeUndefined();
});

test("versions differ on the shortest input on which both give a value", () => {
  const { inputs = [], of = [] } = readBehaviours(SAID, 3) ?? {};
  const [first = [], second = [], opaque = []] = of;
  expect(differingInput(inputs, first, second)).toBe(1);
  expect(differingInput(inputs, second, second)).toBeNull();
  expect(differingInput(["1", "12"], ["(opaque) ?", "3"], ["2", "4"]), "of values that can be written down").toBe(1);
  expect([isSame(first, second), isSame(first, [...first])]).toEqual([false, true]);
  expect([isOpaque(first), isOpaque(opaque)]).toEqual([false, true]);
  expect([valueOn(first, 1), valueOn(first, 2), valueOn(opaque, 0)]).toEqual(['"x y"', null, null]);
});
