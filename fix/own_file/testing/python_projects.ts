/** For tests: Python projects. */

import type { TestProject } from "./project.ts";
import { PYTEST_PROJECTS } from "./pytest_projects.ts";

export const PYTHON_PROJECTS: readonly TestProject[] = [
  ...PYTEST_PROJECTS,
  {
    name: "unittest",
    framework: "",
    files: {
      "temperature.py": `def to_celsius(fahrenheit):
    return (fahrenheit - 32) * 5 / 9


def to_fahrenheit(celsius):
    return celsius * 9 / 5 + 32
`,
      "test_temperature.py": `import unittest

import temperature


class TemperatureTest(unittest.TestCase):
    def setUp(self):
        self.pairs = [(32, 0), (212, 100)]

    def test_to_celsius(self):
        for fahrenheit, celsius in self.pairs:
            with self.subTest(fahrenheit):
                self.assertAlmostEqual(temperature.to_celsius(fahrenheit), celsius)

    def test_to_fahrenheit(self):
        for fahrenheit, celsius in self.pairs:
            self.assertAlmostEqual(temperature.to_fahrenheit(celsius), fahrenheit)


if __name__ == "__main__":
    unittest.main()
`,
    },
    target: "temperature.py",
    function: "to_celsius",
    tests: "test_temperature.py",
    bug: ["(fahrenheit - 32) * 5 / 9", "fahrenheit - 32 * 5 / 9"],
    wrong: ["(fahrenheit - 32) * 5 / 9", "(fahrenheit - 32) * 9 / 5"],
    fails: "test_to_celsius",
    broken: ["import temperature", "import temperatures as temperature"],
    says: /No module named 'temperatures'/,
  },
  {
    name: "doctest",
    framework: "doctest",
    files: {
      "words.py": `"""Words of a text."""


def longest(words):
    """The longest word, of several the first.

    >>> longest(["a", "bcd", "efg"])
    'bcd'
    >>> longest([]) is None
    True
    """
    return max(words, key=len, default=None)
`,
    },
    target: "words.py",
    function: "longest",
    tests: "words.py",
    bug: ["max(words, key=len, default=None)", "max(words, default=None)"],
    wrong: ["max(words, key=len, default=None)", "min(words, key=len, default=None)"],
    fails: "longest",
    broken: ["def longest(words):", "def longest(words:"],
    says: /words\.py has a syntax error in line 4/,
  },
  {
    name: "src layout, a package with relative imports",
    framework: "",
    files: {
      "src/depot/__init__.py": "from .stock import reorder\n",
      "src/depot/names.py": 'def known(name):\n    return name != ""\n',
      "src/depot/stock.py": `from .names import known


def reorder(stock, minimum):
    """Names of what there is less of than the minimum, sorted."""
    return sorted(name for name, amount in stock.items() if known(name) and amount < minimum)
`,
      "tests/__init__.py": "",
      "tests/test_stock.py": `import depot


def test_reorder():
    assert depot.reorder({"nut": 1, "bolt": 5, "cog": 0}, 5) == ["cog", "nut"]
`,
      "pyproject.toml": '[project]\nname = "depot"\nversion = "1"\n',
    },
    target: "src/depot/stock.py",
    function: "reorder",
    tests: "tests/test_stock.py",
    bug: ["amount < minimum", "amount <= minimum"],
    wrong: ["sorted(name", "list(name"],
    fails: "test_reorder",
  },
  {
    name: "a module that imports a neighbour, with a missing third-party module beside it",
    framework: "asserts",
    files: {
      "rates.py": "RATE = 1.5\n",
      "charts.py": "import no_such_library_for_charts\n",
      "invoice.py": `from rates import RATE


def charge(hours):
    if hours < 0:
        raise ValueError(hours)
    return hours * RATE
`,
      "checks.py": `from invoice import charge

assert charge(2) == 3.0
assert charge(0) == 0
try:
    charge(-1)
except ValueError:
    pass
else:
    raise AssertionError("negative hours")
`,
    },
    target: "invoice.py",
    function: "charge",
    tests: "checks.py",
    bug: ["hours * RATE", "hours + RATE"],
    wrong: ["hours < 0", "hours < 1"],
    fails: "line 4: assert charge(0) == 0",
    broken: ["from invoice import charge", "import charts\nfrom invoice import charge"],
    says: /No module named 'no_such_library_for_charts'/,
  },
];
