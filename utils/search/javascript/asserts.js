// What tests say their expectations with: `assert`, `expect`, and the `t` of a test. A failure is a Wrong, without a
// text.

const util = require("node:util");
const nodeAssert = require("node:assert");

class Wrong extends Error {}
const WRONG = new Wrong("wrong");
const same = util.isDeepStrictEqual;

function must(holds) {
  if (!holds) throw WRONG;
}

/** Equal with `==` inside, as `assert.deepEqual` has it. */
function loose(a, b) {
  if (same(a, b)) return true;
  try {
    nodeAssert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** Whether what was thrown is what a test asked for: a class, a pattern, an object's properties, or a function. */
function isWanted(error, wanted) {
  if (wanted === undefined || typeof wanted === "string") {
    return wanted === undefined || String(error?.message).includes(wanted);
  }
  if (wanted instanceof RegExp) return wanted.test(String(error?.message)) || wanted.test(String(error));
  if (typeof wanted === "function") {
    return wanted.prototype !== undefined && error instanceof wanted
      ? true
      : !wanted.prototype && wanted(error) === true;
  }
  return Object.entries(wanted).every(([key, value]) => same(error?.[key], value) || value?.test?.(error?.[key]));
}

function throwing(action, wanted) {
  try {
    action();
  } catch (error) {
    if (error === CUT) throw error;
    return isWanted(error, wanted);
  }
  return false;
}

const rejecting = async (promise, wanted) => {
  try {
    await (typeof promise === "function" ? promise() : promise);
  } catch (error) {
    return isWanted(error, wanted);
  }
  return false;
};

const ok = (value) => must(value);
// biome-ignore lint/suspicious/noDoubleEquals: it is what `assert.equal` means
const equal = (a, b) => must(a == b || (Number.isNaN(a) && Number.isNaN(b)));
const assertions = {
  ok,
  equal,
  notEqual: (a, b) => must(a !== b),
  strictEqual: (a, b) => must(Object.is(a, b)),
  notStrictEqual: (a, b) => must(!Object.is(a, b)),
  deepEqual: (a, b) => must(loose(a, b)),
  notDeepEqual: (a, b) => must(!loose(a, b)),
  deepStrictEqual: (a, b) => must(same(a, b)),
  notDeepStrictEqual: (a, b) => must(!same(a, b)),
  match: (text, pattern) => must(pattern.test(text)),
  doesNotMatch: (text, pattern) => must(!pattern.test(text)),
  throws: (action, wanted) => must(throwing(action, typeof wanted === "string" ? undefined : wanted)),
  doesNotThrow: (action) => action(),
  rejects: async (promise, wanted) => must(await rejecting(promise, wanted)),
  fail: () => must(false),
  ifError: (error) => must(error === null || error === undefined),
};
const assert = Object.assign((value) => must(value), assertions);
Object.assign(assert, { strict: Object.assign((value) => must(value), assertions) });
Object.assign(assert.strict, { equal: assert.strictEqual, deepEqual: assert.deepStrictEqual });
Object.assign(assert.strict, { notEqual: assert.notStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
// chai's `assert`
Object.assign(assert, {
  isTrue: (v) => must(v === true),
  isFalse: (v) => must(v === false),
  isNull: (v) => must(v === null),
});
Object.assign(assert, { isUndefined: (v) => must(v === undefined), lengthOf: (v, n) => must(v.length === n) });

/**
 * The argument of a test: `t` of node:test and tape, with the names that both have for the same, and mocha's `done`.
 */
const testing = Object.assign((error) => assertions.ifError(error), {
  ...assertions,
  assert: assert.strict,
  is: assertions.strictEqual,
  same: assertions.deepEqual,
  true: ok,
  false: (value) => must(!value),
  notOk: (value) => must(!value),
  pass: () => {},
  end: () => {},
  plan: () => {},
  diagnostic: () => {},
  teardown: () => {},
  test: (_, run) => run(testing),
});

const includes = (all, part) =>
  typeof all === "string" || Array.isArray(all) ? all.includes(part) : (all?.has?.(part) ?? Object.hasOwn(all, part));
/** Whether all that `part` has stands in `value`. */
const isLike = (value, part) =>
  part !== null && typeof part === "object" && !Array.isArray(part)
    ? Object.entries(part).every(([key, one]) => isLike(value?.[key], one))
    : same(value, part);
const plain = (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value)));

/** By the names that jest, vitest and chai have: whether a value is as it is asked to be. */
const MATCHERS = {
  toBe: Object.is,
  toEqual: (a, b) => same(a, b) || same(plain(a), plain(b)),
  toStrictEqual: same,
  toBeCloseTo: (a, b, digits = 2) => a === b || Math.abs(a - b) < 10 ** -digits / 2,
  toBeNull: (a) => a === null,
  toBeUndefined: (a) => a === undefined,
  toBeDefined: (a) => a !== undefined,
  toBeNaN: (a) => Number.isNaN(a),
  toBeTruthy: (a) => Boolean(a),
  toBeFalsy: (a) => !a,
  toContain: includes,
  toContainEqual: (all, part) => [...all].some((one) => same(one, part)),
  toHaveLength: (a, length) => a.length === length,
  toHaveProperty: (a, name, ...value) => a != null && name in a && value.every((one) => same(a[name], one)),
  toMatch: (a, pattern) => (typeof pattern === "string" ? a.includes(pattern) : pattern.test(a)),
  toMatchObject: isLike,
  toBeGreaterThan: (a, b) => a > b,
  toBeGreaterThanOrEqual: (a, b) => a >= b,
  toBeLessThan: (a, b) => a < b,
  toBeLessThanOrEqual: (a, b) => a <= b,
  toBeInstanceOf: (a, kind) => a instanceof kind,
  toThrow: throwing,
  toThrowError: throwing,
  eql: same,
  closeTo: (a, b, delta) => Math.abs(a - b) <= delta,
  above: (a, b) => a > b,
  below: (a, b) => a < b,
  least: (a, b) => a >= b,
  most: (a, b) => a <= b,
  a: (a, kind) => (Array.isArray(a) ? "array" : a === null ? "null" : typeof a) === kind,
  match: (a, pattern) => pattern.test(a),
  throw: throwing,
  property: (a, name, ...value) => name in Object(a) && value.every((one) => same(a[name], one)),
  lengthOf: (a, length) => a.length === length,
  members: (a, all) => a.length === all.length && all.every((one) => a.some((other) => same(one, other))),
};
Object.assign(MATCHERS, { include: includes, contain: includes, an: MATCHERS.a, instanceof: MATCHERS.toBeInstanceOf });
/** chai's words that are asked without a call. */
const ASKED = {
  true: (a) => a === true,
  false: (a) => a === false,
  null: (a) => a === null,
  undefined: (a) => a === undefined,
  ok: Boolean,
  NaN: Number.isNaN,
  empty: (a) => (a.length ?? a.size ?? Object.keys(a).length) === 0,
};

/** `expect(value)` of jest, vitest and chai. */
function expect(value, { not = false, deep = false, awaits = null } = {}) {
  const judge = (matcher, ...wanted) => {
    if (awaits === null) return must(matcher(value, ...wanted) !== not);
    const fails = awaits === "rejects";
    return Promise.resolve(value).then(
      (got) => must(!fails && matcher(got, ...wanted) !== not),
      (error) => {
        if (!fails || error === WRONG) throw error;
        const thrown = matcher === throwing ? isWanted(error, ...wanted) : matcher(error, ...wanted);
        must(thrown !== not);
      },
    );
  };
  return new Proxy(Object.create(null), {
    get: (_, name) => {
      if (name === "not") return expect(value, { not: !not, deep, awaits });
      if (name === "deep") return expect(value, { not, deep: true, awaits });
      if (name === "rejects" || name === "resolves") return expect(value, { not, deep, awaits: name });
      if (name === "equal" || name === "equals") return (wanted) => judge(deep ? same : Object.is, wanted);
      if (Object.hasOwn(ASKED, name)) return judge(ASKED[name]);
      if (!Object.hasOwn(MATCHERS, name)) return expect(value, { not, deep, awaits });
      const matcher = deep && /^(include|contain)$/.test(name) ? MATCHERS.toContainEqual : MATCHERS[name];
      return (...wanted) => judge(matcher, ...wanted);
    },
  });
}
