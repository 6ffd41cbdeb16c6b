// What the searches of JavaScript have in common: the job (JSON on stdin, or in a file), the engine in it, and the
// report of an edit.
const fs = require("node:fs");

exports.readJob = () => {
  const job = JSON.parse(fs.readFileSync(process.env.MEND_JOB ?? 0, "utf8"));
  const names = [
    "Typed, Source, Facts, Candidates, loadParser, splice, parse, linked, woven, meterPoints, wrapped, isWatchable",
    "ancestors, note, nothingSeen, mutatedInputs, repeats",
    "copied, functionsIn, Opaque, shown, shortened, differences",
  ].join(", ");
  return { job, engine: new Function("require", `${job.engine}\nreturn { ${names} };`)(require) };
};

/** The lines that an edit changes, and what stands in their place: of the program as it is written. */
exports.toldEdit = ({ splice, repeats }, typed, { splices: made, operator }, file, cost) => {
  const { text } = typed;
  const splices = typed.splices(made);
  const first = text.slice(0, Math.min(...splices.map(([start]) => start))).lastIndexOf("\n") + 1;
  const end = text.indexOf("\n", Math.max(...splices.map(([, end]) => end))) + 1 || text.length;
  const changed = splice(
    text.slice(first, end),
    splices.map(([start, end, one]) => [start - first, end - first, one]),
  );
  const [from, to] = [first, end - 1].map((at) => text.slice(0, at).split("\n").length);
  return {
    file,
    from,
    to,
    old: text.slice(first, end),
    text: changed,
    operator,
    cost,
    repeats: repeats(typed.js, splice(typed.js, made)) ?? null,
  };
};

/**
 * Edits that were not tried, from a place of the list on, as far as it is made: how many, and the cost of the
 * likeliest.
 */
exports.leftOf = (list, at, limit) => {
  const { cost } = list.at(at) ?? {};
  return cost <= limit ? { untried: list.made.length - at, next: cost } : { untried: 0 };
};

/** Of these tests and no others, where they are few; null where all are as well run. */
exports.titles = (wanted) =>
  wanted.size < 30
    ? new RegExp(`^(?:${[...wanted].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})$`)
    : null;
