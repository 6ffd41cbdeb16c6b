// Values of a program under test as copies and as texts. What neither can be had of throws: nobody can say what it
// does.
const { types } = require("node:util");

const MOST_PARTS = 20_000;

class Opaque extends Error {}
const opaque = (why) => {
  throw new Opaque(why);
};
exports.Opaque = Opaque;

/** A class that keeps what no other code sees. */
const isClosed = (prototype) => {
  for (let one = prototype; one; one = Object.getPrototypeOf(one)) {
    const made = Object.getOwnPropertyDescriptor(one, "constructor")?.value;
    if (typeof made === "function" && /#[\w$]/.test(Function.prototype.toString.call(made))) return true;
  }
  return false;
};

const HIDDEN = [
  "isPromise",
  "isProxy",
  "isWeakMap",
  "isWeakSet",
  "isGeneratorObject",
  "isMapIterator",
  "isSetIterator",
  "isExternal",
  "isModuleNamespaceObject",
  "isArgumentsObject",
];

/** The data properties of an object, own ones alone. */
function propertiesOf(value) {
  if (
    (ArrayBuffer.isView(value) && !types.isTypedArray(value)) ||
    HIDDEN.some((name) => types[name]?.(value)) ||
    isClosed(Object.getPrototypeOf(value))
  )
    opaque("it keeps something for itself");
  const isBytes = ArrayBuffer.isView(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    if ((key === "stack" && types.isNativeError(value)) || (isBytes && /^\d+$/.test(String(key)))) return [];
    const found = Object.getOwnPropertyDescriptor(value, key);
    return "value" in found ? [[key, found]] : opaque("it has a property that is computed");
  });
}

/** An empty one of its kind, with what is no property of it. `copy(part)`: of what is in it. */
function emptyLike(value, copy) {
  if (Array.isArray(value)) return [];
  if (types.isDate(value)) return new Date(value.getTime());
  if (types.isRegExp(value)) return new RegExp(value.source, value.flags);
  if (types.isMap(value)) return new Map([...value].map(([key, one]) => [copy(key), copy(one)]));
  if (types.isSet(value)) return new Set([...value].map(copy));
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (types.isTypedArray(value) || types.isAnyArrayBuffer(value)) return value.slice();
  if (types.isBoxedPrimitive(value)) return Object(value.valueOf());
  if (types.isNativeError(value)) return new Error();
  return {};
}

/**
 * A copy of a value with all that is in it, what is shared shared. Functions stay, or become what `ofFunction` makes of
 * them.
 * @param kept values that stay as they are
 * @throws Opaque
 */
exports.copied = (root, { kept, ofFunction = (one) => one }) => {
  const known = new Map([...kept].map((one) => [one, one]));
  let left = MOST_PARTS;
  const copy = (value) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
    if (known.has(value)) return known.get(value);
    if (--left < 0) opaque("it is large");
    const isFunction = typeof value === "function";
    const properties = isFunction ? [] : propertiesOf(value);
    const made = isFunction ? ofFunction(value) : emptyLike(value, copy);
    known.set(value, made);
    if (isFunction) return made;
    if (Object.getPrototypeOf(made) !== Object.getPrototypeOf(value))
      Object.setPrototypeOf(made, Object.getPrototypeOf(value));
    for (const [key, found] of properties) Object.defineProperty(made, key, { ...found, value: copy(found.value) });
    if (Object.isFrozen(value)) Object.freeze(made);
    else if (!Object.isExtensible(value)) Object.preventExtensions(made);
    return made;
  };
  return copy(root);
};

/** The functions at and below a value, in the order in which they are found. */
exports.functionsIn = (root, kept) => {
  const found = [];
  exports.copied(root, { kept, ofFunction: (one) => found[found.push(one) - 1] });
  return found;
};

/**
 * A value as text, equal for equal ones alone.
 * @param named texts of values, and of all functions that may be in it: what another one does is not seen
 * @throws Opaque
 */
exports.shown = (root, named) => {
  const known = new Map();
  let left = MOST_PARTS;
  const show = (value) => {
    if (Object.is(value, -0)) return "-0";
    if (typeof value === "string") return JSON.stringify(value);
    if (typeof value === "bigint") return `${value}n`;
    if (named.has(value)) return named.get(value);
    if (typeof value === "function") return opaque("it has a function that nobody knows");
    if (value === null || typeof value !== "object") return String(value);
    if (known.has(value)) return `#${known.get(value)}`;
    if (--left < 0) opaque("it is large");
    known.set(value, known.size);
    const inner = [];
    if (types.isDate(value)) inner.push(String(value.getTime()));
    else if (types.isRegExp(value)) inner.push(`${value}`);
    else if (types.isBoxedPrimitive(value)) inner.push(show(value.valueOf()));
    else if (types.isMap(value)) inner.push(...[...value].map(([key, one]) => `${show(key)} => ${show(one)}`));
    else if (types.isSet(value)) inner.push(...[...value].map(show));
    else if (ArrayBuffer.isView(value))
      inner.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex"));
    else if (types.isAnyArrayBuffer(value)) inner.push(Buffer.from(value).toString("hex"));
    for (const [key, found] of propertiesOf(value)) {
      const name = typeof key === "symbol" ? String(key) : JSON.stringify(key);
      inner.push(`${found.enumerable ? "" : "."}${name}: ${show(found.value)}`);
    }
    return `${Object.getPrototypeOf(value)?.constructor?.name ?? "null"}{${inner.join(", ")}}`;
  };
  return show(root);
};
