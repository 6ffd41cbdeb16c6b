/** How assertions are called in JavaScript, in all the libraries that are in use. */

import { oneOf } from "../../utils/base/text/patterns.ts";
import { opposites } from "./expectations.ts";

/** Assertions that compare two values, as members of what is called `assert` or `t`; of one value in a chain. */
export const EQUAL = new RegExp(
  `^${oneOf(
    /(?:(?:strict|deep|deepStrict|looseDeep|deepLoose|loose|shallow)?equals?|same|is|eql?|be|match|closeTo|isEqual)/,
    /(?:lengthOf|includes?|contains?)/,
    /(?:toBe|toEqual|toStrictEqual|toBeCloseTo|toHaveLength|toContain|toContainEqual|toMatchObject)/,
    /(?:toHaveBeenCalledWith|toHaveBeenCalledTimes|toReturnWith)/,
  )}$`,
  "i",
);
export const EQUAL_NAME = /^(?:assert|strict|deep|deepStrict)_?Equals?$|^equals?$/i;
export const TRUTH = /^(?:ok|notOk|true|false|truthy|falsy|isTrue|isFalse|isOk|isNotOk|assert)$/;
export const THROWS = /^(?:throws|throwsAsync|rejects|toThrow|toThrowError|throw|Throw)$/;
export const OPPOSITES = opposites([
  ["toBeTruthy", "toBeFalsy"],
  ["toBeDefined", "toBeUndefined"],
  ["toBeNull", "toBeTruthy"],
  ["toBeGreaterThan", "toBeLessThanOrEqual"],
  ["toBeLessThan", "toBeGreaterThanOrEqual"],
  ["toHaveBeenCalled", "toHaveBeenNthCalledWith"],
  ["true", "false"],
  ["null", "NaN"],
  ["undefined", "null"],
  ["isNull", "isNotNull"],
  ["isUndefined", "isDefined"],
]);
export const ASSERTER = /^(?:assert|t|st|tt|test|chai|should|expect|is|ctx|QUnit)$|assert$/i;
export const TESTS = /^(?:it|test|specify|t|tape|st|tt)$/;
export const NEGATION = /^(?:not|never)$|^not[A-Z]|^doesNot/;
