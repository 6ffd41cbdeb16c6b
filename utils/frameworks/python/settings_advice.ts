/**
 * What to do where pytest does not start (its exit codes 3 and 4): settings speak of a plugin that is not there, say.
 */

/** Options and settings of plugins that many projects use, and the package that has each. */
const PACKAGES: readonly [RegExp, string][] = [
  [/^(?:asyncio_|--asyncio)/, "pytest-asyncio"],
  [/^(?:timeout|--timeout|session_timeout)/, "pytest-timeout"],
  [/^--(?:no-)?cov/, "pytest-cov"],
  [/^(?:-n\w*|--numprocesses|--dist|--maxprocesses|looponfail|--boxed)/, "pytest-xdist"],
  [/^(?:DJANGO_|django_|--ds|--reuse-db|--nomigrations)/, "pytest-django"],
  [/^(?:mock_|--mock)/, "pytest-mock"],
  [/^(?:env|env_files)$/, "pytest-env"],
  [/^--(?:reruns|only-rerun)/, "pytest-rerunfailures"],
  [/^--benchmark/, "pytest-benchmark"],
  [/^(?:qt_|--qt)/, "pytest-qt"],
  [/^--(?:flake8|flakes)/, "pytest-flake8"],
  [/^(?:--mypy|mypy_)/, "pytest-mypy"],
  [/^(?:--randomly|-p.?randomly)/, "pytest-randomly"],
  [/^(?:anyio_)/, "anyio"],
  [/^--(?:html|self-contained-html)/, "pytest-html"],
];

const UNKNOWN = /Unknown config option: ([\w-]+)|unrecognized arguments: (\S+)/;
const UNLOADED = /Error importing plugin ["']([\w.-]+)["']|ImportError while loading .*plugin ["']?([\w.-]+)/;

/** The line that pytest ends with where it breaks down itself, without its mark; null where the text has none. */
export const internalError = (text: string): string | null =>
  text
    .split("\n")
    .findLast((line) => /^INTERNALERROR> \S/.test(line))
    ?.trim() ?? null;

/** Null where the text says nothing of pytest's settings and plugins. */
export function settingsAdvice(text: string): string | null {
  const [, setting, option] = UNKNOWN.exec(text) ?? [];
  const unknown = setting ?? option;
  if (unknown !== undefined) {
    const [, name] = PACKAGES.find(([pattern]) => pattern.test(unknown)) ?? [];
    const without =
      setting === undefined ? "-o addopts= in the command" : "-W ignore::pytest.PytestConfigWarning in the command";
    return (
      `Install the plugin that knows ${unknown}${name === undefined ? "" : ` (${name})`} in the Python ` +
      `that --python names, or do without it: ${without}.`
    );
  }
  const [, plugin, other] = UNLOADED.exec(text) ?? [];
  const broken = plugin ?? other;
  if (broken !== undefined)
    return `Install ${broken} in the Python that --python names, or do without it: -p no:${broken} in the command.`;
  if (internalError(text) === null) return null;
  return (
    "Name a Python with other packages by --python, or leave out what breaks: -p no:PLUGIN, -W " +
    "ignore::WARNING in the command."
  );
}
