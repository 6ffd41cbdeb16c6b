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
  },
];
