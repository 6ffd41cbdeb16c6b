/** Results that lie about what they are: the standard library's classes, and classes of the program's own. */

import { MESSAGE } from "./forgeries.ts";
import type { HostileProgram } from "./program.ts";

const ANY = `
class Any:
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __eq__
    __hash__ = lambda self: 0
    __bool__ = lambda self: True
    __iter__ = lambda self: iter([self])
    __getattr__ = lambda self, name: self
`;
const IMPORTS = `
import collections, dataclasses, datetime, decimal, enum, fractions, types
from typing import NamedTuple
`;

/** Sends these bytes of a reply as they are. */
const forged = (name: string, value: string, test?: string): HostileProgram => ({
  name: `forged: ${name}`,
  program: `${MESSAGE}def f(x): os.write(3, message({"value": ${value}}))`,
  ...(test === undefined ? {} : { test }),
});

const lying = (name: string, source: string, test?: string): HostileProgram => ({
  name,
  program: `${IMPORTS}${ANY}${source}`,
  ...(test === undefined ? {} : { test }),
});

const subclasses = [
  ["collections.deque", "[1]"],
  ["collections.Counter", "'a'"],
  ["collections.OrderedDict", "a=1"],
  ["collections.defaultdict", "str"],
  ["bytearray", "b'x'"],
  ["decimal.Decimal", "1"],
  ["fractions.Fraction", "1"],
  ["datetime.date", "1, 1, 1"],
  ["datetime.time", "1"],
  ["datetime.datetime", "1, 1, 1"],
  ["datetime.timedelta", "1"],
].map(([base, value]) =>
  lying(`a ${base} equal to everything`, `class Lie(Any, ${base}): pass\ndef f(x): return Lie(${value})`),
);

/** Each in three ways of looking at it: as a whole, at an item, in order. */
const TESTS = [undefined, 'r = f(1)\nassert r[0] == "@SECRET@"', 'assert max([f(1)]) == "@SECRET@"'];
const named = TESTS.flatMap((test, number) => [
  lying(
    `a named tuple that lies (${number})`,
    `class Lie(Any, collections.namedtuple("str", "x")): pass\ndef f(x): return Lie(Any())`,
    test,
  ),
  lying(
    `a dataclass that lies (${number})`,
    `@dataclasses.dataclass(eq=False, unsafe_hash=False)\nclass str(Any):\n    x: object\ndef f(x): return str(Any())`,
    test,
  ),
  lying(
    `a member of an Enum that lies (${number})`,
    `class Lie(enum.Enum):\n    __eq__ = Any.__eq__\n    __hash__ = Any.__hash__\n    SECRET = Any()\ndef f(x): return Lie.SECRET`,
    test,
  ),
]);

const OWN = "from dataclasses import dataclass\nfrom enum import Enum\nfrom collections import namedtuple\n";
const POINT = `${OWN}@dataclass\nclass Point:\n    x: object\nassert f(1) == Point("@SECRET@")`;
const COLOR = `${OWN}class Color(Enum):\n    RED = "@SECRET@"\nassert f(1) == Color.RED`;
const TUPLE = `${OWN}assert f(1) == namedtuple("Point", "x")("@SECRET@")`;

