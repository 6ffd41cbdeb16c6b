/**
 * What SWE-bench's rows do not say: the command that runs a repository's tests, and the image of a task. Source:
 * SWE-bench's documentation and the tables of its harness (swebench 2 to 4, `MAP_REPO_VERSION_TO_SPECS`).
 */

/** Its 12 repositories. A command is followed by files of tests. */
const COMMANDS: Readonly<Record<string, string>> = {
  "astropy/astropy": "pytest -rA -vv -o console_output_style=classic",
  "django/django": "./tests/runtests.py --verbosity=2 --settings=test_sqlite --parallel=1",
  "matplotlib/matplotlib": "pytest -rA",
  "mwaskom/seaborn": "pytest -rA",
  "pallets/flask": "pytest -rA",
  "psf/requests": "pytest -rA",
  "pydata/xarray": "pytest -rA",
  "pylint-dev/pylint": "pytest -rA",
  "pytest-dev/pytest": "pytest -rA",
  "scikit-learn/scikit-learn": "pytest -rA",
  "sphinx-doc/sphinx": "tox --current-env -epy39 -v --",
  "sympy/sympy": "bin/test -C --verbose",
};

export const sweBenchCommand = (repo: string): string | undefined =>
  Object.hasOwn(COMMANDS, repo) ? COMMANDS[repo] : undefined;

/** The image of a task of one of them; undefined for others. */
export const sweBenchImage = (id: string, repo: string): string | undefined =>
  sweBenchCommand(repo) && `swebench/sweb.eval.x86_64.${id.toLowerCase().replace("__", "_1776_")}:latest`;
