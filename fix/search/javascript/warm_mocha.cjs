// The search in tests of mocha: loaded before it (`node -r`), so that mocha reads the project's own options and files
// first.
const Module = require("node:module");
const { isMainThread } = require("node:worker_threads");
// A thread for hooks of ES modules is given this file, too.
const { titles } = require("./job.cjs");
const { search } = isMainThread ? require("./warm.cjs") : {};
const { OwnModules } = require("./own_modules.cjs");

const load = Module._load;
Module._load = function (...given) {
  const exported = load.apply(this, given);
  const isMocha = typeof exported === "function" && exported.prototype?.addFile && exported.prototype.run;
  if (isMocha && !exported.prototype.run.isSearch) take(exported);
  return exported;
};

function take(Mocha) {
  const { run } = Mocha.prototype;
  let begun = false;
  Mocha.prototype.run = function (...given) {
    if (begun) return run.apply(this, given);
    begun = true;
    search(runnerOf(Mocha, this));
    return new (require("node:events"))();
  };
  Mocha.prototype.run.isSearch = true;
}

function runnerOf(Mocha, { files, options }) {
  const modules = new OwnModules();
  const own = modules.names();
  // What `--require` named is not asked for by the tests.
  const roots = own.filter((name) => !files.includes(name) && !own.includes(require.cache[name].parent?.filename));

  const run = (wantedFiles, wanted, waitMs) =>
    new Promise((resolve) => {
      modules.forget();
      const passed = new Set();
      let failed = false;
      class Reporter {
        constructor(runner) {
          runner.on("pass", (test) => passed.add(test.fullTitle()));
          runner.on("fail", (test) => {
            if (test.type === "test" && !wanted.has(test.fullTitle())) return;
            failed = true;
            runner.abort?.();
          });
        }
      }
      for (const name of roots) require(name);
      const mocha = new Mocha({
        ...options,
        timeout: Math.min(Number(options.timeout) || waitMs, waitMs),
        reporter: Reporter,
        grep: undefined,
        parallel: false,
        color: false,
      });
      mocha.files = wantedFiles;
      mocha.reporter(Reporter);
      const grep = titles(wanted);
      if (grep) mocha.grep(grep);
      mocha.run(() => resolve(failed || [...wanted].some((name) => !passed.has(name)) ? null : passed));
    });
  return { files, globals: [globalThis], takesTypes: true, put: (file, text) => modules.put(file, text), run };
}
