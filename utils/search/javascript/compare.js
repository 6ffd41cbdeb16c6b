// Comparing programs: inputs near those of tests, values as texts and as copies, and which inputs tell two programs
// apart.

const { types } = require("node:util");

const INPUTS = 40; // near those of the tests, on which programs are compared
const MOST_CHARS = 400; // of a text; of a longer one its sum stands behind them
const MOST_PARTS = 20_000; // values in one

/** Numbers that are the same for every run with a seed. */
function drawing(seed) {
  let state = seed * 2654435761 + 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { next, choice: (items) => items[Math.floor(next() * items.length)] };
}

const isFraction = (value) => typeof value === "number" && Number.isFinite(value) && !Number.isInteger(value);

/** Whether it holds values by name, as objects of a program's own classes do. */
const isPlainObject = (value) =>
  typeof value === "object" &&
  !Array.isArray(value) &&
  /^class\b/.test(String(value?.constructor ?? "")) &&
  Object.keys(value).length > 0;

/** The object itself where it cannot be copied. */
function nearObject(value, draw, hasFractions) {
  try {
    const name = draw.choice(Object.keys(value));
    const own = { ...value, [name]: mutated(value[name], draw, hasFractions) };
    return Object.assign(Object.create(Object.getPrototypeOf(value)), own);
  } catch {
    return value;
  }
}

/** A value of the same type near another one, or an object with one property near its own. */
function mutated(value, draw, hasFractions) {
  const between = hasFractions ? [value + 0.5, value - 0.5] : [];
  if (typeof value === "number")
    return draw.choice([value + 1, value - 1, value + 2, -value, value * 2, 0, ...between]);
  if (typeof value === "boolean") return draw.next() < 0.5;
  if (isPlainObject(value)) return nearObject(value, draw, hasFractions);
  if (typeName(value) === "dict")
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, one]) =>
        draw.next() < 0.8 ? [[key, mutated(one, draw, hasFractions)]] : [],
      ),
    );
  if (!(typeof value === "string" || Array.isArray(value)) || value.length === 0) return value;
  const items = [...value];
  const at = Math.floor(draw.next() * items.length);
  const near = typeof value === "string" ? swapCase(draw.choice(items)) : mutated(items[at], draw, hasFractions);
  const without = [...items.slice(0, at), ...items.slice(at + 1)];
  const changed = [...items.slice(0, at), near, ...items.slice(at + 1)];
  const shuffled = [...items].sort(() => draw.next() - 0.5);
  const others = [
    without,
    [...items.slice(0, at), items[0], ...items.slice(at)],
    [...items].reverse(),
    items.slice(0, at),
    shuffled,
  ];
  const made = draw.choice([...others, changed, changed, changed, changed]);
  return typeof value === "string" ? made.join("") : made;
}

const swapCase = (text) => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

/**
 * Arguments near those of the visible tests, and some with the numbers that the program compares with. Where the
 * program or a test has a fraction, or at places in `measures`, `> 99` differs from `>= 100`, and some of the numbers
 * are fractions.
 */
function mutatedInputs(inputs, seed, numbers = [], measures = []) {
  const draw = drawing(seed);
  const hasFractions = [inputs, numbers].flat(9).some(isFraction);
  const usable = inputs.filter((given) => given.length > 0 && show(given).length < 2000);
  const found = new Map();
  for (let i = 0; usable.length > 0 && i < INPUTS * 4; i++) {
    const given = usable[i % usable.length];
    const at = Math.floor(draw.next() * given.length);
    const made = given.map((one, j) => (j === at ? mutated(one, draw, hasFractions) : one));
    found.set(show(made), made);
  }
  const bounds = usable.slice(0, 1).flatMap((given) =>
    given.flatMap((one, at) =>
      typeof one === "number"
        ? numbers
            .slice(0, 4)
            .flatMap((n) => [n, n - 1, n + 1, ...(hasFractions || measures.includes(at) ? [n - 0.5, n + 0.5] : [])])
            .map((bound) => given.with(at, bound))
        : [],
    ),
  );
  return [...[...found.values()].slice(0, INPUTS), ...bounds.slice(0, INPUTS)];
}

/** Thrown for a value whose content or behaviour cannot be seen. */
class Opaque extends Error {}
const opaque = (what) => {
  throw new Opaque(what);
};

