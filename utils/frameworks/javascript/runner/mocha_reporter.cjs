// A reporter for any version of mocha: one JSON line a test, {"name", "title", "status", "message", "file"}, with
// {"begun": name} before it, and {"end": true} at the end.
const fs = require("node:fs");
const said = require("./said.cjs");

// mocha has read its options and loads the tests next. A program that they test may read the command line, too.
const own = process.argv.indexOf("--reporter");
const loadsHooks = process.argv[own + 5] === require("node:path").join(__dirname, "hooks.cjs");
if (process.argv[own + 1] === __filename) process.argv.splice(own, loadsHooks ? 6 : 4);

module.exports = function lines(runner, options = {}) {
  const out = fs.openSync((options.reporterOptions ?? options.reporterOption).mendOutput, "w");
  const write = (row) => fs.writeSync(out, `${JSON.stringify(row)}\n`);
  const told = (status) => (test, error) =>
    write({
      name: test.fullTitle(),
      title: test.title,
      status,
      message: status === "failed" ? said(error) : "",
      file: test.file ?? test.parent?.file,
    });
  runner.on("test", (test) => write({ begun: test.fullTitle() }));
  runner.on("pass", told("passed"));
  runner.on("fail", told("failed"));
  runner.on("pending", told("skipped"));
  runner.on("end", () => write({ end: true }));
};
