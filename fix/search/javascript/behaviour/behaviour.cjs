// What edits that pass do where the tests do not look: with arguments of the tests' own calls, and with others near
// those.
const fs = require("node:fs");
const { types } = require("node:util");
const { loadable, readProgram } = require("../counted.cjs");

/** Calls of the tests, with different arguments: of those that failed, of all. */
exports.MOST_CALLS = { failing: 16, all: 24 };
const NEAR = 13; // other arguments for each
const MOST_GIVEN = 100; // values that a generator gives
const AWAITED_MS = 500; // for what comes later
const CALL_STEPS = 200_000;
const COMPARE_MS = 60_000; // of processor time, for all edits of a function
const LOOK_MS = 10_000; // of processor time, beside what the tests themselves take
const [CUT, RAISED] = ["cut", "raised"]; // an outcome that is no text of values

/**
 * A program whose function tells `__mend_call` of its calls; null where nothing can be put around them.
 * @param target the function in the program's tree
 */
exports.hooked = (text, target) => {
  const { type, params, body, start, end, async: isAsync, generator: isGenerator } = target;
  const put = (from, to, now) => text.slice(0, from) + now + text.slice(to);
  const whole = text.slice(start, end);
  if (type === "ArrowFunctionExpression" && /\b(?:this|arguments|super)\b/.test(whole)) return null;
  if (type === "ArrowFunctionExpression")
    return put(start, end, `(...__mend_given) => globalThis.__mend_call(false, undefined, __mend_given, (${whole}))`);
  if (isAsync && isGenerator) return null;
  const given = params.length > 0 ? text.slice(params[0].start, params.at(-1).end) : "";
  const keyword = `${isAsync ? "async " : ""}function${isGenerator ? "*" : ""}`;
  const inner = `${keyword} (${given}) ${text.slice(body.start, body.end)}`;
  const call = `globalThis.__mend_call(new.target !== undefined, this, arguments, ${inner})`;
  return put(body.start, body.end, `{ return ${isGenerator ? "yield* " : ""}${call}; }`);
};

/**
 * Calls of one function while tests run, and what it does with the same arguments and with others when they have run.
 */
