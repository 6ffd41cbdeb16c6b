/** The frameworks whose tests can be searched, one row each; and who searches by any other command. */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownKnowledge } from "../../agent/tools/search_edits.ts";
import { nodeOptionsIn, TAPE } from "../../utils/frameworks/javascript/runners.ts";
import { FRAMEWORKS } from "../../utils/frameworks/registry.ts";
import type { TestPlan } from "../../utils/frameworks/test_run.ts";
import type { LanguageName } from "../../utils/languages/language.ts";
import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";
import { packageProgram } from "../../utils/project/project.ts";
import type { TestCommand } from "../../utils/project/test_command.ts";
import { engineSource } from "../../utils/search/bundle.ts";
import { javascriptEdits } from "../../utils/search/javascript/bundle.ts";
import { isCompiled } from "../../utils/search/tables.ts";
import type { Preparation } from "../attempts/prepare.ts";
import { isPython } from "../project/functions.ts";

/** The search inside the process of the tests. */
export interface LiveSearch {
  /** True where a first run says what makes the lists of edits, which it is given then. */
  asksForLists?: true;
  /** What makes the edits, as text. */
  engine(): string;
  /**
   * Starts the tests with the search in them: it reads the job on its stdin.
   * @param out absolute path of the file that gets a JSON line for each thing found
   * @param results the same for the reports of test frameworks
   */
  command(prepared: Preparation, out: string, results: string): Promise<TestCommand>;
}

