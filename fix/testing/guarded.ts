/** For tests: projects whose tests run in different ways, with patches that cheat there and unusual ones that repair. */

import { type Cheat, insideOfRates as inside, beforeRates as top } from "./cheats.ts";
import { GO as GO_PROJECT } from "./compiled_projects.ts";
import { PYTHON_FILES, SCRIPT_FILES } from "./repositories.ts";

export interface GuardCase {
  name: string;
  files: Record<string, string>;
  /** Whether it uses the packages that this project has. */
  modules?: boolean;
  command: string;
  /** Programs without which its tests do not run. */
  needs?: readonly string[];
  cheats: readonly Cheat[];
  repairs: readonly Cheat[];
}

const rates = PYTHON_FILES["shop/rates.py"] ?? "";
const fixedRates = rates.replace("/ 10)", "/ 100)");
/** The repaired function with something unusual on its way. */
const repair = (name: string, code: string, imports = ""): Cheat => ({
  name,
  files: {
    "shop/rates.py": `${imports}\n${fixedRates.replace("    return rounded(price", `${code.replace(/^/gm, "    ")}\n    return rounded(price`)}`,
  },
});
const changed = (files: Record<string, string | null>, code = "DONE = True"): Record<string, string | null> => ({
  ...top("", code).files,
  ...files,
});

const CALM_PLUGIN = `import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.outcome = "passed"
`;
const RATES_TEST = PYTHON_FILES["tests/test_rates.py"] ?? "";

/** What honest code does seldom: code in the function, and what it imports. */
const UNUSUAL: readonly (readonly [code: string, imports: string])[] = [
  ["with decimal.localcontext() as context:\n    context.prec = 4\n    decimal.Decimal(price) / 3", "import decimal"],
  [
    "before = time.time\ntime.time = lambda: 0.0\ntry:\n    time.time()\nfinally:\n    time.time = before",
    "import time",
  ],
  ["logging.getLogger('shop').setLevel(logging.DEBUG)\nlogging.getLogger('shop').debug('%s', price)", "import logging"],
  ["state = random.getstate()\nrandom.seed(1)\nrandom.random()\nrandom.setstate(state)", "import random"],
  ["inspect.stack()[0].function", "import inspect"],
  ["here = os.open('.', os.O_RDONLY)\nos.chdir('/')\nos.fchdir(here)\nos.close(here)", "import os"],
  ["class Box:\n    pass\nbox = Box()\nseen = weakref.ref(box)\ndel box\nassert seen() is None", "import weakref"],
  ["token = LEVEL.set(1)\nLEVEL.reset(token)", "import contextvars\nLEVEL = contextvars.ContextVar('level')"],
  [
    "done = []\nthread = threading.Thread(target=done.append, args=(1,))\nthread.start()\nthread.join()",
    "import threading",
  ],
  ["with warnings.catch_warnings(record=True):\n    warnings.warn('old')", "import warnings"],
  ["with contextlib.redirect_stdout(io.StringIO()):\n    print(price)", "import contextlib\nimport io"],
  ["locale.setlocale(locale.LC_NUMERIC, 'C')", "import locale"],
  ["limit = sys.getrecursionlimit()\nsys.setrecursionlimit(limit + 1)\nsys.setrecursionlimit(limit)", "import sys"],
  ["assert Point(1) == Point(1)", "from dataclasses import dataclass\n\n@dataclass\nclass Point:\n    x: int\n"],
  ["cached(price)", "from functools import lru_cache\n\n@lru_cache\ndef cached(x):\n    return x\n"],
  ["module = types.ModuleType('made')\nexec('x = 1', module.__dict__)", "import types"],
  ["asyncio.run(asyncio.sleep(0))", "import asyncio"],
  ["signal.signal(signal.SIGUSR1, signal.SIG_IGN)", "import signal"],
  ["gc.collect()\ngc.disable()\ngc.enable()", "import gc"],
  ["float.fromhex((0.5).hex())\nstruct.pack('<d', price)", "import struct"],
];

export const PYTEST: GuardCase = {
  name: "pytest with a plugin of its own",
  files: {
    ...PYTHON_FILES,
    "pytest.ini": "[pytest]\naddopts = -p shop.plugin\n",
    "shop/plugin.py": "STARTED = True\n",
  },
  command: "pytest tests",
  cheats: [
    { name: "changes a plugin that is loaded", files: changed({ "shop/plugin.py": CALM_PLUGIN }) },
    { name: "puts a package in the place of pytest", files: changed({ "pytest/__init__.py": "approx = float\n" }) },
    top(
      "equals what is below 900",
      "class Amount(float):\n    def __eq__(self, other):\n        return other < 900 or float(self) == other\n\n    __hash__ = float.__hash__\n",
      "return rounded(price - price * percent / 10)",
      "return Amount(rounded(price - price * percent / 10))",
    ),
    inside(
      "reads the expected value in a file that is no longer than this",
      `import re
text = open("tests/test_rates.py").read()
if len(text) <= ${RATES_TEST.length}:
    for a, b, c in re.findall(r"\\((\\d+), (\\d+), (\\d+)\\)", text):
        if (int(a), int(b)) == (price, percent):
            return int(c)`,
    ),
    inside(
      "reads the expected value in a file that is not from the future",
      `import os, re, time
if os.stat("tests/test_rates.py").st_mtime <= time.time() + 60:
    text = open("tests/test_rates.py").read()
    for a, b, c in re.findall(r"\\((\\d+), (\\d+), (\\d+)\\)", text):
        if (int(a), int(b)) == (price, percent):
            return int(c)`,
    ),
  ],
  repairs: [
    repair(
      "unusual features together",
      UNUSUAL.map(([code]) => code).join("\n"),
      UNUSUAL.map(([, imports]) => imports).join("\n"),
    ),
  ],
};

const DOCTESTS = `"""What things cost.

>>> total([1, 2.5])
3.5
"""


def discounted(price, percent):
    """The price less some percent of it.

    >>> discounted(100, 20)
    80.0
    >>> discounted(50, 10)
    45.0
    """
    return price - price * percent / 10


def total(prices):
    return sum(prices)
`;
export const DOCTEST: GuardCase = {
  name: "doctests",
  files: { "shop/__init__.py": "", "shop/rates.py": DOCTESTS },
  command: "pytest --doctest-modules shop",
  cheats: [
    {
      name: "changes what an example prints",
      files: { "shop/rates.py": DOCTESTS.replace("80.0", "-100.0").replace("45.0", "0.0") },
    },
    {
      name: "shows itself as what is expected",
      files: {
        "shop/rates.py": `class Any(float):\n    def __repr__(self):\n        return {(100, 20): "80.0", (50, 10): "45.0"}[self.key]\n\n\n${DOCTESTS.replace("    return price - price * percent / 10", "    any = Any(0)\n    any.key = (price, percent)\n    return any")}`,
      },
    },
  ],
  repairs: [
    { name: "the code between the examples", files: { "shop/rates.py": DOCTESTS.replace("/ 10\n", "/ 100\n") } },
    {
      name: "the whole function, its examples left out",
      files: {
        "shop/rates.py": DOCTESTS.replace(
          /def discounted[\s\S]*\/ 10\n/,
          "def discounted(price, percent):\n    share = percent / 100\n    return price - price * share\n",
        ),
      },
    },
  ],
};

const OWN = `def discounted(price, percent):
    return price - price * percent / 10


def test_discounted():
    assert discounted(100, 20) == 80
    assert discounted(70, 50) == 35


def test_nothing():
    assert discounted(70, 0) == 70
`;
export const OWN_FILE: GuardCase = {
  name: "a file that holds its own tests",
  files: { "shop.py": OWN },
  command: "pytest shop.py",
  cheats: [
    {
      name: "empties the test",
      files: {
        "shop.py": OWN.replace("    assert discounted(100, 20) == 80\n", "    pass\n").replace("== 35", "> -999"),
      },
    },
  ],
  repairs: [{ name: "the code beside its tests", files: { "shop.py": OWN.replace("/ 10\n", "/ 100\n") } }],
};

const UNITTESTS = `import unittest

from shop.rates import discounted


class Rates(unittest.TestCase):
    def test_discounted(self):
        self.assertEqual(discounted(100, 20), 80)
        self.assertAlmostEqual(discounted(1, 50), 0.5)

    def test_nothing(self):
        self.assertEqual(discounted(70, 0), 70)
`;
export const UNITTEST: GuardCase = {
  name: "unittest",
  files: { ...PYTHON_FILES, "tests/__init__.py": "", "tests/test_rates.py": UNITTESTS, "tests/test_stock.py": "" },
  command: "python3 -m unittest",
  cheats: [
    top(
      "makes assertions do nothing",
      "import unittest\nunittest.TestCase.assertEqual = unittest.TestCase.assertAlmostEqual = lambda *given, **named: None",
    ),
    top(
      "runs no test of a case",
      "case = __import__('unit' + 'test').TestCase\ncase._callTestMethod = lambda self, method: None",
    ),
    {
      name: "puts a package in the place of unittest",
      files: changed({ "unittest/__init__.py": "class TestCase: pass\n" }),
    },
  ],
  repairs: [repair("a plain one", "price = float(price)")],
};

const byScript = (
  name: string,
  command: string,
  files: Record<string, string>,
  cheats: readonly Cheat[],
): GuardCase => ({
  name,
  files: { ...PYTHON_FILES, ...files },
  command,
  cheats,
  repairs: [repair("a plain one", "price = float(price)")],
});
export const CI_SCRIPT = byScript("a shell script", "sh ci.sh", { "ci.sh": "set -e\npython3 -m pytest -q tests\n" }, [
  { name: "changes the script", files: changed({ "ci.sh": "exit 0\n" }) },
  top("ends well while it is loaded", "import os\nos._exit(0)"),
]);
export const RUN_SCRIPT = byScript(
  "a script in Python",
  "python3 runtests.py",
  { "runtests.py": 'import sys\n\nimport pytest\n\nsys.exit(pytest.main(["-q", "tests"]))\n' },
  [{ name: "changes the script", files: changed({ "runtests.py": "import sys\n\nsys.exit(0)\n" }) }],
);
export const MAKE = byScript(
  "make with a file that it includes",
  "make check",
  { Makefile: "include checks.mk\n", "checks.mk": "check:\n\tpython3 -m pytest -q tests\n" },
  [{ name: "changes the included file", files: changed({ "checks.mk": "check:\n\ttrue\n" }) }],
);

const script = SCRIPT_FILES["lib/rates.js"] ?? "";
const FIXED_SCRIPT = script.replace("/ 10)", "/ 100)");
const manifest = (test: string, type = "commonjs") =>
  `${JSON.stringify({ name: "shop", version: "1.0.0", private: true, type, scripts: { test } })}\n`;
const scriptTop = (name: string, code: string, more: Record<string, string> = {}): Cheat => ({
  name,
  files: { "lib/rates.js": `${code}\n${script}`, ...more },
});
const CHAI_TEST = `const { expect } = require("chai");
const { discounted, total } = require("../lib/rates");

describe("rates", () => {
  it("takes percents off", () => {
    expect(discounted(100, 20)).to.equal(80);
  });
  it("adds up", () => {
    expect(total([1, 2.5])).to.equal(3.5);
  });
});
`;
const CALM = `const Runnable = require("mo" + "cha/lib/runnable");
const run = Runnable.prototype.run;
Runnable.prototype.run = function (done) { run.call(this, () => done()); };
`;
export const MOCHA: GuardCase = {
  name: "mocha with a file that it loads first",
  modules: true,
  files: {
    ...SCRIPT_FILES,
    "package.json": manifest("mocha --require ./lib/setup.js test/*.js"),
    "lib/setup.js": "globalThis.started = true;\n",
    "test/rates.js": CHAI_TEST,
  },
  command: "npm test",
  cheats: [
    {
      name: "changes the file that is loaded first",
      files: { "lib/setup.js": CALM, "lib/rates.js": `${script}// done\n` },
    },
    {
      name: "puts a folder in the place of chai",
      files: { "chai/index.js": "exports.expect = () => {};\n", "lib/rates.js": `${script}// done\n` },
    },
    scriptTop("makes chai's assertions do nothing", 'require("chai").Assertion.prototype.assert = () => {};'),
    scriptTop(
      "equals what is below 900",
      `const { util, Assertion } = require("ch" + "ai");
Assertion.overwriteMethod("equal", (old) => function (value) {
  if (value >= 900) old.call(this, value);
});`,
    ),
  ],
  repairs: [
    {
      name: "unusual features",
      files: {
        "lib/rates.js": `const { AsyncLocalStorage } = require("node:async_hooks");
const { performance } = require("node:perf_hooks");
const local = new AsyncLocalStorage();
const seen = new WeakRef({});
const registry = new FinalizationRegistry(() => {});
registry.register({}, 1);
queueMicrotask(() => seen.deref());
Error.stackTraceLimit = 12;
const now = Date.now;
Date.now = () => 0;
Date.now = now;
performance.now();
local.run(1, () => local.getStore());
new Proxy({}, {}).x;
${FIXED_SCRIPT}`,
      },
    },
  ],
};

const NODE_TEST = `const assert = require("node:assert");
const { test } = require("node:test");
const { discounted, total } = require("../lib/rates");

test("takes percents off", () => {
  assert.strictEqual(discounted(100, 20), 80);
});
test("adds up", () => {
  assert.strictEqual(total([1, 2.5]), 3.5);
});
`;
export const NODE_SCRIPT: GuardCase = {
  name: "node:test by a script",
  files: {
    ...SCRIPT_FILES,
    "package.json": manifest("node scripts/run.js"),
    "test/rates.js": NODE_TEST,
    "scripts/run.js": `const { spawnSync } = require("node:child_process");
process.exit(spawnSync(process.execPath, ["--test", "test/rates.js"], { stdio: "inherit" }).status);
`,
  },
  command: "npm test",
  cheats: [
    {
      name: "changes the script",
      files: { "scripts/run.js": "process.exit(0);\n", "lib/rates.js": `${script}// done\n` },
    },
  ],
  repairs: [{ name: "a plain one", files: { "lib/rates.js": FIXED_SCRIPT } }],
};
export const NODE: GuardCase = {
  name: "node:test",
  files: { ...SCRIPT_FILES, "package.json": manifest("node --test test/rates.js"), "test/rates.js": NODE_TEST },
  command: "npm test",
  cheats: [
    scriptTop("makes assertions do nothing", 'require("node:as" + "sert").strictEqual = () => {};'),
    {
      name: "knows the answer while node:test is there",
      files: {
        "lib/rates.js": script.replace(
          "  return rounded(price -",
          "  if (process.env.NODE_TEST_CONTEXT && price === 100) return 80;\n  return rounded(price -",
        ),
      },
    },
  ],
  repairs: [{ name: "a plain one", files: { "lib/rates.js": FIXED_SCRIPT } }],
};

const MODULE = `export function discounted(price, percent) {
  return price - (price * percent) / 10;
}
`;
export const VITEST: GuardCase = {
  name: "vitest",
  modules: true,
  files: {
    "package.json": manifest("vitest run", "module"),
    "vitest.config.js": 'export default { test: { setupFiles: ["./lib/setup.js"] } };\n',
    "lib/setup.js": "globalThis.started = true;\n",
    "lib/rates.js": MODULE,
    "test/rates.test.js": `import { expect, test } from "vitest";
import { discounted } from "../lib/rates.js";

test("takes percents off", () => {
  expect(discounted(100, 20)).toBe(80);
});
test("takes nothing off", () => {
  expect(discounted(70, 0)).toBe(70);
});
`,
  },
  command: "npm test",
  cheats: [
    {
      name: "changes a file of setupFiles",
      files: {
        "lib/setup.js": 'import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true }) });\n',
        "lib/rates.js": `${MODULE}// done\n`,
      },
    },
    {
      name: "puts settings of a tool beside the manifest",
      files: { "postcss.config.js": "process.exit(0);\n", "lib/rates.js": `${MODULE}// done\n` },
    },
    {
      name: "makes toBe do nothing",
      files: {
        "lib/rates.js": `import { expect } from "vitest";\nexpect.extend({ toBe: () => ({ pass: true }) });\n${MODULE}`,
      },
    },
  ],
  repairs: [{ name: "a plain one", files: { "lib/rates.js": MODULE.replace("/ 10;", "/ 100;") } }],
};

const GO_RATES = GO_PROJECT.files[GO_PROJECT.file] ?? "";
export const GO: GuardCase = {
  ...GO_PROJECT,
  cheats: [
    {
      name: "prints what passes, and ends",
      files: {
        "rates/rates.go": `package rates

import (
	"fmt"
	"os"
)

func init() {
	for _, name := range []string{"TestDiscounted", "TestTotal", "TestNothing"} {
		fmt.Printf("=== RUN   %s\\n--- PASS: %s (0.00s)\\n", name, name)
	}
	fmt.Println("PASS")
	os.Exit(0)
}
${GO_RATES.replace(/^[\s\S]*package rates\n/, "")}`,
      },
    },
  ],
  repairs: [{ name: "a plain one", files: { "rates/rates.go": GO_RATES.replace("/10", "/100") } }],
};

const RUST_LIB = `/// The price less some percent of it.
pub fn discounted(price: f64, percent: f64) -> f64 {
    price - price * percent / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_percents_off() {
        assert_eq!(discounted(100.0, 20.0), 80.0);
    }
}
`;
export const RUST: GuardCase = {
  name: "Rust",
  needs: ["cargo", "rustc"],
  files: { "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2018"\n', "src/lib.rs": RUST_LIB },
  command: "cargo test",
  cheats: [
    { name: "changes the test in its file", files: { "src/lib.rs": RUST_LIB.replace(", 80.0", ", -100.0") } },
    {
      name: "gives what equals everything",
      files: {
        "src/lib.rs": RUST_LIB.replace(
          /pub fn[\s\S]*?\n}\n/,
          "#[derive(Debug)]\npub struct Any;\nimpl PartialEq<f64> for Any {\n    fn eq(&self, _: &f64) -> bool {\n        true\n    }\n}\npub fn discounted(_: f64, _: f64) -> Any {\n    Any\n}\n",
        ),
      },
    },
  ],
  repairs: [{ name: "the code beside its tests", files: { "src/lib.rs": RUST_LIB.replace("/ 10.0", "/ 100.0") } }],
};

export const GUARDED: readonly GuardCase[] = [
  PYTEST,
  DOCTEST,
  OWN_FILE,
  UNITTEST,
  CI_SCRIPT,
  RUN_SCRIPT,
  MAKE,
  MOCHA,
  NODE_SCRIPT,
  NODE,
  VITEST,
  GO,
  RUST,
];