exports.Calls = class Calls {
  /**
   * @param around what the function may find as `this` and stays as it is: the global objects
   * @param near(given, seed): lists of arguments near some
   * @param metered(steps, work): does it with so many steps
   * @param engine what the search engine has for comparing
   */
  constructor({ around, near, metered, engine }) {
    Object.assign(this, { around, near, metered, engine, found: new Map(), most: 0 });
  }

  shown(value, named) {
    return this.engine.shown(value, { named, tellsShared: true });
  }

  /** What `__mend_call` is. */
  enter(isMaking, self, given, inner) {
    if (!isMaking && this.found.size < this.most) this.note(self, [...given], inner);
    return inner.apply(self, given);
  }

  note(self, given, inner) {
    try {
      const named = this.namesOf([self, given]);
      const key = this.shown([self, given], named);
      if (!this.found.has(key)) this.found.set(key, { ...this.copy([self, given]), inner });
    } catch (error) {
      if (!(error instanceof this.engine.Opaque)) throw error;
    }
  }

  copy(value, ofFunction) {
    const [self, given] = this.engine.copied(value, { kept: this.around, ofFunction });
    return { self, given };
  }

  namesOf(value) {
    const all = [...this.around, ...this.engine.functionsIn(value, this.around)];
    return new Map(all.map((one, i) => [one, `known ${i}`]));
  }

  /**
   * For each call the texts of it and of others near it: what they give, leave in what they have, and call. @throws
   * Opaque
   */
  async outcomes() {
    const all = new Map();
    for (const [seed, [key, { self, given, inner }]] of [...this.found].entries()) {
      const texts = [];
      const isObject = typeof self === "object" && !this.around.includes(self);
      const own = isObject ? [self, ...given] : given;
      for (const one of [own, ...this.near(own, seed).slice(0, NEAR)])
        texts.push(await (isObject ? this.outcome(one[0], one.slice(1), inner) : this.outcome(self, one, inner)));
      all.set(key, texts);
    }
    return all;
  }

  async outcome(self, given, inner) {
    const log = [];
    let hidden = null;
    const names = new Map();
    const told = (one) => {
      const apply = (target, me, values) => {
        try {
          log.push(this.shown(values, names));
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
      return error?.message === CUT ? CUT : RAISED;
    }
    if (hidden) throw hidden;
    return this.engine.shortened(`${this.shown([value, own.self, own.given], names)} ${log.join(" ")}`);
  }
};

function first(generator) {
  const found = [];
  for (let one = generator.next(); !one.done && found.length < MOST_GIVEN; one = generator.next())
    found.push(one.value);
  return found;
}

/** What a promise comes to; `cut` where that takes long. */
function soon(promise) {
  let timer = null;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(CUT)), AWAITED_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * For each edit the first one that does the same; null where nothing is known. To throw is to do something, too.
 * @param engine what the search engine has for comparing
 * @param all the outcomes of each; null where there are none
 * @param before those of the program without an edit: where no call tells it from an edit, none is near what was wrong
 */
exports.classes = ({ differences }, all, before) => {
  const firsts = [];
  const differ = (a, b) => a.length !== b.length || differences(a, b, [CUT]).length > 0;
  const isKnown = (found) =>
    [...found].some(([key, texts]) => before?.has(key) && differ(before.get(key), texts)) &&
    [...found.values()].flat().some((text) => text !== CUT && text !== RAISED);
  const isSame = (a, b) =>
    a.size === b.size && [...a].every(([key, texts]) => b.has(key) && !differ(texts, b.get(key)));
  return all.map((found, place) => {
    if (!found || !isKnown(found)) return null;
    const same = firsts.find((one) => isSame(all[one], found));
    if (same !== undefined) return same;
    firsts.push(place);
    return place;
  });
};

/**
 * For each text of a file the first that does the same; null where nothing is known.
 * @param search of `warm.cjs`, which searches the function
 * @param place its name, and its first and last line in the file as it is
 * @param texts of the file with passing edits
 */
exports.compared = async (search, { name, start, end }, texts) => {
  const unedited = fs.readFileSync(search.file, "utf8");
  const lines = unedited.split("\n");
  const own = lines.slice(start - 1, end).join("\n");
  const numbers = (own.match(/(?<![\w.])\d+(?:\.\d+)?/g) ?? []).map(Number);
  const all = [];
  const began = process.cpuUsage();
  for (const text of [unedited, ...texts]) {
    const { user, system } = process.cpuUsage(began);
    const last = end + text.split("\n").length - lines.length;
    const code = (user + system) / 1000 > COMPARE_MS ? null : hookedIn(search, text, name, [start, last]);
    all.push(code === null ? null : await outcomesOf(search, code, numbers));
  }
  const [before, ...after] = all;
  return exports.classes(search.engine, after, before);
};

/** The program with hooks that report a function's calls; null if they cannot be put into it. */
function hookedIn(search, text, name, lines) {
  const { woven, meterPoints, linked, parse } = search.engine;
  try {
    const { source, isInModule } = readProgram(search.engine, text, name, lines);
    const made = exports.hooked(source.text, source.target);
    return made && loadable(woven(made, meterPoints(linked(parse(made))), []), isInModule);
  } catch {
    return null;
  }
}

/**
 * What the function does on the inputs of the tests, and near them; null if unknown.
 * @param numbers of the program without an edit
 */
async function outcomesOf(search, code, numbers) {
  const metered = (steps, work) => {
    search.left = steps;
    try {
      const value = work();
      if (search.left < 0) throw new Error(CUT);
      return value;
    } finally {
      search.left = Number.POSITIVE_INFINITY;
    }
  };
  const near = (given, seed) => search.engine.mutatedInputs([given], seed, numbers);
  const calls = new exports.Calls({ around: search.runner.globals, near, metered, engine: search.engine });
  search.calls = calls;
  search.runner.put(search.file, code);
  const run = async (most, files, wanted) => {
    calls.most = most;
    await search.runTests(files, wanted, Number.POSITIVE_INFINITY, search.suiteMs + LOOK_MS);
    calls.most = 0;
  };
  await run(exports.MOST_CALLS.failing, search.failingFiles, search.failing);
  await run(exports.MOST_CALLS.all, search.files, search.passing);
  return await search.watched(LOOK_MS, () => calls.outcomes());
}
