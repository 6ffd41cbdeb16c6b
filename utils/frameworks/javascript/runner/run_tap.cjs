// Starts node-tap's own command, which from its version 18 on keeps records in the project: `run_tap.cjs RESULTS
// PROGRAM OPTIONS FILE...`, OPTIONS a JSON list of those for PROGRAM. Where the project cannot be written to each file
// is run by itself, without what `.taprc` says.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");

const [, , results, program, options, ...args] = process.argv;

function isWritable() {
  try {
    fs.accessSync(".", fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

if (isWritable()) {
  const { status } = spawnSync(process.execPath, [program, ...JSON.parse(options), ...args], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} else {
  process.argv.splice(2, process.argv.length, results, ...args.filter((word) => !word.startsWith("-")));
  require("./run_tape.cjs");
}
