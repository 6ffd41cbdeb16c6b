// What the searches of JavaScript have in common: the job (JSON on stdin), the engine in it, and how an edit is told.
const fs = require("node:fs");

exports.readJob = () => {
  const job = JSON.parse(fs.readFileSync(0, "utf8"));
  const names = "Source, Facts, candidates, splice, parse, linked, woven, meterPoints, wrapped, isWatchable, ancestors, nameTypes, typeName, NOTHING_SEEN";
  return { job, engine: new Function("require", `${job.engine}\nreturn { ${names} };`)(require) };
};

/** The lines that an edit changes, and what stands in their place. */
exports.toldEdit = ({ splice }, source, { splices, operator, old, new: now }, file) => {
  const { text, lineStarts } = source;
  const first = source.lineAt(Math.min(...splices.map(([start]) => start)));
  const last = source.lineAt(Math.max(...splices.map(([, end]) => end)));
  const [a, b] = [lineStarts[first - 1], lineStarts[last] ?? text.length];
  const changed = splice(text.slice(a, b), splices.map(([start, end, one]) => [start - a, end - a, one]));
  const deletes = splices.every(([, , one]) => /^[\s;]*$/.test(one));
  return { file, from: first, to: last, old: text.slice(a, b), text: changed, operator, before: old, after: now, deletes };
};