export interface Searcher {
  /** Of the functions that it can edit. */
  edits(file: string): boolean;
  /** Which these are, in a few words. */
  reads: string;
  /** True where what it finds has passed in a process of its own. */
  confirms: boolean;
  /**
   * How much more an edit may cost than the cheapest that passes before it is too unlikely to speak against that one.
   */
  margin: number;
  /** Processor time for one function. */
  functionSeconds: number;
  /** Edits that are tried for one function. Without: as many as its time allows. */
  functionEdits?: number;
  /** Who searches where this one says that nothing can be tried its way. */
  otherwise?: Searcher;
  /** How it runs the tests; by the name of a language they start for each edit, see `versions/search_versions.ts`. */
  by: LiveSearch | LanguageName;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const PYTHON_SCRIPTS = here("./python");
const MARGIN = 3;
/** What an edit costs more whose type does not fit, where types were seen: no reason to leave it out. */
const OTHER_TYPE = 1.2;

const python: Searcher = {
  edits: isPython,
  reads: "functions in Python",
  confirms: true,
  margin: MARGIN + OTHER_TYPE,
  functionSeconds: 10,
  by: {
    asksForLists: true,
    engine: engineSource,
    command: async ({ suite: { project, plan } }, out, results) => {
      const tests = await plan.framework?.command({ project, args: plan.args, results });
      const [interpreter = "", , runner = "", kind = ""] = tests?.argv ?? [];
      return {
        argv: [interpreter, "-B", join(PYTHON_SCRIPTS, "search.py"), out, dirname(runner), kind, ...plan.args],
        env: tests?.env ?? {},
        readable: [PYTHON_SCRIPTS, ...(tests?.readable ?? [])],
      };
    },
  },
};

const SCRIPTS = here("./javascript");
const scriptOf = (name: string): string => join(SCRIPTS, name);

/** The tests start for each edit: slow, and the same for every command. */
const byVersions = (language: LanguageName): Searcher => ({
  edits: (file) => languageOf(file)?.name === language && !/\.[cm]?[jt]sx$/.test(file),
  reads: READS[language] ?? `functions in ${LANGUAGES[language].title}`,
  confirms: false,
  margin: MARGIN,
  functionSeconds: 60,
  by: language,
});

const READS: Partial<Record<LanguageName, string>> = {
  javascript: "functions in JavaScript and TypeScript (no JSX)",
};

/** By any command, which builds what has to be built. */
export const BY_COMMAND: Readonly<Record<LanguageName, Searcher>> = {
  python: byVersions("python"),
  javascript: byVersions("javascript"),
  java: byVersions("java"),
  cpp: byVersions("cpp"),
  go: byVersions("go"),
  rust: byVersions("rust"),
};
const { javascript } = BY_COMMAND;

/** The framework's own command with the search in it, which turns down ES modules and TypeScript. */
const warm = (place: (words: readonly string[], prepared: Preparation) => string[]): Searcher => ({
  edits: javascript.edits,
  reads: javascript.reads,
  confirms: false,
  margin: MARGIN,
  functionSeconds: 10,
  otherwise: javascript,
  by: {
    engine: () => javascriptEdits(ownKnowledge().javascript),
    command: async (prepared, out, results) => {
      const { project, plan } = prepared.suite;
      const tests = await plan.framework?.command({ project, args: plan.args, results });
      return {
        argv: place(tests?.argv ?? [], prepared),
        env: { ...tests?.env, MEND_SEARCH: out, MEND_ROOT: project.root },
        readable: [...(tests?.readable ?? []), SCRIPTS],
      };
    },
  },
});

/** WebAssembly that reserves 4 GB for what takes types away leaves no room for a thread. */
const LITTLE_WEBASSEMBLY = "--wasm-max-mem-pages=2048";
/** In KB: a parser goes as deep as the deepest expression, and a sum of thousands of terms is so deep. */
const DEEP_STACK = "--stack-size=4000";

const mocha = warm(([node = process.execPath, ...rest], { suite: { project } }) => {
  // `mocha` may start `_mocha` as another process.
  const program = packageProgram(project.folder, "mocha") ?? "";
  const inner = rest.map((word) => (word === program ? join(dirname(word), "_mocha") : word));
  return [node, LITTLE_WEBASSEMBLY, DEEP_STACK, "-r", scriptOf("warm_mocha.cjs"), ...inner];
});

const tape = warm((words) => words.flatMap((word) => (word === TAPE ? [scriptOf("warm_tape.cjs"), word] : word)));

const nodeTest = warm(([node = process.execPath, ...rest], { baseline: { failing, passing } }) => [
  node,
  LITTLE_WEBASSEMBLY,
  DEEP_STACK,
  ...nodeOptionsIn(rest),
  scriptOf("warm_node_test.cjs"),
  ...new Set([...failing, ...passing].flatMap(({ file }) => file ?? [])),
]);

// Last: an option of several values takes what follows for more of them.
const jest = warm((words) => [
  ...words,
  `--testRunner=${scriptOf("jest_files.cjs")}`,
  `--reporters=${scriptOf("warm_jest.cjs")}`,
]);

const vitest = warm(([node = process.execPath, ...words]) => [node, scriptOf("warm_vitest.mjs"), ...words]);

/** By the framework's name. */
export const SEARCHERS: Readonly<Record<string, Searcher>> = {
  pytest: python,
  unittest: python,
  doctest: python,
  asserts: python,
  mocha,
  tape,
  jest,
  "node:test": nodeTest,
  vitest,
  ...Object.fromEntries(
    FRAMEWORKS.flatMap(({ name, language }) =>
      language !== null && isCompiled(language) ? [[name, BY_COMMAND[language]]] : [],
    ),
  ),
};

/** Why a kind of models that only searches is not measured on a repository. */
export const NOT_SEARCHED =
  `The search engine repairs repositories with failing tests of ${Object.keys(SEARCHERS).join(", ")} ` +
  "alone, and where nothing has to be built before them";

/**
 * The searcher for the tests of a plan: the framework's if the plan is its own command, else the language's, which
 * works with any command.
 * @param files of the functions that may be searched, the likeliest first
 * @returns null if none of them is in a language that can be searched
 */
export function searcherFor({ framework, setup }: TestPlan, files: readonly string[]): Searcher | null {
  const row = SEARCHERS[framework?.name ?? ""];
  if (row && (setup === "" || typeof row.by === "string")) return row;
  const language = files.flatMap((file) => languageOf(file) ?? [])[0];
  return language === undefined ? null : BY_COMMAND[language.name];
}
