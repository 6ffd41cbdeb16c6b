/** Outputs of the test runners of SWE-bench's repositories, as its own harness reads them and as mend does. */

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { LOGGED } from "../../../utils/frameworks/logged/logged.ts";
import { frameworkStartedBy } from "../../../utils/frameworks/registry.ts";
import { installedPythons, uvProgram } from "../../../utils/project/packages/python/uv.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { hasUv } from "../../../utils/testing/needs.ts";
import { NamedTests } from "./named_tests.ts";
import { sweBenchCommand } from "./swe_bench.ts";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

/** A new environment with these packages, as the path of its Python; null where they cannot be had. */
async function environment(minor: string, packages: readonly string[]): Promise<string | null> {
  const path = join(folder.path, `${minor}-${packages.join("-").replace(/\W+/g, "_")}`);
  try {
    const python = (await installedPythons()).get(minor) ?? minor;
    for (const words of [
      ["venv", "--quiet", "--python", python, path],
      ["pip", "install", "--quiet", "--only-binary", ":all:", "--python", join(path, "bin/python"), ...packages],
    ])
      execFileSync(uvProgram(), words, { stdio: ["ignore", "ignore", "pipe"] });
    return join(path, "bin/python");
  } catch (error) {
    console.warn(`skipped: ${packages.join(" ")} cannot be installed: ${String(error).slice(0, 500)}`);
    return null;
  }
}

/** Prints, for each output, what each parser of a repository reads of it. The harness itself is not loaded. */
const READ = `
import json, sys, types
site = next(path for path in sys.path if path.endswith("site-packages"))
for name in ("swebench", "swebench.harness"):
    module = types.ModuleType(name)
    module.__path__ = [site + "/" + name.replace(".", "/")]
    sys.modules[name] = module
from swebench.harness.log_parsers.python import MAP_REPO_TO_PARSER_PY as parsers
print(json.dumps([parsers[repo](log, None) for repo, log in json.load(sys.stdin)]))
`;

const PYTEST_FILES = {
  "tests/test_many.py": `
import logging, pytest, sys
@pytest.mark.parametrize("a", ["a b", "a - b", "[x]", "/tmp/x", "plain", "é"])
def test_param(a): assert a
@pytest.mark.parametrize("a", ["bad one", "bad"])
def test_bad(a):
    logging.getLogger("app").error("it is bad")
    assert a == "good - value"
class TestA:
    def test_in_class(self): pass
    def test_fails(self): assert {"a": 1} == {"a": 2}, "message - with [brackets]"
@pytest.fixture
def broken(): raise RuntimeError("no fixture")
def test_error(broken): pass
@pytest.mark.xfail
def test_xfails(): assert 0
@pytest.mark.xfail(reason="known")
def test_xfails_reason(): assert 0
@pytest.mark.skip(reason="not now")
def test_skipped(): pass
def test_prints():
    sys.stdout.write("no newline"); sys.stderr.write("err")
`,
  "tests/test_unloaded.py": "import no_such_module\n",
};
const DJANGO_FILES = {
  "settings.py":
    "SECRET_KEY = 'a'\nINSTALLED_APPS = ['django.contrib.auth', 'django.contrib.contenttypes', 'shop']\n" +
    "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\nUSE_TZ = True\n",
  "shop/__init__.py": "",
  "shop/tests.py": `
import unittest
from django.test import SimpleTestCase, TestCase
class Prices(TestCase):
    def test_half(self): self.assertEqual(6 / 2, 3)
    def test_third(self):
        """A third is not a half (#1234)."""
        self.assertEqual(6 / 3, 3)
    def test_prints(self): print("it prints"); self.assertTrue(True)
    @unittest.skip("not now")
    def test_skipped(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
class Broken(SimpleTestCase):
    def test_error(self): raise ValueError("no")
    def test_subtests(self):
        for i in range(3):
            with self.subTest(i=i): self.assertLess(i, 2)
`,
};
const SYMPY_TEST = `
def test_good(): pass
def test_planted(): assert 1 == 2
def test_error_planted(): raise ValueError("no")
def test_last(): pass
`;

interface Runner {
  /** Of its package. */
  name: string;
  repos: readonly string[];
  versions: readonly string[];
  /** What a version needs beside it. */
  more?: (version: string) => string[];
  env?: Record<string, string>;
  files: (python: string) => Record<string, string>;
  /** Arguments of Python. */
  commands: readonly (readonly string[])[];
}

