import { expect, test } from "vitest";
import { internalError, settingsAdvice } from "./settings_advice.ts";

const BROKEN = `INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/x/main.py", line 318, in wrap_session
INTERNALERROR>     raise ValueError
INTERNALERROR> pytest.PytestConfigWarning: Unknown config option: asyncio_mode

===== no tests ran in 0.05s =====`;

test("the line of pytest's internal error is found, and no other line", () => {
  expect(internalError(BROKEN)).toBe("INTERNALERROR> pytest.PytestConfigWarning: Unknown config option: asyncio_mode");
  expect(internalError("E  INTERNALERROR> said a test")).toBeNull();
});

test.each([
  [BROKEN, /asyncio_mode \(pytest-asyncio\).*--python.*-W ignore::pytest\.PytestConfigWarning/],
  ["pytest: error: unrecognized arguments: --cov=x", /--cov=x \(pytest-cov\).*-o addopts=/],
  ["pytest: error: unrecognized arguments: --made-up", /knows --made-up in the Python/],
  ['ImportError: Error importing plugin "made.up": No module named', /Install made\.up .*-p no:made\.up/],
  ["ImportError: Error importing plugin \"own\": No module named 'yaml'", /Install yaml .*-p no:own/],
  ["INTERNALERROR> KeyError: 'x'", /--python.*-p no:PLUGIN.*-W ignore::WARNING/],
  [
    "INTERNALERROR> KeyError: 'x' (pytest_configure of plugin html: /x/y.py:3)",
    /whose pytest_configure breaks: -p no:html in/,
  ],
  [
    "INTERNALERROR> DeprecationWarning: old (pytest_configure of plugin html: /x/y.py:3)",
    /-p no:html, -W ignore::DeprecationWarning in/,
  ],
  [
    "INTERNALERROR> KeyError: 'x' (pytest_sessionfinish of sub/conftest.py:3)",
    /^Correct sub\/conftest\.py,.*--noconftest in/,
  ],
  ["pytest ended with exit code 7, which no result of tests has", /-p no:PLUGIN/],
])("what to do: %j", (text, advice) => expect(settingsAdvice(text)).toMatch(advice));

test("other errors than those of settings have no advice", () => {
  expect(settingsAdvice("E  ModuleNotFoundError: No module named 'yaml'")).toBeNull();
});
