// Runs files of vitest again and again in the process that ran them first: vitest's own runner, modules made anew.
const { createRequire } = require("node:module");
const net = require("node:net");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const { search } = require("./warm.cjs");
const { filePutter, OwnModules } = require("./own_modules.cjs");

const program = process.env.MEND_VITEST;
const load = (file) => import(pathToFileURL(file).href);
let maker = null;
let makerMs = 0;

/** Waits until the process that makes modules makes a file's module anew. */
const invalidated = (file) =>
  new Promise((resolve, reject) => {
    maker ??= net.connect(process.env.MEND_VITEST_SOCKET).setEncoding("utf8").unref();
    maker.once("error", reject).once("data", (text) => {
      maker.off("error", reject);
      makerMs = Number(text);
      resolve();
    });
    maker.write(`${file}\n`);
  });

/** As vitest's report has it. */
function nameOf(test) {
  const parts = [];
  for (let at = test; at && at !== test.file; at = at.suite) parts.unshift(at.name);
  return parts.join(" ").trim();
}

module.exports = async () => {
  const dist = path.join(path.dirname(program), "dist");
  const { VitestTestRunner } = await load(path.join(dist, "runners.js"));
  const { vi } = await load(path.join(dist, "index.js"));
  const { startTests } = await load(createRequire(program).resolve("@vitest/runner"));
  const ran = [];
  const modules = new OwnModules();
  const putInFile = filePutter();
  /** What was put into a file and not run yet. */
  let changed = null;
  let wanted = null; // null: the first run
  let [passed, failed] = [new Set(), false];

  function put(file, text) {
    putInFile(file, text);
    changed = file;
  }

  class Runner extends VitestTestRunner {
    async onBeforeRunTask(test) {
      if (wanted && (failed || !wanted.has(nameOf(test)))) test.mode = "skip";
      await super.onBeforeRunTask?.(test);
    }

    async onAfterRunTask(test) {
      await super.onAfterRunTask?.(test);
      if (test.result?.state === "pass") passed.add(nameOf(test));
      else if (test.mode === "run" && wanted?.has(nameOf(test))) failed = true;
    }

    async onAfterRunFiles(files) {
      await super.onAfterRunFiles?.(files);
      if (wanted) return;
      ran.push(...files.map(({ filepath }) => filepath));
      if (ran.length === this.workerState.ctx.files.length) await this.search();
    }

    /** vitest takes it that modules stay as they are for as long as a process lives. */
    async remake() {
      await invalidated(changed);
      const { evaluatedModules, moduleCache } = this.workerState;
      // Before vitest 4.
      if (moduleCache) return void moduleCache.delete(changed);
      for (const one of evaluatedModules.getModulesByFile(changed) ?? []) evaluatedModules.invalidateModule(one);
    }

    async search() {
      this.config.retry = 0;
      // Vitest's reporters do not hear of the tried edits.
      for (const name of ["onTaskUpdate", "onCollected", "onCollectStart"]) {
        const ownOne = VitestTestRunner.prototype[name];
        this[name] = async (...given) => ownOne?.apply(this, given);
      }
      const { cancel, workerState } = this;
      const known = workerState.evaluatedModules ?? workerState.moduleCache;
      if (typeof known?.invalidateModule !== "function") throw new Error("this version of vitest is not known");
      await invalidated("");
      await search({
        files: ran,
        globals: [globalThis],
        takesModules: true,
        takesTypes: true,
        elsewhereMs: () => makerMs,
        put,
        run: async (files, names, waitMs) => {
          Object.assign(this.config, { testTimeout: waitMs, hookTimeout: waitMs });
          [wanted, passed, failed] = [names, new Set(), false];
          modules.forget();
          if (changed !== null) await this.remake();
          changed = null;
          for (const file of files) {
            (this.moduleRunner ?? this.__vitest_executor)?.mocker?.reset?.();
            vi.resetModules();
            workerState.filepath = file;
            this.cancel = cancel;
            await startTests([file], this);
            vi.resetConfig();
            vi.useRealTimers();
            vi.restoreAllMocks();
            if (failed) return null;
          }
          return [...names].every((name) => passed.has(name)) ? passed : null;
        },
      });
    }
  }
  return Runner;
};
