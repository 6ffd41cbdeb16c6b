// Files that a pattern with *, ** and ? stands for. Loaded before node:test (`-r`), whose runner takes none before Node
// 21, it puts them in the place of the patterns.
const fs = require("node:fs");
const path = require("node:path");

const isPattern = (word) => /[*?]/.test(word) && !word.startsWith("-");

exports.filesOf = function filesOf(pattern) {
  if (!isPattern(pattern)) return [pattern];
  const expression = path
    .normalize(pattern)
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*\/|\*\*|\*|\?/g, (mark) => ({ "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" })[mark]);
  const all = fs.readdirSync(".", { recursive: true, withFileTypes: true });
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(".", path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((name) => !name.includes("node_modules/") && new RegExp(`^${expression}$`).test(name))
    .sort();
};

if (process.execArgv.includes("--test")) {
  // One that nothing fits stays, and the runner says so.
  process.argv = process.argv.flatMap((word) => {
    const files = exports.filesOf(word);
    return files.length > 0 ? files : word;
  });
}
