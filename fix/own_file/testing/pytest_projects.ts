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
    name: "pytest with parametrize and a fixture of conftest.py",
    framework: "pytest",
    needs: { python: "pytest" },
    files: {
      "pricing.py": DISCOUNT,
      "conftest.py": "import pytest\n\n\n@pytest.fixture\ndef too_much():\n    return 101\n",
      "test_pricing.py": `import pytest
from pricing import discounted


@pytest.mark.parametrize("price, percent, expected", [(100, 10, 90.0), (50, 0, 50.0), (80, 25, 60.0)])
def test_discount(price, percent, expected):
    assert discounted(price, percent) == expected


def test_bounds(too_much):
    with pytest.raises(ValueError):
        discounted(10, too_much)
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
];