/** Runs the commands of one version. @returns each output with the repository whose runner printed it */
async function outputs(of: Runner, version: string): Promise<[repo: string, log: string][]> {
  const program = await environment("3.9", [`${of.name}==${version}`, ...(of.more?.(version) ?? [])]);
  if (program === null) return [];
  const place = join(folder.path, `${of.name}-${version}`);
  for (const [file, text] of Object.entries(of.files(program))) {
    const path = file.startsWith("/") ? file : join(place, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  mkdirSync(place, { recursive: true });
  return of.commands.flatMap((words) => {
    const { stdout, stderr } = spawnSync(program, words, { cwd: place, encoding: "utf8", env: of.env ?? {} });
    return of.repos.map((repo): [string, string] => [repo, `${stderr}${stdout}`]);
  });
}

const PYTEST = ["-m", "pytest", "-p", "no:cacheprovider", "-rA"];
const SYMPY = "import sys, sympy; sympy.test(*sys.argv[1:], verbose=True, colors=False)";
const RUNNERS: readonly Runner[] = [
  {
    name: "pytest",
    // One of those that share a parser.
    repos: ["pallets/flask", "psf/requests", "sphinx-doc/sphinx", "mwaskom/seaborn", "matplotlib/matplotlib"],
    versions: ["4.6.11", "5.4.3", "6.2.5", "7.4.4", "8.3.3"],
    more: (version: string) => (version.startsWith("4") ? ["attrs<21", "importlib-metadata<5"] : []),
    files: () => PYTEST_FILES,
    commands: [
      [...PYTEST, "tests/test_many.py"],
      [...PYTEST, "-vv", "-o", "console_output_style=classic", "--tb=no", "tests/test_many.py"],
      [...PYTEST, "--color=yes", "tests"],
      [...PYTEST, "-k", "param or class", "--continue-on-collection-errors", "tests"],
      [...PYTEST, "tests/test_many.py::TestA"],
    ],
  },
  {
    name: "Django",
    repos: ["django/django"],
    versions: ["2.2.28", "3.2.25", "4.2.16"],
    env: { DJANGO_SETTINGS_MODULE: "settings" },
    files: () => DJANGO_FILES,
    commands: ["shop", "shop.tests.Prices", "shop.tests.Prices.test_half", "shop no_such_module"].map((labels) => [
      "-m",
      "django",
      "test",
      "--verbosity=2",
      ...labels.split(" "),
    ]),
  },
  {
    name: "sympy",
    repos: ["sympy/sympy"],
    versions: ["1.9", "1.12.1"],
    files: (python: string) => ({
      [join(dirname(python), "../lib/python3.9/site-packages/sympy/core/tests/test_planted.py")]: SYMPY_TEST,
    }),
    commands: [["test_planted"], ["test_operations"], ["test_planted", "test_singleton"]].map((files) => [
      ...["-c", SYMPY],
      ...files.map((name) => `sympy/core/tests/${name}.py`),
    ]),
  },
];

test.skipIf(!(await hasUv()))("each name that SWE-bench's harness reads passes or fails here, too", async (context) => {
  const harness = await environment("3.11", ["--no-deps", "swebench", "unidiff"]);
  const logs: [repo: string, log: string][] = [];
  for (const of of RUNNERS) for (const version of of.versions) logs.push(...(await outputs(of, version)));
  if (harness === null || logs.length === 0) return context.skip();
  const said = execFileSync(harness, ["-c", READ], { input: JSON.stringify(logs), maxBuffer: 1 << 28 });
  const read: Record<string, string>[] = JSON.parse(said.toString());
  expect(new Set(logs.map(([, log]) => log)).size).toBeGreaterThanOrEqual(40);
  for (const [i, [repo, log]] of logs.entries()) {
    const command = repo === "sphinx-doc/sphinx" ? "pytest" : (sweBenchCommand(repo) ?? "");
    const tests = frameworkStartedBy(command, LOGGED)?.framework.parseResults(log)?.tests ?? [];
    const index = new NamedTests(tests);
    const passes = (name: string) => {
      const [meant = []] = index.meant(name);
      return meant.length > 0 && meant.every(({ status }) => status === "passed");
    };
    const theirs = Object.entries(read[i] ?? {});
    const ours = theirs.map(([name]) => [name, passes(name)]);
    expect(ours, `${repo}: ${log.slice(0, 3000)}`).toEqual(
      theirs.map(([name, status]) => [name, status === "PASSED" || status === "XFAIL"]),
    );
  }
});
