/** What a Python project needs is read from its files, and what its tests lack from what they print. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../utils/testing/command.ts";
import { readDeclarations } from "./declarations.ts";
import { missingOfPython } from "./missing_python.ts";

function declared(files: Record<string, string>) {
  using folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), text);
  }
  return readDeclarations(folder.path);
}

test.each<[string, Record<string, string>, string, string[]]>([
  ["setup.py", { "setup.py": "setup(extras_require={'docs': ['a'], 'test': ['b']})" }, ".[test]", []],
  ["setup.cfg", { "setup.py": "", "setup.cfg": "[options.extras_require]\ntesting =\n  b\ndev =\n  c\n" }, "", []],
  [
    "a build",
    { "pyproject.toml": "[project]\nname='a'\n[project.optional-dependencies]\ndev = ['c']\n" },
    ".[dev]",
    [],
  ],
  [
    "what compiles it",
    { "setup.py": "setup(ext_modules=[])", "pyproject.toml": "[build-system]\nrequires = ['numpy<2', \"cython\"]\n" },
    ".",
    ["setuptools", "numpy<2", "cython"],
  ],
  [
    "groups",
    { "pyproject.toml": "[build-system]\n[dependency-groups]\ntest = ['b']\ndocs = ['c']\n" },
    ".",
    ["--group", "test"],
  ],
  [
    "Poetry",
    { "pyproject.toml": '[build-system]\n[tool.poetry.group.dev.dependencies]\npython = "^3.9"\nmock = "^4"\n' },
    ".",
    ["mock"],
  ],
  [
    "files",
    {
      "requirements.txt": "a\n",
      "requirements-dev.txt": "b\n",
      "requirements/test.txt": "c\n",
      "docs/requirements.txt": "d",
    },
    "",
    ["-r", "requirements.txt", "-r", "requirements/test.txt"],
  ],
  ["files for developers", { "requirements-dev.txt": "b\n" }, "", ["-r", "requirements-dev.txt"]],
  [
    "tox",
    {
      "tox.ini":
        "[testenv]\ndeps =\n  pytest >= 6\n  py27: mock\n  -rx.txt\n  git+https://h/r\ncommands = x\n[testenv:lint]\ndeps = flake8\n",
    },
    "",
    ["pytest>=6"],
  ],
])("%s", (_, files, project, tests) => {
  expect(declared(files)).toMatchObject({ project, tests });
});

test("tags of no release, other indexes, folders and addresses are left out of what is built", () => {
  const { replaced } = declared({
    "setup.cfg": "[metadata]\nname = a\n[egg_info]\ntag_build = .dev\ntag_date = true\n",
    "requirements.txt": "a==1\n-e .\n--index-url http://h\nb @ git+https://h/r\n./c\n",
  });
  expect(replaced["setup.cfg"]).toBe("[metadata]\nname = a\n[egg_info]\n\n\n");
  // Versioneer needs its own.
  expect(declared({ "setup.cfg": "[versioneer]\ntag_prefix =\n" }).replaced).toEqual({});
  expect(replaced["requirements.txt"]?.trim()).toBe("a==1");
});

test.each<[string, number[]]>([
  ["requires-python = '>=3.8,<3.12'", [9, 10, 11]],
  ['python_requires=">=3.10"', [10, 11, 12, 13]],
  ["", [9, 10, 11, 12, 13]],
])("%s", (text, minors) => {
  const { takes } = declared({ "setup.py": text });
  expect([9, 10, 11, 12, 13].filter(takes)).toEqual(minors);
});

test.each<[string, Record<string, string>]>([
  ["ModuleNotFoundError: No module named 'yaml.nodes'", { "yaml.nodes": "PyYAML" }],
  ["E   ModuleNotFoundError: No module named 'rates.parts'", {}],
  ["ModuleNotFoundError: No module named 'conftest'", {}],
  [
    "__main__.py: error: unrecognized arguments: --asyncio-mode=strict --cov",
    { "--asyncio-mode": "pytest-asyncio", "--cov": "pytest-cov" },
  ],
  ["while parsing the following warning configuration: ModuleNotFoundError: No module named 'trio'", { trio: "trio" }],
  [
    "ERROR: Missing required plugins: pytest-xdist>=1, pytest-mock",
    { "pytest-xdist": "pytest-xdist", "pytest-mock": "pytest-mock" },
  ],
  ["E  fixture 'mocker' not found", { mocker: "pytest-mock" }],
  ["E  fixture 'own_fixture' not found", {}],
  ["async def functions are not natively supported.", { "async def": "pytest-asyncio" }],
])("%s", (text, packages) => {
  expect(Object.fromEntries(missingOfPython(text, ["src/rates/__init__.py", "README.md"]))).toEqual(packages);
});
