/** Frameworks with a runner or reporter of ours, which writes a line a test: plain files, node:test, tape, mocha. */

import { pathToFileURL } from "node:url";
import { oneOf } from "../../base/text/patterns.ts";
import { configFiles, type Framework } from "../framework.ts";
import { parseLines, parseLinesOfTests } from "../lines.ts";
import {
  filesOf,
  hookEnvironment,
  imports,
  installedCommand,
  isDeclared,
  NODE_ENVIRONMENT,
  nodeCommand,
  runnerFile,
  startedBy,
  titlePattern,
  usesGlobals,
  withAssert,
} from "./command.ts";

const SCRIPT = runnerFile("run_script.mjs");
const NODE_REPORTER = runnerFile("node_reporter.mjs");
export const TAPE = runnerFile("run_tape.cjs");
const PATTERNS = runnerFile("patterns.cjs");
/** Of our own: those that come with mocha can write to a file only in its later versions. */
const MOCHA_REPORTER = runnerFile("mocha_reporter.cjs");

/** A file of plain assertions (`node:assert`, `console.assert`), which is one test. Takes what no framework does. */
export const script: Framework = {
  name: "assertions",
  typed: "node",
  language: "javascript",
  recognises: ({ path }) => /\.[cm]?[jt]sx?$/.test(path),
  commands: null,
  command: async ({ project, args, results }) => {
    const { argv, readable } = nodeCommand(project, args);
    return { argv: [...argv, SCRIPT, results, ...args], env: NODE_ENVIRONMENT, readable };
  },
  parseResults: parseLines,
};

/** Options of Node whose value may be a word of its own. */
const WITH_VALUE = /-[rC]|--(?:require|import|loader|experimental-loader|conditions|env-file)/;
const IS_WITH_VALUE = new RegExp(`^${oneOf(WITH_VALUE)}$`);

/**
 * Words of a command of Node that are its own options, with their values: no file of tests, and not how its tests are
 * run.
 */
export const nodeOptionsIn = (args: readonly string[]): string[] =>
  args.filter((word, i) => (word.startsWith("-") ? !word.startsWith("--test") : IS_WITH_VALUE.test(args[i - 1] ?? "")));

const ANOTHER = /--(?!test(?:\s|$))[\w-]+(?:=\S+)?/;
const NODE_OPTION = oneOf(`${oneOf(WITH_VALUE)}(?:\\s+|=)\\S+`, ANOTHER);
const NODE_TEST = `(?:\\S*\\/)?node(?<flags>(?:\\s+${NODE_OPTION})*)\\s+--test`;

export const nodeTest: Framework = {
  name: "node:test",
  typed: "node --test",
  language: "javascript",
  names: { modules: [], signs: /\bnode:test\b|\bNODE_TEST_CONTEXT\b/ },
  writes: withAssert,
  recognises: (tests) => imports(tests, "node:test"),
  commands: new RegExp(`^${oneOf(NODE_TEST, "node:test")}(?=\\s|$)`),
  command: async ({ project, args, results, ...wanted }) => {
    const { argv, readable } = nodeCommand(project, args);
    const report = [`--test-reporter=${pathToFileURL(NODE_REPORTER).href}`, `--test-reporter-destination=${results}`];
    // One file needs no process of its own.
    const options = nodeOptionsIn(args);
    const named = args.filter((word) => !options.includes(word));
    const isFile = named.length === 1 && /^[^*?]*\.[cm]?[jt]sx?$/.test(named[0] ?? "");
    const hooks = hookEnvironment({ project, ...wanted });
    const loaded = [PATTERNS, ...(hooks.file ? [hooks.file] : [])];
    return {
      argv: [...argv, ...loaded.flatMap((file) => ["-r", file]), ...report, ...(isFile ? [] : ["--test"]), ...args],
      env: { ...NODE_ENVIRONMENT, ...hooks.env, ...(hooks.file ? { MEND_NODE_TEST: "1" } : {}) },
      readable,
    };
  },
  select: (tests, args) => [...nodeOptionsIn(args), ...(filesOf(tests) ?? [])],
  hooks: true,
  parseResults: parseLines,
};

/** Its files are programs of their own. */
export const tape: Framework = {
  name: "tape",
  language: "javascript",
  names: { modules: ["tape"] },
  recognises: (tests) => imports(tests, "tape"),
  commands: startedBy("tape"),
  command: async ({ project, args, results, ...wanted }) => {
    const { argv, readable } = nodeCommand(project, args);
    const hooks = hookEnvironment({ project, ...wanted });
    return {
      argv: [...argv, TAPE, results, ...args],
      env: { ...NODE_ENVIRONMENT, ...hooks.env, ...(hooks.file ? { MEND_HOOKS: hooks.file } : {}) },
      readable,
    };
  },
  select: (tests) => [...new Set(tests.flatMap(({ file }) => file ?? []))],
  hooks: true,
  parseResults: parseLinesOfTests,
};

export const mocha: Framework = {
  name: "mocha",
  language: "javascript",
  names: { modules: ["mocha"], settings: [/mocha\.opts/, configFiles("mocha")], signs: /\bMOCHA_\w+/ },
  writes: withAssert,
  recognises: (tests, project) =>
    imports(tests, "mocha") || imports(tests, "chai") || (usesGlobals(tests) && isDeclared(project, "mocha")),
  commands: startedBy("_?mocha"),
  command: async ({ project, args, results, ...wanted }) => {
    const hooks = hookEnvironment({ project, ...wanted });
    const command = installedCommand(project, "mocha", [
      ...["--reporter", MOCHA_REPORTER, "--reporter-options", `mendOutput=${results}`],
      // A file named like a test would stand in place of mocha's own: `mocha` alone runs what is in `test`.
      ...(hooks.file ? ["--file", hooks.file] : []),
      ...args,
    ]);
    const {
      argv: [node = "", ...loader],
      readable,
    } = nodeCommand(project, args);
    const [, ...rest] = command.argv;
    return {
      argv: [node, ...loader, ...rest],
      env: { ...command.env, ...hooks.env },
      readable: [...command.readable, ...readable],
    };
  },
  select: (tests) => [...(filesOf(tests) ?? []), "--grep", titlePattern(tests)],
  hooks: true,
  parseResults: parseLinesOfTests,
};
