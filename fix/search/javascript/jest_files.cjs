// jest's runner of a file of tests (`--testRunner`): its own one, after which what it ran in stays open.
const { createRequire } = require("node:module");
const fs = require("node:fs");

/** Modules of jest lie beside one another, or each beside the one that asks for it. */
const resolve = (...names) =>
  names.reduce((from, name) => createRequire(from).resolve(name), fs.realpathSync(process.argv[1]));
const CIRCUS = ["jest-cli", "jest-config", "jest-circus"];

/** {"testPath", "config", "environment", "runtime", "circus", "heard"} of each file. */
const opened = [];

module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
  if (typeof runtime.transformFile !== "function") throw new Error("this version of jest is not known");
  const file = { testPath, config, environment, runtime, heard: () => {} };
  const { handleTestEvent } = environment;
  environment.handleTestEvent = async (event, state) => {
    await handleTestEvent?.call(environment, event, state);
    file.heard(event, state);
  };
  const stock = require(resolve(...CIRCUS.slice(0, 2), "jest-circus/runner"));
  const result = await (stock.default ?? stock)(globalConfig, config, environment, runtime, testPath, ...more);
  file.circus = runtime.requireInternalModule(resolve(...CIRCUS));
  environment.teardown = async () => {};
  runtime.teardown = () => {};
  opened.push(file);
  return result;
};
module.exports.opened = opened;
