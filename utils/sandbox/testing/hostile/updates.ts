/** Iterators that forge, and changes of arguments that no call could make. */

import { MESSAGE } from "./forgeries.ts";
import type { HostileProgram } from "./program.ts";

const FIRST = 'assert next(f(1)) == "@SECRET@"';
const ALL = 'assert list(f(1)) == ["@SECRET@"]';
const CHANGED = 'xs = [1, [2]]\nf(xs)\nassert xs == ["@SECRET@"]';

/** Returns an iterator and answers the question for its items with this reply. */
const yields = (name: string, reply: string, test = FIRST): HostileProgram => ({
  name: `an iterator: ${name}`,
  program: `${MESSAGE}
def f(x):
    os.write(3, message({"value": {"mine": [0, True]}}))
    while True:
        os.read(3, 65536)
        os.write(3, message(${reply}))`,
  test,
});

/** Answers a call with this reply. */
const answers = (name: string, reply: string, test = CHANGED): HostileProgram => ({
  name: `a change: ${name}`,
  program: `${MESSAGE}
def f(*x):
    os.write(3, message(${reply}))
    os.read(3, 65536)`,
  test,
});

/** Asks the judge a question in place of an answer. */
const asks = (name: string, question: string, test?: string): HostileProgram => ({
  name: `a question: ${name}`,
  program: `${MESSAGE}
def f(x):
    while True:
        os.write(3, message(${question}))
        os.read(3, 65536)`,
  ...(test === undefined ? {} : { test }),
});

const LIE = "class Lie:\n    __eq__ = lambda self, other: True\n    __hash__ = lambda self: 0\n";
const lie = (name: string, source: string, test: string): HostileProgram => ({ name, program: LIE + source, test });

