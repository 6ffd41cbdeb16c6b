// What edits that pass do where the tests do not look: with arguments of the tests' own calls, and with others near those.
const { createHash } = require("node:crypto");
const { types } = require("node:util");
const { copied, functionsIn, Opaque, shown } = require("./values.cjs");

const MOST_CALLS = 24; // of the tests, with different arguments
const NEAR = 13; // other arguments for each
const MOST_GIVEN = 100; // values that a generator gives
const AWAITED_MS = 500; // for what comes later
const CALL_STEPS = 200_000;
const MOST_CHARS = 200;

/**
 * A program whose function tells `__mend_call` of its calls; null where nothing can be put around them.
 * @param target the function in the program's tree
 */
exports.hooked = (text, target) => {
  const { type, params, body, start, end, async: isAsync, generator: isGenerator } = target;
  const put = (from, to, now) => text.slice(0, from) + now + text.slice(to);
  const whole = text.slice(start, end);
  if (type === "ArrowFunctionExpression" && /\b(?:this|arguments|super)\b/.test(whole)) return null;
  if (type === "ArrowFunctionExpression") return put(start, end, `(...__mend_given) => globalThis.__mend_call(false, undefined, __mend_given, (${whole}))`);
  if (isAsync && isGenerator) return null;
  const given = params.length > 0 ? text.slice(params[0].start, params.at(-1).end) : "";
  const inner = `${isAsync ? "async " : ""}function${isGenerator ? "*" : ""} (${given}) ${text.slice(body.start, body.end)}`;
  return put(body.start, body.end, `{ return ${isGenerator ? "yield* " : ""}globalThis.__mend_call(new.target !== undefined, this, arguments, ${inner}); }`);
};

/** Calls of one function while tests run, and what it does with the same arguments and with others when they have run. */
exports.Calls = class Calls {
  /**
   * @param around what the function may find as `this` and stays as it is: the global objects
   * @param near(given, seed): lists of arguments near some
   * @param metered(steps, work): does it with so many steps
   */
  constructor({ around, near, metered }) {
    Object.assign(this, { around, near, metered, found: new Map(), isOpen: false });
  }

  /** What `__mend_call` is. */
  enter(isMaking, self, given, inner) {
    if (this.isOpen && !isMaking && this.found.size < MOST_CALLS) this.note(self, [...given], inner);
    return inner.apply(self, given);
  }

  note(self, given, inner) {
    try {
      const named = this.namesOf([self, given]);
      const key = shown([self, given], named);
      if (!this.found.has(key)) this.found.set(key, { ...this.copy([self, given]), inner });
    } catch (error) {
      if (!(error instanceof Opaque)) throw error;
    }
  }

  copy(value, ofFunction) {
    const [self, given] = copied(value, { kept: this.around, ofFunction });
    return { self, given };
  }

  namesOf(value) {
    const all = [...this.around, ...functionsIn(value, this.around)];
    return new Map(all.map((one, i) => [one, `known ${i}`]));
  }

  /** A text for each call and for others near it: what it gives, leaves in what it has, and calls. @throws Opaque */
  async outcomes() {
    const texts = [];
    for (const [seed, [key, { self, given, inner }]] of [...this.found].entries())
      for (const one of [given, ...this.near(given, seed).slice(0, NEAR)]) texts.push(`${digest(key)} ${await this.outcome(self, one, inner)}`);
    return texts;
  }

  async outcome(self, given, inner) {
    const log = [];
    let hidden = null;
    const names = new Map();
    const told = (one) => {
      const apply = (target, me, values) => {
        try {
          log.push(shown(values, names));
        } catch (error) {
          // The function could catch it.
          hidden = error;
        }
        return Reflect.apply(target, me, values);
      };
      const made = new Proxy(one, { apply });
      names.set(made, `given ${names.size}`);
      return made;
    };
    const own = this.copy([self, given], told);
    for (const [one, name] of this.namesOf([self, given])) if (!names.has(one)) names.set(one, name);
    let value = null;
    try {
      value = this.metered(CALL_STEPS, () => {
        const got = inner.apply(own.self, own.given);
        return types.isGeneratorObject(got) ? first(got) : got;
      });
      if (types.isPromise(value)) value = await soon(value);
    } catch (error) {
      return error?.message === "cut" ? "cut" : "raised";
    }
    if (hidden) throw hidden;
    return digest(`${shown([value, own.self, own.given], names)} ${log.join(" ")}`);
  }
};

const digest = (text) => (text.length > MOST_CHARS ? createHash("sha1").update(text).digest("hex") : text);

function first(generator) {
  const found = [];
  for (let one = generator.next(); !one.done && found.length < MOST_GIVEN; one = generator.next()) found.push(one.value);
  return found;
}

/** What a promise comes to; `cut` where that takes long. */
function soon(promise) {
  let timer = null;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error("cut")), AWAITED_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * For each edit the first one that does the same; null where nothing is known. To throw is to do something, too.
 * @param all the texts of each; null where there are none
 */
exports.classes = (all) => {
  const isCut = (text) => text.endsWith(" cut");
  const differ = (a, b) => a.length !== b.length || a.some((text, i) => text !== b[i] && !isCut(text) && !isCut(b[i]));
  const firsts = [];
  return all.map((texts, place) => {
    if (!texts?.some((text) => !isCut(text) && !text.endsWith(" raised"))) return null;
    const same = firsts.find((one) => !differ(all[one], texts));
    if (same !== undefined) return same;
    firsts.push(place);
    return place;
  });
};