const impostors = [
  lying(
    "a dataclass of the tests' name",
    "@dataclasses.dataclass\nclass Point:\n    x: object\ndef f(x): return Point(Any())",
    POINT,
  ),
  lying(
    "a dataclass of the tests' name whose fields do not compare",
    "@dataclasses.dataclass\nclass Point:\n    x: object = dataclasses.field(compare=False)\ndef f(x): return Point(1)",
    POINT,
  ),
  lying(
    "a dataclass of the tests' name without fields",
    "@dataclasses.dataclass\nclass Point:\n    def __eq__(self, other): return True\ndef f(x): return Point()",
    POINT,
  ),
  lying(
    "a dataclass whose field is another each time",
    "class Turn:\n    n = 0\n    def __get__(self, *_): Turn.n += 1; return Any() if Turn.n % 2 else 1\n    def __set__(self, *_): pass\n@dataclasses.dataclass\nclass Point:\n    x: object\nPoint.x = Turn()\ndef f(x): return Point(1)",
    POINT,
  ),
  lying("a member of the tests' name", "class Color(enum.Enum):\n    RED = Any()\ndef f(x): return Color.RED", COLOR),
  lying(
    "a member of the tests' name with text of its own",
    "class Color(str, enum.Enum):\n    RED = 'x'\ndef f(x): return Color.RED",
    COLOR,
  ),
  lying(
    "an alias of the tests' name",
    "class Color(enum.Enum):\n    BLUE = 1\n    RED = 1\ndef f(x): return Color.RED",
    COLOR,
  ),
  lying(
    "a named tuple of the tests' name",
    "class Point(NamedTuple):\n    x: object\ndef f(x): return Point(Any())",
    TUPLE,
  ),
  lying(
    "a named tuple whose fields lie",
    "class Point(tuple): _fields = ('x', 'y')\ndef f(x): return Point([Any()])",
    TUPLE,
  ),
  lying(
    "a named tuple that is another when it is read",
    "class Point(collections.namedtuple('Point', 'x')):\n    __iter__ = lambda self: iter(Any())\n    __getitem__ = lambda self, _: Any()\ndef f(x): return Point(1)",
    TUPLE,
  ),
];

const CALLED = 'assert f(1)("x") == "@SECRET@"';
const classes = [
  lying(
    "a class whose class says that it is equal",
    "class Meta(type):\n    __eq__ = lambda cls, other: True\n    __hash__ = type.__hash__\nclass Lie(metaclass=Meta): pass\ndef f(x): return Lie",
  ),
  lying("a class called str", "class str:\n    def __new__(cls, _): return Any()\ndef f(x): return str", CALLED),
  lying(
    "a class whose name is a lie",
    "class Meta(type):\n    __name__ = Any()\n    __mro__ = ()\nclass Lie(metaclass=Meta): pass\ndef f(x): return Lie",
    CALLED,
  ),
  lying(
    "an exception whose arguments lie",
    "class Lie(ValueError):\n    args = property(lambda self: (Any(),))\ndef f(x): return Lie()",
    'assert f(1).args[0] == "@SECRET@"',
  ),
  lying(
    "an exception raised whose arguments lie",
    "class Lie(ValueError):\n    args = property(lambda self: (Any(),))\ndef f(x): raise Lie",
    'try: f(1)\nexcept ValueError as e: assert e.args == ("@SECRET@",)',
  ),
  lying(
    "an exception that is raised as a failed assertion is none",
    "class AssertionError(Exception): pass\ndef f(x): raise AssertionError('x')",
    'try: f(1)\nexcept AssertionError as e: assert str(e) == "@SECRET@"',
  ),
  lying(
    "an object that says how it is copied",
    "class Lie:\n    __reduce__ = lambda self: (eval, ('1',))\n    __deepcopy__ = lambda self, memo: Any()\ndef f(x): return Lie()",
    'import copy\nassert copy.deepcopy(f(1)) == "@SECRET@"',
  ),
  lying(
    "an object that says it is a deque",
    "class Lie(Any):\n    __class__ = collections.deque\ndef f(x): return Lie()",
  ),
  lying(
    "an object that says it is a date",
    "class Lie(Any):\n    __class__ = datetime.date\n    year = month = day = 1\ndef f(x): return Lie()",
  ),
  lying(
    "a default factory that answers",
    "def f(x): return collections.defaultdict(Any)",
    'assert f(1)["k"] == "@SECRET@"',
  ),
  lying(
    "a range that is another class",
    "class range: pass\ndef f(x): return range()",
    "assert list(f(1)) == ['@SECRET@']",
  ),
  lying(
    "keys of a dict that lie",
    "class Keys(dict):\n    keys = lambda self: Any()\n    __iter__ = lambda self: iter(Any())\ndef f(x): return dict.keys(Keys({Any(): 1}))",
    'assert f(1) == {"@SECRET@"}',
  ),
  lying("keys that collide with all", "def f(x): return {Any(): 1}.keys()", 'assert "@SECRET@" in f(1)'),
  lying("values that are equal to all", "def f(x): return {1: Any()}.values()", 'assert "@SECRET@" in f(1)'),
  lying("items that are equal to all", "def f(x): return {1: Any()}.items()", 'assert (1, "@SECRET@") in f(1)'),
  lying(
    "text that shares halves of a character",
    "class Half(str):\n    encode = lambda self, *_: Any()\n    __eq__ = Any.__eq__\n    __hash__ = str.__hash__\ndef f(x): return Half('\\ud83d' + '\\ude00')",
  ),
];

