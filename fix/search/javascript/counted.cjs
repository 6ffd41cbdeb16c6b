// The text of a candidate as it is run: with what counts its steps, and with the names that this needs.
const Module = require("node:module");
const vm = require("node:vm");

/** Whether a text is an ES module. */
exports.isModule = ({ parse }, text) => parse(text).sourceType === "module";

/**
 * {"typed", "source", "points", "isInModule"} of a function: what it is written as, what is run of it, and where its
 * steps are counted.
 * @param lines its first and last one in `text`
 * @param without the same of functions inside, which are edited by themselves
 */
exports.readProgram = (engine, text, name, lines, without = []) => {
  const typed = new engine.Typed(text);
  const inRun = (range) => range.map((line) => typed.lineOf(line));
  const source = new engine.Source(typed.js, name, inRun(lines), without.map(inRun));
  return { typed, source, points: engine.meterPoints(source.nodes), isInModule: exports.isModule(engine, typed.js) };
};

/** A program with edits and more put in; null where it cannot be compiled. */
exports.counted = (
  { woven, meterPoints, splice, parse, linked },
  { source, points, isInModule },
  splices,
  more = [],
) => {
  let code = woven(source.text, [...points, ...more], splices);
  if (code === null) {
    const text = splice(source.text, splices);
    try {
      code = text === null ? null : woven(text, meterPoints(linked(parse(text))), []);
    } catch {
      return null;
    }
  }
  return code === null ? null : exports.loadable(code, isInModule);
};

/** A text in which steps are counted, with the names that this needs; null where it cannot be compiled. */
exports.loadable = (code, isInModule) => {
  const at = /^(?:#!.*\n)?\s*(?:(["'])use strict\1;?)?/.exec(code)[0].length;
  const known = "var _step = globalThis.__mend_step, _size = globalThis.__mend_size, _watch = globalThis.__mend_watch;";
  const head = code.slice(0, at);
  const whole = `${head}${at > 0 && !/[;\n]$/.test(head) ? ";" : ""}${known}${code.slice(at)}`;
  if (isInModule) return whole;
  try {
    new vm.Script(Module.wrap(whole.replace(/^#!.*/, "")));
    return whole;
  } catch {
    return null;
  }
};
