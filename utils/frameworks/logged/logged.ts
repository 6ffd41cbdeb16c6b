/**
 * Frameworks whose results are read from what they print, in a project that has programs of its own: a container's, or
 * those of any Python. The commands are those of SWE-bench. Source: its harness, "constants/python.py".
 */

import type { CommandRequest, Framework, TestResult } from "../framework.ts";
import { shellCommand } from "../shell_command.ts";
import { djangoLog } from "./django_log.ts";
import { pytestLog } from "./pytest_log.ts";
import { sympyLog } from "./sympy_log.ts";

/** A command, and how it is started where its arguments name tests alone. */
interface LoggedRow {
  name: string;
  commands: RegExp;
  program: readonly string[];
  /** Stand before the tests, unless they are there. */
  options: readonly string[];
  /** A file or folder of tests as the command names it. Default: as the project does. */
  named?: (file: string) => string;
  takesFolders?: true;
  /** Runs some tests by name. Absent: it cannot. */
  select?: (test: TestResult) => string;
  read: Framework["parseResults"];
}

/** Tests in files of Python, as `tests/admin_views/tests.py`, by their modules. */
const djangoLabel = (file: string): string =>
  file
    .replace(/^(?:\.\/)?tests\//, "")
    .replace(/\.py$|\/$/, "")
    .replaceAll("/", ".");

/** A shell's words hold no parameters as they are printed. */
const pytestName = ({ name }: TestResult): string => name.replace(/\[.*/, "");

const ROWS: readonly LoggedRow[] = [
  {
    name: "tests/runtests.py",
    commands: /^(?:\S*python[\d.]*\s+)?(?:\.\/)?tests\/runtests\.py(?=\s|$)/,
    program: ["python", "tests/runtests.py"],
    options: ["--verbosity=2", "--settings=test_sqlite", "--parallel=1"],
    named: djangoLabel,
    takesFolders: true,
    // `method (module.Class)`, or `method (module.Class.method)` since Python 3.11.
    select: ({ name }) => name.replace(/^(\w+) \(([\w.]+?)(?:\.\1)?\)$/, "$2.$1"),
    read: djangoLog,
  },
  {
    name: "bin/test",
    commands: /^(?:\S*python[\d.]*\s+)?(?:\.\/)?bin\/test(?=\s|$)/,
    program: ["python", "bin/test"],
    options: ["-C", "--verbose"],
    takesFolders: true,
    read: sympyLog,
  },
  {
    name: "tox --current-env",
    commands: /^(?:\S*python[\d.]*\s+-m\s+)?tox(?=\s.*--current-env(?:\s|$))/,
    program: ["tox"],
    options: ["--current-env", "-epy39", "-v", "--"],
    takesFolders: true,
    select: pytestName,
    read: pytestLog,
  },
  {
    name: "pytest",
    commands: /^(?:\S*python[\d.]*\s+-m\s+)?(?:\S*\/)?py\.?test(?=\s|$)/,
    program: ["python", "-m", "pytest"],
    options: ["-rA"],
    takesFolders: true,
    select: pytestName,
    read: pytestLog,
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

function logged({ name, commands, program, options, named, takesFolders, select, read }: LoggedRow): Framework {
  return {
    name,
    language: "python",
    recognises: () => false,
    commands,
    ...(takesFolders && { takesFolders }),
    ...(select && {
      select: (tests, args) => [...optionsOf(args), ...new Set(tests.map(select))],
    }),
    command: async ({ project, args, results }: CommandRequest) => {
      const own = optionsOf(args);
      const tests = args.filter((word) => !own.includes(word)).map((word) => named?.(word) ?? word);
      const given = new Set(own.map(keyOf));
      const added = options.filter((word) => word === "--" || !given.has(keyOf(word)));
      // What stands behind `--` are tests.
      const words = [...own.filter((word) => word !== "--"), ...added, ...tests];
      const started = await shellCommand(project, ["sh", "-c", LINE, "sh", ...program, ...words]);
      return { ...started, env: { ...started.env, PYTHONHASHSEED: "0", REPORT: results } };
    },
    parseResults: read,
  };
}

/** In containers they stand for all others, which start programs of this machine. */
export const LOGGED: readonly Framework[] = ROWS.map(logged);
