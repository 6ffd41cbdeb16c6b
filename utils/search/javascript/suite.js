// The checks of a task as functions, made anew for each candidate.

/** All checks as one function: it makes them anew for what a candidate defines. */
class Suite {
  constructor(tests, told, entry) {
    this.entry = entry;
    const { prepared = [], checks = [] } = tests ?? {};
    this.checks = checks.length > 0 ? checks : told;
    this.told = checks.length > 0 ? told : [];
    this.names = tests?.names ?? new Set([entry]);
    this.source = (isPlain) => {
      const bodies = [...this.checks, ...this.told].map(
        ({ text }) => `${/\bawait\b/.test(text) ? "async " : ""}() => {\n${text}\n}`,
      );
      return `${isPlain ? "" : '"use strict";'}${prepared.join("\n")}\nreturn [${bodies.join(",\n")}];`;
    };
    this.declared = new Set(tests ? tests.prepared.flatMap((text) => declarations(text)) : []);
  }

  /** @param names that a candidate defines */
  compile(names) {
    this.given = [
      "require",
      "module",
      "console",
      "assert",
      "expect",
      "_testing",
      "_importDefault",
      "t",
      ...Object.keys(ownTimers),
      ...names,
    ];
    this.given = [...new Set(this.given)].filter((name) => !this.declared.has(name) && name !== "default");
    this.make = new Function(...this.given, this.source(true));
  }

  /** The checks as actions, for what was loaded. */
  open({ defined, exported }, replaced) {
    const own = { ...(exported && typeof exported === "object" ? exported : {}), ...defined, ...replaced };
    const module = Object.assign(typeof exported === "function" ? exported : {}, {
      ...own,
      default: own.default ?? own[this.entry],
    });
    const values = {
      ...own,
      ...ownTimers,
      console: quiet,
      assert,
      expect,
      _testing: testing,
      t: testing,
      module: { exports: {} },
    };
    values._importDefault = defaultOf;
    values.require = (name) =>
      requireIn(name, replaced && typeof exported === "function" ? replaced[this.entry] : module);
    if (!(this.entry in own) && typeof exported === "function") values[this.entry] = exported;
    return this.make(...this.given.map((name) => values[name]));
  }
}

const declarations = (text) => {
  try {
    return parse(text).body.flatMap(declaredBy);
  } catch {
    return [];
  }
};

const nothing = () => {};
const quiet = {
  log: nothing,
  error: nothing,
  warn: nothing,
  info: nothing,
  debug: nothing,
  table: nothing,
  assert: ok,
};

function requireIn(name, module) {
  if (/^\.{0,2}\//.test(name)) return module;
  if (/^(?:node:)?assert(?:\/strict)?$/.test(name)) return name.endsWith("strict") ? assert.strict : assert;
  if (RUNNERS.test(name)) return { expect, assert, test: nothing, it: nothing, describe: nothing, default: nothing };
  return require(name);
}
