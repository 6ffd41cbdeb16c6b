/** The checks of the small testify that Go's tests are judged with. */

/** By their parameters, and the name of each: when it holds, by the rules of `runner/assert/rules.go`. */
const CHECKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "expected, actual interface{}": {
    Equal: "same(expected, actual)",
    NotEqual: "!same(expected, actual)",
    EqualValues: "sameValue(expected, actual)",
    NotEqualValues: "!sameValue(expected, actual)",
    Exactly: "sameType(expected, actual) && same(expected, actual)",
    IsType: "sameType(expected, actual)",
  },
  "value bool": {
    True: "value",
    False: "!value",
  },
  "value interface{}": {
    Nil: "isNil(value)",
    NotNil: "!isNil(value)",
    Empty: "isEmpty(value)",
    NotEmpty: "!isEmpty(value)",
    Zero: "isZero(value)",
    NotZero: "!isZero(value)",
  },
  "value interface{}, length int": {
    Len: "hasLength(value, length)",
  },
  "value, part interface{}": {
    Contains: "contains(value, part)",
    NotContains: "isCollection(value) && !contains(value, part)",
    Subset: "isSubset(value, part)",
  },
  "one, other interface{}": {
    ElementsMatch: "sameElements(one, other)",
    Greater: "isOrdered(one, other, 1)",
    GreaterOrEqual: "isOrdered(one, other, 1, 0)",
    Less: "isOrdered(one, other, -1)",
    LessOrEqual: "isOrdered(one, other, -1, 0)",
  },
  "expected, actual interface{}, delta float64": {
    InDelta: "isNear(expected, actual, delta)",
    InDeltaSlice: "areNear(expected, actual, delta)",
  },
  "expected, actual interface{}, epsilon float64": {
    InEpsilon: "isNearly(expected, actual, epsilon)",
  },
  "err error": {
    Error: "err != nil",
    NoError: "err == nil",
  },
  "err error, text string": {
    EqualError: "err != nil && err.Error() == text",
    ErrorContains: "err != nil && strings.Contains(err.Error(), text)",
  },
  "f func()": {
    Panics: "panics(f)",
    NotPanics: "!panics(f)",
  },
  "holds func() bool": {
    Condition: "holds()",
  },
};

/** A file of the package `assert`: each as a function for a test, and as a method of `assert.New(t)`. */
export const assertions = (): string =>
  [
    'package assert; import "strings"',
    ...Object.entries(CHECKS).flatMap(([parameters, checks]) => {
      const given = parameters.split(", ").map((one) => one.replace(/ .*/, ""));
      const list = `${parameters}, more ...interface{}) bool`;
      return Object.entries(checks).flatMap(([name, holds]) => [
        `func ${name}(t TestingT, ${list} { return hold(t, ${holds}, more) }`,
        `func (a *Assertions) ${name}(${list} { return ${name}(a.t, ${given.join(", ")}, more...) }`,
      ]);
    }),
  ].join("\n");
