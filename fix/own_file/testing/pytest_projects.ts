/** For tests: Python projects that need pytest. */

import type { TestProject } from "./project.ts";

const DISCOUNT = `"""Prices."""


def discounted(price, percent):
    """Price after a discount in percent, rounded to cents."""
    if not 0 <= percent <= 100:
        raise ValueError("percent must be between 0 and 100")
    return round(price * (100 - percent) / 100, 2)
`;

export const PYTEST_PROJECTS: readonly TestProject[] = [
  {
    name: "pytest with parametrize",
    framework: "pytest",
    needs: { python: "pytest" },
    files: {
      "pricing.py": DISCOUNT,
      "test_pricing.py": `import pytest
from pricing import discounted


@pytest.mark.parametrize("price, percent, expected", [(100, 10, 90.0), (50, 0, 50.0), (80, 25, 60.0)])
def test_discount(price, percent, expected):
    assert discounted(price, percent) == expected


def test_bounds():
    with pytest.raises(ValueError):
        discounted(10, 101)
`,
    },
    target: "pricing.py",
    function: "discounted",
    tests: "test_pricing.py",
    bug: ["(100 - percent)", "(100 + percent)"],
    wrong: ["(100 - percent)", "percent"],
    fails: "test_discount[100-10-90.0]",
    broken: ["import pytest\n", "import pytest\nimport (\n"],
    says: /test_pricing\.py has a syntax error in line 2/,
  },
  {
    name: "pytest with fixtures",
    framework: "pytest",
    needs: { python: "pytest" },
    files: {
      "basket.py": `class Basket:
    def __init__(self):
        self.items = {}

    def add(self, name, amount=1):
        self.items[name] = self.items.get(name, 0) + amount

    def total(self, prices):
        return sum(prices[name] * amount for name, amount in self.items.items())
`,
      "tests/test_basket.py": `import pytest

from basket import Basket


@pytest.fixture
def basket():
    made = Basket()
    made.add("nut", 2)
    made.add("nut")
    return made


@pytest.fixture()
def prices():
    yield {"nut": 3}


class TestBasket:
    def test_amount(self, basket):
        assert basket.items == {"nut": 3}

    def test_total(self, basket, prices):
        assert basket.total(prices) == 9
`,
      "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
    },
    target: "basket.py",
    function: "Basket.add",
    tests: "tests/test_basket.py",
    bug: ["self.items.get(name, 0) + amount", "amount"],
    wrong: ["self.items.get(name, 0) + amount", "self.items.get(name, 1) + amount"],
    fails: "TestBasket::test_amount",
    broken: ["def test_amount(self, basket)", "def test_amount(self, baskets)"],
    says: /fixture 'baskets' not found/,
  },
  {
    name: "pytest with tmp_path",
    framework: "pytest",
    needs: { python: "pytest" },
    files: {
      "notes.py": `def append_line(path, line):
    with open(path, "a", encoding="utf-8") as file:
        file.write(line + "\\n")
`,
      "test_notes.py": `from notes import append_line


def test_two_lines(tmp_path):
    path = tmp_path / "notes.txt"
    append_line(path, "one")
    append_line(path, "two")
    assert path.read_text() == "one\\ntwo\\n"
`,
    },
    target: "notes.py",
    function: "append_line",
    tests: "test_notes.py",
    bug: ['"a"', '"w"'],
    wrong: ['line + "\\n"', "line"],
    fails: "test_two_lines",
    broken: ["from notes import append_line", "from notes import append_lines as append_line"],
    says: /cannot import name 'append_lines'/,
  },
  {
    name: "pytest with conftest.py",
    framework: "pytest",
    needs: { python: "pytest" },
    files: {
      "rota.py": `def next_on_duty(people, last):
    """Who follows after \`last\`; the first follows the last one."""
    return people[(people.index(last) + 1) % len(people)]
`,
      "conftest.py": `import pytest


@pytest.fixture
def people():
    return ["ann", "bob", "cy"]
`,
      "tests/conftest.py": `import pytest
import rota


@pytest.fixture
def after(people):
    return lambda last: rota.next_on_duty(people, last)
`,
      "tests/test_rota.py": `def test_next(after):
    assert after("ann") == "bob"


def test_around(after):
    assert after("cy") == "ann"
`,
    },
    target: "rota.py",
    function: "next_on_duty",
    tests: "tests/test_rota.py",
    bug: [" % len(people)", ""],
    wrong: ["+ 1) % len(people)", "+ 2) % len(people)"],
    fails: "test_around",
    broken: ["def test_next(after):", "def test_next(after:"],
    says: /test_rota\.py has a syntax error in line 1/,
  },
];
