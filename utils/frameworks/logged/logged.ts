/**
 * Frameworks whose results are read from what they print, in a project that has programs of its own: a container's, or
 * those of any Python. The commands are those of SWE-bench (its harness, "constants/python.py") and Multi-SWE-bench.
 */

import { dirname } from "node:path";
import type { LanguageName } from "../../languages/language.ts";
import type { CommandRequest, Framework, TestResult } from "../framework.ts";
import { shellCommand } from "../shell_command.ts";
import { djangoLog } from "./django_log.ts";
import { printedLog } from "./printed_log.ts";
import { pytestLog } from "./pytest_log.ts";
import { sympyLog } from "./sympy_log.ts";

/** A command, and how it is started where its arguments name tests alone. */
interface LoggedRow {
  name: string;
  /** Default: Python. */
  language?: LanguageName | null;
  commands: RegExp;
  program: readonly string[];
  /** Stand before the tests, unless they are there. Absent: its arguments stay as they are. */
  options?: readonly string[];
  /** A file or folder of tests as the command names it. Default: as the project does. */
  named?: (file: string) => string;
  takesFolders?: true;
  /** Words that run these tests and few others. Absent: it cannot. */
  select?: (tests: readonly TestResult[]) => readonly string[];
  read: Framework["parseResults"];
}

/** Tests in files of Python, as `tests/admin_views/tests.py`, by their modules. */
const djangoLabel = (file: string): string =>
  file
    .replace(/^(?:\.\/)?tests\//, "")
    .replace(/\.py$|\/$/, "")
    .replaceAll("/", ".");

/** A shell's words hold no parameters as they are printed. */
const pytestNames = (tests: readonly TestResult[]): string[] => tests.map(({ name }) => name.replace(/\[.*/, ""));

/** It takes one name, beside files. */
function sympyNames(tests: readonly TestResult[]): string[] {
  const titles = new Set(tests.map(({ name, title = name }) => title));
  return [...tests.flatMap(({ file }) => file ?? []), ...(titles.size === 1 ? ["-k", ...titles] : [])];
}

/** A file of tests in Go runs with its package. */
const goPackage = (word: string): string => (word.endsWith("_test.go") ? `./${dirname(word)}` : word);

const ROWS: readonly LoggedRow[] = [
  {
    name: "tests/runtests.py",
    commands: /^(?:\S*python[\d.]*\s+)?(?:\.\/)?tests\/runtests\.py(?=\s|$)/,
    program: ["python", "tests/runtests.py"],
    options: ["--verbosity=2", "--settings=test_sqlite", "--parallel=1"],
    named: djangoLabel,
    takesFolders: true,
    // `method (module.Class)`, or `method (module.Class.method)` since Python 3.11.
    select: (tests) => tests.map(({ name }) => name.replace(/^(\w+) \(([\w.]+?)(?:\.\1)?\)$/, "$2.$1")),
    read: djangoLog,
  },
  {
    name: "bin/test",
    commands: /^(?:\S*python[\d.]*\s+)?(?:\.\/)?bin\/test(?=\s|$)/,
    program: ["python", "bin/test"],
    options: ["-C", "--verbose"],
    takesFolders: true,
    select: sympyNames,
    read: sympyLog,
  },
  {
    name: "tox --current-env",
    commands: /^(?:\S*python[\d.]*\s+-m\s+)?tox(?=\s.*--current-env(?:\s|$))/,
    program: ["tox"],
    options: ["--current-env", "-epy39", "-v", "--"],
    takesFolders: true,
    select: pytestNames,
    read: pytestLog,
  },
  {
    name: "pytest",
    commands: /^(?:\S*python[\d.]*\s+-m\s+)?(?:\S*\/)?py\.?test(?=\s|$)/,
    program: ["python", "-m", "pytest"],
    options: ["-rA"],
    takesFolders: true,
    select: pytestNames,
    read: pytestLog,
  },
  {
    name: "/home/run.sh",
    language: null,
    commands: /^bash \/home\/run\.sh$/,
    program: ["bash", "/home/run.sh"],
    read: printedLog,
  },
  {
    name: "go test",
    language: "go",
    commands: /^go\s+test(?=\s|$)/,
    program: ["go", "test", "-v"],
    named: goPackage,
    read: printedLog,
  },
  {
    name: "cargo test",
    language: "rust",
    commands: /^cargo\s+test(?=\s|$)/,
    program: ["cargo", "test"],
    read: printedLog,
  },
];

/** Many systems have Python as `python3` alone. The whole log is read, and its end is shown. */
const LINE = [
  'command -v python >/dev/null || python() { python3 "$@"; }',
  '"$@" > "$REPORT" 2>&1; code=$?; tail -c 100000 "$REPORT"; exit "$code"',
].join("\n");

/** Options whose value is the next word. */
const VALUED = /^(?:-[ceknmop]|--(?:verbosity|settings|parallel|maxfail|tb|rootdir|timeout))$/;

/** Without what names tests. */
const optionsOf = (args: readonly string[]): string[] =>
  args.filter((word, i) => word.startsWith("-") || VALUED.test(args[i - 1] ?? ""));

/** `--verbosity` of `--verbosity=2`, `-e` of `-epy39`. */
const keyOf = (option: string): string => /^(?:--[\w-]+|-\w)/.exec(option)?.[0] ?? option;

function wordsOf({ options, named = (word) => word }: LoggedRow, args: readonly string[]): string[] {
  if (!options) return args.map(named);
  const own = optionsOf(args);
  const tests = args.filter((word) => !own.includes(word)).map(named);
  const given = new Set(own.map(keyOf));
  const added = options.filter((word) => word === "--" || !given.has(keyOf(word)));
  // What stands behind `--` are tests.
  return [...own.filter((word) => word !== "--"), ...added, ...tests];
}

function logged(row: LoggedRow): Framework {
  const { name, language = "python", commands, program, takesFolders, select, read } = row;
  return {
    name,
    language,
    recognises: () => false,
    commands,
    ...(takesFolders && { takesFolders }),
    ...(select && {
      select: (tests, args) => [...optionsOf(args), ...new Set(select(tests))],
    }),
    command: async ({ project, args, results }: CommandRequest) => {
      const started = await shellCommand(project, ["sh", "-c", LINE, "sh", ...program, ...wordsOf(row, args)]);
      return { ...started, env: { ...started.env, PYTHONHASHSEED: "0", REPORT: results } };
    },
    parseResults: read,
  };
}

/** In containers they stand for all others, which start programs of this machine. */
export const LOGGED: readonly Framework[] = ROWS.map(logged);
