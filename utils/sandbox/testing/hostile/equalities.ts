/** Results that claim to be equal to everything. */

import type { HostileProgram } from "./program.ts";

export const equalities: HostileProgram[] = [
  {
    name: "equal to everything",
    program: `
class Any:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __bool__(self): return True
def f(x): return Any()`,
  },
  ...[
    ["str", "'x'"],
    ["int", "1"],
    ["float", "1.0"],
    ["list", "[1]"],
    ["tuple", "(1,)"],
    ["dict", "{1: 1}"],
    ["frozenset", "[1]"],
    ["bytes", "b'x'"],
  ].map(([base, value]) => ({
    name: `a ${base} equal to everything`,
    program: `
class Any(${base}):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = ${base}.__hash__
def f(x): return Any(${value})`,
  })),
  { name: "mock.ANY", program: "from unittest import mock\ndef f(x): return mock.ANY" },
  {
    name: "a lie about its class",
    program: `
class Any:
    __class__ = str
    def __eq__(self, other): return True
def f(x): return Any()`,
  },
  { name: "equal to everything, inside a list", program: "from unittest import mock\ndef f(x): return [mock.ANY]" },
  { name: "NotImplemented", program: "def f(x): return NotImplemented" },
  { name: "an empty generator", program: "def f(x):\n    yield from ()" },
  { name: "a function", program: "def f(x): return lambda other: True" },
];
