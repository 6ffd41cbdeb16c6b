/** Programs and results that are hard to take in. */

import type { HostileProgram } from "./program.ts";

export const oddities: HostileProgram[] = [
  { name: "a huge string", program: "def f(x): return 'x' * 50_000_000" },
  { name: "a huge list", program: "def f(x): return list(range(3_000_000))" },
  { name: "a huge integer", program: "def f(x): return 1 << 3_000_000" },
  {
    name: "a list nested 100,000 deep",
    program: "def f(x):\n    nest = []\n    for _ in range(100_000): nest = [nest]\n    return nest",
  },
  { name: "a list that holds itself", program: "def f(x):\n    loop = []\n    loop.append(loop)\n    return loop" },
  {
    name: "a small graph that is an enormous tree",
    program: "def f(x):\n    tree = []\n    for _ in range(60): tree = [tree, tree]\n    return tree",
  },
  { name: "half a character", program: "def f(x): return '\\ud800'" },
  {
    name: "an exception with a hostile text",
    program: `
class Bad(Exception):
    def __str__(self):
        while True: pass
def f(x): raise Bad`,
  },
  {
    name: "an exception that claims to be another",
    program: `
class Meta(type):
    __mro__ = ()
class Bad(Exception, metaclass=Meta):
    args = property(lambda self: 1 / 0)
    def __str__(self): raise self
def f(x): raise Bad`,
  },
  { name: "an exception as large as memory", program: "def f(x): raise ValueError('x' * 100_000_000)" },
  {
    name: "a set whose elements refuse to be hashed",
    program: `
class Odd:
    count = 0
    def __hash__(self):
        Odd.count += 1
        if Odd.count > 1: raise ValueError
        return 0
def f(x): return {Odd()}`,
  },
  {
    name: "a callable that is no function",
    program: "class Call:\n    def __call__(self, x): return self\nf = Call()",
  },
  { name: "nothing of that name", program: "def g(x): return x" },
  { name: "something that cannot be called", program: "f = 3" },
  { name: "a NUL in the source", program: "def f(x): return '\0'" },
  { name: "a lone surrogate in the source", program: "def f(x): return '\ud800'" },
  { name: "a source of 10 MB", program: `def f(x): return '${"x".repeat(10_000_000)}'` },
  { name: "a source that overflows the parser", program: `def f(x): return ${"(".repeat(5000)}1${")".repeat(5000)}` },
  { name: "a syntax error", program: "def f(x) return x" },
];
