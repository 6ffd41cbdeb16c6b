// What a failed test says of its error: the message, and the frames of the project.
const KIND = /^(?:Type|Range|Reference|Syntax|URI)Error$/;

const linesIn = (text) => text.split("\n").filter((line) => line.trim() !== "");

module.exports = (error) => {
  const text = String(error?.message ?? error ?? "");
  const frames = String(error?.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !/node_modules|node:|\(<anonymous>\)/.test(line));
  const kind = KIND.test(error?.name ?? "") ? `${error.name}: ` : "";
  return [...linesIn(`${kind}${text}`).slice(0, 6), ...frames.slice(0, 4)].join("\n").slice(0, 2000);
};
