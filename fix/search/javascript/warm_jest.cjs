// The search in tests of jest: a reporter (`--reporters`), which jest tells when all files have run. Each file is run
// again and again in its own environment, where jest's registry gives its modules anew.
const { titles } = require("./job.cjs");
const { search } = require("./warm.cjs");
const { opened } = require("./jest_files.cjs");

/** Options of a project, and what they do before each test. */
const BEFORE_EACH = {
  resetModules: "resetModules",
  clearMocks: "clearAllMocks",
  resetMocks: "resetAllMocks",
  restoreMocks: "restoreAllMocks",
};

/** Runs one file and adds the names of the tests that passed. @returns false where one of the wanted tests did not */
async function runFile(file, wanted, passed, waitMs) {
  const { testPath, config, environment, runtime, circus } = file;
  environment.fakeTimers?.useRealTimers();
  environment.fakeTimersModern?.useRealTimers();
  runtime.restoreAllMocks();
  runtime.resetModules();
  circus.resetState();
  let failed = false;
  const fail = () => {
    failed = true;
  };
  file.heard = ({ name, test }, { rootDescribeBlock }) => {
    if (name !== "test_done" || test.errors.length === 0 || !wanted.has(nameOf(test))) return;
    failed = true;
    skipAll(rootDescribeBlock);
  };
  process.on("uncaughtException", fail).on("unhandledRejection", fail);
  try {
    circus.beforeEach(() => {
      for (const [option, method] of Object.entries(BEFORE_EACH)) if (config[option]) runtime[method]();
    });
    for (const name of config.setupFilesAfterEnv) runtime.requireModule(name);
    runtime.requireModule(testPath);
    const state = circus.getState();
    state.testTimeout = waitMs;
    state.testNamePattern = titles(wanted);
    const { testResults, unhandledErrors } = await circus.run();
    for (const {
      testPath: [, ...parts],
      status,
      errors,
    } of testResults) {
      if (status === "done" && errors.length === 0) passed.add(parts.join(" ").trim());
    }
    return !failed && unhandledErrors.length === 0;
  } finally {
    process.off("uncaughtException", fail).off("unhandledRejection", fail);
  }
}

/** As jest's report has it. */
function nameOf(test) {
  const parts = [];
  for (let at = test; at.parent; at = at.parent) parts.unshift(at.name);
  return parts.join(" ").trim();
}

/** Of what has not begun. */
function skipAll({ children }) {
  for (const child of children) {
    if (child.type === "describeBlock") skipAll(child);
    else child.mode = "skip";
  }
}

async function run(files, wanted, waitMs) {
  const passed = new Set();
  for (const file of opened.filter(({ testPath }) => files.includes(testPath))) {
    if (!(await runFile(file, wanted, passed, waitMs))) return null;
  }
  return [...wanted].every((name) => passed.has(name)) ? passed : null;
}

module.exports = class WarmJest {
  onRunComplete() {
    let [edited, text] = [null, null];
    for (const { runtime } of opened) {
      const { transformFile } = runtime;
      runtime.transformFile = (name, ...more) =>
        text !== null && name === edited ? text : transformFile.call(runtime, name, ...more);
    }
    const put = (name, now) => {
      [edited, text] = [name, now];
    };
    const files = opened.map(({ testPath }) => testPath);
    return search({ files, globals: opened.map(({ environment }) => environment.global), put, run });
  }
};