export const values: HostileProgram[] = [
  ...subclasses,
  ...named,
  ...impostors,
  ...classes,
  forged("a function as a class", '{"type": "eval"}', CALLED),
  forged("the importer as a class", '{"type": "__loader__"}', CALLED),
  forged("a class that derives from a function", '{"class": ["X", "exec"]}', CALLED),
  forged("a class that derives from the end of the process", '{"class": ["X", "SystemExit"]}', "raise f(1)"),
  forged("an exception that is a number", '{"exception": [{"type": "int"}, [1]]}'),
  forged("code as the name of a class", `{"named": ["x', 'y'); exit() #", ["a"], [1]]}`),
  forged("code as the name of a field", '{"named": ["Point", ["a=exit()"], [1]]}'),
  forged("a field named like a method", '{"named": ["Point", ["__eq__"], [1]]}'),
  forged("more fields than values", '{"named": ["Point", ["a", "b"], [1]]}'),
  forged("a field twice", '{"dataclass": [["Point", ["x", "x"], [True] * 4, []], [1, 2]]}', POINT),
  forged(
    "a field that is a class",
    '{"dataclass": [["Point", ["__class__"], [True, False, False, False], []], [1]]}',
    POINT,
  ),
  forged("a dataclass with odd flags", '{"dataclass": [["Point", ["x"], ["", 0, 1, 2], []], [1]]}', POINT),
  forged(
    "a dataclass in which nothing compares",
    '{"dataclass": [["Point", ["x"], [True, False, False, False], ["x"]], [1]]}',
    POINT,
  ),
  forged("ten thousand classes", '[{"named": ["A%d" % n, ["a"], [1]]} for n in range(10000)]'),
  forged("a member of an odd Enum", '{"enum": ["Color", "list", [], "RED", "", 1]}', COLOR),
  forged("a member that is a number by name only", '{"enum": ["Color", "int", "x", "RED", "", 1]}', COLOR),
  forged("a member without a class", '{"enum": ["", null, null, "RED", "", 1]}'.replaceAll("null", "None"), COLOR),
  forged("a range of text", '{"range": ["a", "b", 1]}'),
  forged("a range that goes nowhere", '{"range": [0, 1, 0]}'),
  forged("a range as long as time", '{"range": [0, 1 << 60, 1]}', "assert list(f(1)) == ['@SECRET@']"),
  forged("a Decimal of a number", '{"Decimal": [1.5]}'),
  forged("a Decimal that is none", '{"Decimal": ["x"]}'),
  forged("a Fraction of nothing", '{"Fraction": [1, 0]}'),
  forged("a date as it is pickled", '{"date": [{"b": "ffffffff"}]}'),
  forged("a datetime as it is pickled", '{"datetime": [{"b": "ff" * 10}]}'),
  forged("a time zone without an offset", '{"timezone": []}'),
  forged("a time zone of an object", '{"time": [1, 1, 1, 1, 0, {"o": "x"}]}'),
  forged("a bytearray of more than bytes", '{"bytearray": [300]}'),
  forged("a deque of less than nothing", '{"deque": [-1, []]}'),
  forged("a default that is a function", '{"defaultdict": ["eval", []]}', 'assert f(1)["1"] == "@SECRET@"'),
  forged("keys that cannot be", '{"keys": [[1]]}'),
  forged("a key without a value", '{"items": [1]}'),
  forged("half a byte of text", '{"u": "f"}'),
  forged("a value that is not there", '{"r": 0}'),
  forged("a value before all others", '[{"r": -1}]', "assert f(1)[0] == '@SECRET@'"),
  forged("a value by a truth", '[[], {"r": True}]', "assert f(1)[1] == '@SECRET@'"),
  forged("a list of itself", '[{"r": 0}, {"r": 0}]', "r = f(1)\nassert r == [r, r] and r[0][1] == '@SECRET@'"),
  forged("a value too large to tell", '{"oversized": "x"}'),
];
