// Plain JavaScript values as JSON and back: what may cross between a candidate and its judge.
//
// Plain are undefined, null, booleans, numbers, bigints, strings, dates, and arrays, maps, sets and objects of these.
// An object of a class crosses as the plain object of its own properties, so no method that a candidate wrote ever runs
// in the judge. Everything else becomes an Opaque, which is equal to nothing. JSON scalars and arrays stand for
// themselves; every other value is an object with one key that names its kind.

const MAX_DEPTH = 100;
const MAX_ITEMS = 1_000_000;
const ODD_NUMBERS = { NaN: Number.NaN, Infinity: Infinity, "-Infinity": -Infinity, "-0": -0 };

/** The value, named by the message, cannot cross. */
class NotPlain extends Error {}

/** Stands in the judge for a value that is not plain: it has no truth to compare, and no two are alike. */
class Opaque {
  #description;

  constructor(description) {
    this.#description = description;
    // `deepEqual` ignores classes and symbols and would see `{}`. This property throws when something reads it.
    Object.defineProperty(this, "opaque", { enumerable: true, get: () => this[Symbol.toPrimitive]() });
    this[Symbol("opaque")] = true;
    Object.freeze(this);
  }

  [Symbol.toPrimitive]() {
    throw new TypeError(`${this.#description} is not a plain value`);
  }

  toJSON() {
    throw new TypeError(`${this.#description} is not a plain value`);
  }

  [Symbol.for("nodejs.util.inspect.custom")]() {
    return `<${this.#description}>`;
  }
}

/** `value` as JSON; throws NotPlain. Getters and proxies of a candidate run here, on its own side. */
function encode(value) {
  let items = 0;
  const list = (values, depth) => {
    items += values.length;
    if (items > MAX_ITEMS) throw new NotPlain(`a value of more than ${MAX_ITEMS} items`);
    return Array.from(values, (item) => one(item, depth + 1));
  };
  const one = (value, depth) => {
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (value === undefined) return { u: 0 };
    if (typeof value === "number") {
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { n: Object.is(value, -0) ? "-0" : String(value) };
    }
    if (typeof value === "bigint") return { i: String(value) };
    if (typeof value !== "object") throw new NotPlain(`a ${typeof value}`);
    if (depth > MAX_DEPTH) throw new NotPlain(`a value nested more than ${MAX_DEPTH} deep`);
    if (Array.isArray(value)) return list(value, depth);
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (kind === "Map") return { m: list([...value], depth) };
    if (kind === "Set") return { s: list([...value], depth) };
    if (kind === "Date") return { t: one(Number(value), depth) };
    if (kind !== "Object") throw new NotPlain(`a ${kind} object`);
    return { d: list(Object.entries(value), depth) };
  };
  return one(value, 0);
}

/** The value that `data` stands for. Throws on what `encode` would not write. */
function decode(data) {
  if (data === null || typeof data !== "object") return data;
  if (Array.isArray(data)) return data.map(decode);
  const [entry, ...more] = Object.entries(data);
  if (!entry || more.length > 0) throw new TypeError("not one kind");
  const [kind, content] = entry;
  switch (kind) {
    case "u":
      return undefined;
    case "n":
      if (!Object.hasOwn(ODD_NUMBERS, content)) throw new TypeError("not a number");
      return ODD_NUMBERS[content];
    case "i":
      if (typeof content !== "string" || content.length > 100_000) throw new TypeError("not an integer");
      return BigInt(content);
    case "m":
      return new Map(pairs(content));
    case "s":
      return new Set(array(content).map(decode));
    case "t":
      return new Date(decode(content));
    case "d":
      return object(pairs(content));
    case "o":
      if (typeof content !== "string") throw new TypeError("not text");
      return new Opaque(content.slice(0, 120));
    default:
      throw new TypeError("no known kind");
  }
}

function array(content) {
  if (!Array.isArray(content)) throw new TypeError("not an array");
  return content;
}

const pairs = (content) =>
  array(content).map((pair) => {
    if (array(pair).length !== 2) throw new TypeError("not a pair");
    return pair.map(decode);
  });

/** Defined and not assigned: a key may be `__proto__`. */
function object(entries) {
  const found = {};
  for (const [key, value] of entries) {
    if (typeof key !== "string") throw new TypeError("not a key");
    Object.defineProperty(found, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return found;
}