/** A class that keeps what no other code sees. */
const isClosed = (prototype) => {
  for (let one = prototype; one; one = Object.getPrototypeOf(one)) {
    const made = Object.getOwnPropertyDescriptor(one, "constructor")?.value;
    if (typeof made === "function" && /#[\w$]/.test(Function.prototype.toString.call(made))) return true;
  }
  return false;
};

const HIDING = [
  ...["isPromise", "isProxy", "isWeakMap", "isWeakSet", "isGeneratorObject", "isMapIterator", "isSetIterator"],
  ...["isExternal", "isModuleNamespaceObject", "isArgumentsObject"],
];
const keepsForItself = (value) =>
  (ArrayBuffer.isView(value) && !types.isTypedArray(value)) ||
  HIDING.some((name) => types[name]?.(value)) ||
  isClosed(Object.getPrototypeOf(value));

const nameOfKind = (value) => Object.getPrototypeOf(value)?.constructor?.name ?? "null";

/** The data properties of an object, own ones alone. @throws Opaque */
function propertiesOf(value) {
  const isPlain = isOwnKind(value, Object.prototype) || isOwnKind(value, Array.prototype);
  if (isPlain ? types.isProxy(value) || types.isArgumentsObject(value) : keepsForItself(value))
    opaque(`a ${nameOfKind(value)}`);
  const isBytes = ArrayBuffer.isView(value);
  return Reflect.ownKeys(value).flatMap((key) => {
    if ((key === "stack" && types.isNativeError(value)) || (isBytes && /^\d+$/.test(String(key)))) return [];
    const found = Object.getOwnPropertyDescriptor(value, key);
    return "value" in found ? [[key, found]] : opaque("a property that is computed");
  });
}

const isOwnKind = (value, prototype) => Object.getPrototypeOf(value) === prototype;

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
function copied(root, { kept, ofFunction = (one) => one }) {
  const known = new Map([...kept].map((one) => [one, one]));
  let left = MOST_PARTS;
  const copy = (value) => {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return value;
    if (known.has(value)) return known.get(value);
    if (--left < 0) opaque("a large value");
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
}

/** The functions at and below a value, in the order in which they are found. */
function functionsIn(root, kept) {
  const found = [];
  copied(root, { kept, ofFunction: (one) => found[found.push(one) - 1] });
  return found;
}

const keyText = (key) => (typeof key === "symbol" || /^[\w$]+$/.test(key) ? String(key) : JSON.stringify(key));

/** What an object has that is no property of it, one text each. */
function contents(value, show) {
  if (types.isDate(value)) return [String(value.getTime())];
  if (types.isRegExp(value)) return [`${value}`];
  if (types.isBoxedPrimitive(value)) return [show(value.valueOf())];
  if (types.isMap(value)) return [...value].map(([key, one]) => `[${show(key)}, ${show(one)}]`);
  if (types.isSet(value)) return [...value].map(show);
  if (ArrayBuffer.isView(value)) return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")];
  return types.isAnyArrayBuffer(value) ? [Buffer.from(value).toString("hex")] : [];
}

/** A text of an object's parts, as a person writes it where that says all. */
function composed(value, inner, entries) {
  const name = nameOfKind(value);
  const has = entries.length > 0;
  const braces = `{${has ? ` ${entries.join(", ")} ` : ""}}`;
  if (isOwnKind(value, Object.prototype) && inner.length === 0) return braces;
  const whole = (types.isMap(value) || types.isSet(value)) && `[${inner.join(", ")}]`;
  if (whole || types.isDate(value)) return `new ${name}(${whole || inner[0]})${has ? braces : ""}`;
  return `${name} ${inner.length > 0 ? `(${inner.join(", ")}) ` : ""}${braces}`;
}

/**
 * A value as source text; only equal values have the same text.
 * @param named texts of known values, such as functions
 * @param unknown returns the text for a value that cannot be seen, given a description; default: throws Opaque
 * @param tellsShared whether one object in several places differs from several equal objects
 * @throws Opaque
 */
function shown(root, { named = new Map(), unknown = opaque, tellsShared = false, most = MOST_PARTS } = {}) {
  const known = new Map();
  let left = most;
  const object = (value) => {
    if (Array.isArray(value) && isOwnKind(value, Array.prototype) && Object.keys(value).length === value.length)
      return types.isProxy(value) ? unknown("a Proxy") : `[${value.map(show).join(", ")}]`;
    try {
      const inner = contents(value, show);
      const entries = propertiesOf(value).map(
        ([key, found]) => `${found.enumerable ? "" : "."}${keyText(key)}: ${show(found.value)}`,
      );
      return composed(value, inner, entries);
    } catch (error) {
      if (!(error instanceof Opaque)) throw error;
      return unknown(error.message);
    }
  };
  const show = (value) => {
    if (--left < 0) opaque("…");
    if (typeof value === "string") return JSON.stringify(value);
    if (Object.is(value, -0)) return "-0";
    if (typeof value === "bigint") return `${value}n`;
    if (named.has(value)) return named.get(value);
    if (typeof value === "function") return unknown("a function");
    if (value === null || typeof value !== "object") return String(value);
    if (known.has(value)) return `#${known.get(value)}`;
    known.set(value, known.size);
    const text = object(value);
    if (!tellsShared) known.delete(value);
    return text;
  };
  return show(root);
}

/** The text of a value for a reader. */
function show(value) {
  try {
    return shown(value, { unknown: (what) => what });
  } catch (error) {
    if (!(error instanceof Opaque)) throw error;
    return error.message;
  }
}

/** A long text as its beginning and its sum. */
function shortened(text) {
  if (text.length <= MOST_CHARS) return text;
  const sum = require("node:crypto").createHash("sha1").update(text).digest("hex");
  return `${text.slice(0, MOST_CHARS)}… ${text.length} ${sum}`;
}

const OPAQUE = "(opaque) "; // before what says nothing of what it does

/** What a program gives, as text. */
function toldText(value) {
  try {
    return shortened(shown(value));
  } catch (error) {
    if (!(error instanceof Opaque)) throw error;
    return `${OPAQUE}${shortened(show(value))}`;
  }
}

/** What a program gives for each input, as `toldText`, or how it ended. */
async function behaviour(trial, compiled, inputs) {
  const seen = [];
  for (const given of inputs) {
    let text = "";
    const [outcome] = await trial.call(() => {
      const own = trial.entryOf(compiled);
      const value = own(...structuredClone(given));
      if (typeof value?.then === "function")
        return value.then((got) => {
          text = toldText(got);
        });
      text = toldText(value);
      return undefined;
    });
    seen.push(outcome === "ok" ? text : outcome);
  }
  return seen;
}

/** Numbers of the inputs that tell two behaviours apart. @param unknown what says nothing */
const differences = (one, other, unknown = ["raised", "cut", "wrong"]) =>
  [...one.keys()].filter((i) => one[i] !== other[i] && !unknown.includes(one[i]) && !unknown.includes(other[i]));