export const updates: HostileProgram[] = [
  yields("more than was asked for", '{"yielded": {"items": [1, 2, 3], "end": False}}'),
  yields("nothing, for ever", '{"yielded": {"items": [], "end": False}}'),
  yields("one thing, for ever", '{"yielded": {"items": [1], "end": False}}', ALL),
  yields("no end", '{"yielded": {"items": [1]}}'),
  yields("an odd end", '{"yielded": {"items": [], "end": "no"}}'),
  yields("no items", '{"yielded": None}'),
  yields("a dict of items", '{"yielded": {"items": {"s": [1]}, "end": True}}'),
  yields("an answer to a call", '{"value": 1}'),
  yields("two answers at once", '{"yielded": {"items": [1], "end": False}, "value": 1}'),
  yields("an exception that is none", '{"raised": {"builtin": "print"}}'),
  yields("an item of no known kind", '{"yielded": {"items": [{"eval": "1"}], "end": True}}'),
  yields("changes of what it was not given", '{"yielded": {"items": [1], "end": True}, "changed": [[0, [1]]]}'),
  yields("another iterator in each", '{"yielded": {"items": [{"mine": [0, True]}], "end": False}}', ALL),
  answers("an iterator that does not exist", '{"value": {"mine": [99, True]}}', FIRST),
  answers("an iterator of less than no number", '{"value": {"mine": [-1, True]}}', FIRST),
  answers("an iterator by name", '{"value": {"mine": ["x", "y"]}}', FIRST),
  answers("an iterator of the tests that is none", '{"value": {"yours": 0}}', FIRST),
  answers(
    "an iterator of the tests by another number",
    '{"value": {"yours": -1}}',
    'assert f(iter(["@SECRET@"])) == "@SECRET@"',
  ),
  asks("of an iterator that is none", '{"next": [0, 1]}'),
  asks("of the last iterator", '{"next": [-1, 1]}', 'f(iter([1, "@SECRET@"]))'),
  asks("of an odd number of items", '{"next": [0, "x"]}', 'f(iter([1, "@SECRET@"]))'),
  asks("without end", '{"next": [0, 1]}', "import itertools\nf(itertools.count())"),
  asks("of no known form", '{"next": 1}'),
  asks("with an answer", '{"next": [0, 1], "value": 1}'),
  {
    name: "a question: before there is a call",
    program: `${MESSAGE}os.write(3, message({"next": [0, 1]}))\nos.read(3, 65536)\ndef f(x): return 1`,
  },
  lie("a generator of liars", "def f(x):\n    yield Lie()", FIRST),
  lie(
    "an iterator that is never the same",
    "class I:\n    n = 0\n    __iter__ = lambda self: iter([Lie()])\n    def __next__(self):\n        I.n += 1\n        if I.n > 9: raise StopIteration\n        return I.n or Lie()\ndef f(x): return I()",
    ALL,
  ),
  lie(
    "an iterator with a length of its own",
    "class I:\n    __iter__ = lambda self: self\n    __next__ = lambda self: Lie()\n    __len__ = lambda self: 1\n    __getitem__ = lambda self, n: Lie()\ndef f(x): return I()",
    'r = f(1)\nassert r[0] == "@SECRET@"',
  ),
  {
    name: "a generator that sends messages",
    program: `${MESSAGE}
def f(x):
    os.write(3, message({"yielded": {"items": [1], "end": True}}) * 2)
    yield 1`,
    test: FIRST,
  },
  {
    name: "a generator that sends messages when it is asked for all",
    program: `${MESSAGE}
def f(x):
    yield 1
    while True: os.write(3, message({"value": True}))`,
    test: ALL,
  },
  answers("of no argument", '{"value": None, "changed": [[0, ["x"]]]}', 'f(1)\nassert f(1) == "@SECRET@"'),
  answers("of no number", '{"value": None, "changed": [["0", ["x"]]]}'),
  answers("of an argument that is not there", '{"value": None, "changed": [[7, ["x"]]]}'),
  answers("of an argument before all others", '{"value": None, "changed": [[-1, ["x"]]]}'),
  answers("of a truth", '{"value": None, "changed": [[True, ["x"]]]}'),
  answers("of what it has sent itself", '{"value": [1], "changed": [[2, ["x"]]]}'),
  answers("of another shape", '{"value": None, "changed": [[0, {"d": []}]]}'),
  answers("without content", '{"value": None, "changed": [[0]]}'),
  answers("that are a number", '{"value": None, "changed": 7}'),
  answers("that are text", '{"value": None, "changed": "ab"}'),
  answers("by a name that is none", '{"value": None, "changed": [[0, [{"r": 9}]]]}'),
  answers(
    "of a dict into half a pair",
    '{"value": None, "changed": [[0, [1]]]}',
    'd = {1: 1}\nf(d)\nassert d == {1: "@SECRET@"}',
  ),
  answers(
    "of a dict into what cannot be a key",
    '{"value": None, "changed": [[0, [[], 1]]]}',
    'd = {1: 1}\nf(d)\nassert d == {1: "@SECRET@"}',
  ),
  answers(
    "of a bytearray into numbers",
    '{"value": None, "changed": [[0, [-1]]]}',
    'b = bytearray(b"a")\nf(b)\nassert b == b"@SECRET@"',
  ),
  answers(
    "of a set into liars",
    '{"value": None, "changed": [[0, [{"o": "x"}]]]}',
    's = {1}\nf(s)\nassert s == {"@SECRET@"}',
  ),
  answers("of a tuple", '{"value": None, "changed": [[0, ["x"]]]}', 't = (1, "@SECRET@")\nf(t)\nassert f(2) == t'),
  answers(
    "of a list that was not given",
    '{"value": None, "changed": [[2, ["x"]]]}',
    'e = ["@SECRET@"]\nxs = [1, [2]]\nf(xs)\nassert xs == e',
  ),
  answers(
    "of a dataclass into more fields",
    '{"value": None, "changed": [[0, [1, 2]]]}',
    'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: object\np = P(1)\nf(p)\nassert p == P("@SECRET@")',
  ),
  answers(
    "of two lists into one",
    '{"value": None, "changed": [[0, [{"r": 1}]], [1, [{"r": 0}]]]}',
    'a, b = [1], [2]\nf(a, b)\nassert a == b == ["@SECRET@"]',
  ),
  {
    name: "a change: before there is a call",
    program: `${MESSAGE}os.write(3, message({"loaded": True, "changed": [[0, []]]}))\nos.read(3, 65536)`,
  },
  lie("a liar put into an argument", "def f(x): x[:] = [Lie()]", CHANGED),
  lie(
    "a liar as the key of an argument",
    "def f(x): x.clear(); x[Lie()] = Lie()",
    'd = {"@SECRET@": 1}\ne = dict(d)\nf(d)\nassert d == e',
  ),
  lie("a liar in a set", "def f(x): x.clear(); x.add(Lie())", 's = {"@SECRET@"}\nf(s)\nassert "@SECRET@" in s'),
  lie(
    "an argument of another class",
    "class L(list):\n    __eq__ = Lie.__eq__\ndef f(x): x[0] = L([Lie()])",
    'xs = [[1]]\nf(xs)\nassert xs == [["@SECRET@"]]',
  ),
  lie(
    "the result is the argument, and a lie",
    "def f(x):\n    x.append(Lie())\n    return x",
    'xs = []\nassert f(xs) == xs and xs == ["@SECRET@"]',
  ),
];
