/** For tests: two small repositories with a bug that a test sees, under git, as a user might have them. */

import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder, writeFiles } from "../../utils/testing/command.ts";

export const PYTHON_FILES: Record<string, string> = {
  "shop/__init__.py": "",
  "shop/rates.py": `"""What things cost."""
from shop.money import rounded


def discounted(price, percent):
    """The price less some percent of it."""
    return rounded(price - price * percent / 10)


def total(prices, percent=0):
    return sum(discounted(price, percent) for price in prices)
`,
  "shop/money.py": `def rounded(amount):
    return round(amount, 2)


def shown(amount, sign="EUR"):
    return f"{rounded(amount):.2f} {sign}"
`,
  "shop/stock.py": `class Shelf:
    def __init__(self):
        self.items = []

    def put(self, item):
        self.items.append(item)

    def count(self):
        return len(self.items)
`,
  "tests/test_rates.py": `import pytest

from shop.rates import discounted, total


@pytest.mark.parametrize("price, percent, expected", [(100, 20, 80), (50, 10, 45)])
def test_discounted(price, percent, expected):
    assert discounted(price, percent) == expected


def test_total_without_discount():
    assert total([1, 2.5]) == 3.5
`,
  "tests/test_stock.py": `from shop.money import shown
from shop.stock import Shelf


def test_count():
    shelf = Shelf()
    shelf.put("cup")
    assert shelf.count() == 1


def test_shown():
    assert shown(1) == "1.00 EUR"
`,
};

export const SCRIPT_FILES: Record<string, string> = {
  "package.json": `${JSON.stringify({ name: "shop", version: "1.0.0", private: true, scripts: { test: "mocha test/*.js" } }, null, 2)}\n`,
  ".gitignore": "node_modules\n",
  "lib/rates.js": `"use strict";
const { rounded } = require("./money");

function discounted(price, percent) {
  return rounded(price - (price * percent) / 10);
}

exports.discounted = discounted;
exports.total = (prices) => prices.reduce((sum, price) => sum + price, 0);
`,
  "lib/money.js": `"use strict";

exports.rounded = function rounded(amount) {
  return Math.round(amount * 100) / 100;
};
`,
  "test/rates.js": `const assert = require("node:assert");
const { discounted, total } = require("../lib/rates");

describe("rates", () => {
  it("takes percents off", () => {
    assert.strictEqual(discounted(100, 20), 80);
  });
  it("adds up", (done) => {
    assert.strictEqual(total([1, 2.5]), 3.5);
    done();
  });
});
`,
};

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/**
 * A repository with one commit, in a folder that goes with the scope that holds it.
 * @param modules a folder that it has as its `node_modules`; true: this project's
 */
export function makeRepository(files: Readonly<Record<string, string | Buffer>>, modules: string | boolean = false) {
  const folder = temporaryFolder(files);
  const { path } = folder;
  const git = (...args: string[]) =>
    execFileSync(
      "git",
      ["-c", "init.defaultBranch=main", "-c", "user.name=T", "-c", "user.email=t@example.org", ...args],
      {
        cwd: path,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
  git("init", "--quiet");
  git("config", "user.name", "T");
  git("config", "user.email", "t@example.org");
  git("add", "-A");
  git("commit", "--quiet", "-m", "first");
  if (modules) symlinkSync(modules === true ? MODULES : modules, join(path, "node_modules"));
  /** The patch that gives files these texts; all are as before after it. */
  const patchTo = (changed: Readonly<Record<string, string>>): string => {
    writeFiles(path, changed);
    git("add", "--all");
    const patch = git("diff", "--cached");
    git("reset", "--quiet", "--hard");
    return patch;
  };
  return Object.assign(folder, { git, patchTo, at: (name: string) => join(path, name) });
}
