/** Programs with classes of their own. The tests see the entry point only: values of these classes reach them as results. */

import { type Everyday, returning } from "./program.ts";

const POINT = "Point = namedtuple('Point', 'x y')";
const TYPED = "class Point(NamedTuple):\n    x: int\n    y: int = 0\n    def norm(self): return self.x + self.y";
const COLOR = "class Color(Enum):\n    RED = 1\n    BLUE = 'b'\n    CRIMSON = 1";
const ITEM = "@dataclass\nclass Item:\n    name: str\n    tags: list = field(default_factory=list)";
const FROZEN =
  "@dataclass(frozen=True, order=True)\nclass Key:\n    a: int\n    b: object = field(default=0, compare=False)";
const TREE =
  "@dataclass\nclass Node:\n    value: int\n    children: list = field(default_factory=list)\n    parent: object = None";

export const classes: Everyday[] = [
  returning(
    "a named tuple",
    "Point(1, [2])",
    [
      "assert f() == (1, [2])",
      "p = f()\nassert p.x == 1 and p.y == [2] and p._fields == ('x', 'y')",
      "x, y = f()\nassert x == 1",
      "assert f()._asdict() == {'x': 1, 'y': [2]} and repr(f()) == 'Point(x=1, y=[2])'",
      "assert f() == f() and f()._replace(x=3).x == 3",
    ],
    ["assert f() == (1, 2)", "assert f().z == 1", "assert f() == [1, [2]]"],
    POINT,
  ),
  returning(
    "a typed named tuple",
    "[Point(1), Point(0, 5)]",
    ["assert f() == [(1, 0), (0, 5)]", "assert max(f()).x == 1 and type(f()[0]).__name__ == 'Point'"],
    ["assert f()[0].y == 1"],
    TYPED,
  ),
  {
    name: "a named tuple that the program gets back",
    program: `${TYPED}\ndef f(p=None):\n    return Point(3, 4) if p is None else (p.norm(), isinstance(p, Point))`,
    right: ["assert f(f()) == (7, True)"],
    wrong: ["assert f(f()) == (0, True)"],
  },
  {
    name: "a named tuple of the tests",
    program: "def f(p):\n    return p.a + p.b, p._fields, type(p)(p.b, p.a)",
    right: ["T = namedtuple('T', 'a b')\nassert f(T(1, 2)) == (3, ('a', 'b'), (2, 1))"],
    wrong: ["T = namedtuple('T', 'a b')\nassert f(T(1, 2)) == (3, ('a', 'b'), (1, 2))"],
  },
  returning(
    "a member of an Enum",
    "Color.RED",
    [
      "assert f().name == 'RED' and f().value == 1",
      "assert f() == f() and f() is f() and str(f()) == 'Color.RED' and repr(f()) == '<Color.RED: 1>'",
      "assert {f(): 2}[f()] == 2 and type(f()).__name__ == 'Color'",
    ],
    ["assert f() == 1", "assert f() == 'RED'", "assert f().name == 'CRIMSON'"],
    COLOR,
  ),
  {
    name: "members of an Enum that differ",
    program: `${COLOR}\ndef f(name):\n    return Color[name]`,
    right: [
      "assert f('RED') != f('BLUE') and f('CRIMSON') == f('RED')",
      "assert len({f('RED'), f('BLUE'), f('CRIMSON')}) == 2",
    ],
    wrong: ["assert f('RED') == f('BLUE')", "assert f('BLUE').value == 2"],
  },
  {
    name: "a member that the program gets back",
    program: `${COLOR}\ndef f(c=None):\n    return Color.BLUE if c is None else [c is Color.BLUE, {Color.BLUE: 'found'}[c]]`,
    right: ["assert f(f()) == [True, 'found']"],
    wrong: ["assert f(f()) == [False, 'found']"],
  },
  returning(
    "a member of an IntEnum",
    "Level.HIGH",
    [
      "assert f() == 3 and f() > 2 and f().name == 'HIGH' and isinstance(f(), int)",
      "assert sorted([4, f(), 1]) == [1, 3, 4]",
    ],
    ["assert f() == 2", "assert f().name == 'LOW'"],
    "class Level(IntEnum):\n    LOW = 1\n    HIGH = 3",
  ),
  returning(
    "a member of an Enum of text",
    "Unit.KM",
    ["assert f() == 'km' and f().value == 'km' and f().upper() == 'KM'", "assert str(f()) == 'in km'"],
    ["assert f() == 'KM'"],
    "class Unit(str, Enum):\n    KM = 'km'\n    def __str__(self): return 'in ' + self.value",
  ),
  returning(
    "flags",
    "[Mode.R | Mode.W, Mode.R]",
    ["assert f()[0].value == 3 and f()[1].name == 'R'"],
    ["assert f()[0] == 3", "assert f()[0] == f()[1]"],
    "class Mode(Flag):\n    R = 1\n    W = 2",
  ),
  returning(
    "a dataclass",
    "Item('a', ['b'])",
    [
      "assert f().name == 'a' and f().tags == ['b']",
      "assert f() == f() and repr(f()).endswith(\"Item(name='a', tags=['b'])\")",
      "assert dataclasses.asdict(f()) == {'name': 'a', 'tags': ['b']} and dataclasses.is_dataclass(f())",
      "i = f()\ni.tags.append(1)\nassert i != f() and dataclasses.replace(f(), name='z').name == 'z'",
    ],
    ["assert f() == ('a', ['b'])", "assert f() == {'name': 'a', 'tags': ['b']}", "assert f().size == 1", "hash(f())"],
    ITEM,
  ),
  returning(
    "dataclasses with an order and a hash",
    "[Key(2, 'x'), Key(1, 'y'), Key(2, 'z')]",
    ["assert sorted(f())[0].a == 1 and max(f()).a == 2", "assert len(set(f())) == 2 and f()[0] == f()[2]"],
    ["assert f()[0] == f()[1]", "f()[0].a = 3", "assert f()[0] < f()[1]"],
    FROZEN,
  ),
  returning(
    "dataclasses with a hash of their own, in a set",
    "{Tag('a'), Tag('b'), Tag('a')}",
    ["assert len(f()) == 2 and {t.name for t in f()} == {'a', 'b'}", "assert f() == f()"],
    ["assert len(f()) == 3"],
    "@dataclass\nclass Tag:\n    name: str\n    def __hash__(self): return hash(self.name)",
  ),
  {
    name: "dataclasses of two classes",
    program: `${ITEM}\n@dataclass\nclass Thing:\n    name: str\n    tags: list\ndef f(x):\n    return Item('a', []) if x else Thing('a', [])`,
    right: ["assert f(1) != f(0) and f(1) == f(1)"],
    wrong: ["assert f(1) == f(0)"],
  },
  {
    name: "a dataclass that the program gets back and changes",
    program: `${ITEM}\ndef f(item=None):\n    if item is None: return Item('a')\n    item.tags.append(1)\n    item.name += '!'\n    return item`,
    right: [
      "i = f()\nassert f(i) is i and i.name == 'a!' and i.tags == [1]",
      "i = f()\nt = i.tags\nf(f(i))\nassert t == [1, 1]",
    ],
    wrong: ["i = f()\nf(i)\nassert i == f()"],
  },
  returning(
    "a tree of dataclasses that know their parents",
    "root",
    ["r = f()\nassert r.children[0].parent is r and r.children[0].children == []"],
    ["assert f().children[0].value == 1"],
    `${TREE}\nroot = Node(1)\nroot.children.append(Node(2, parent=root))`,
  ),
  {
    name: "a dataclass of the tests",
    program: "def f(p):\n    p.x += 1\n    return p",
    right: ["@dataclass\nclass P:\n    x: int\np = P(1)\nassert f(p) is p and p == P(2)"],
    wrong: ["@dataclass\nclass P:\n    x: int\np = P(1)\nassert f(p) == P(1)"],
  },
  returning(
    "a class of the program",
    "Own",
    ["assert f() is f() and f().__name__ == 'Own'"],
    ["assert f() == 'Own'", "assert f() is int"],
    "class Own: pass",
  ),
  {
    name: "an exception of the program's own class",
    program: "class TooLow(ValueError): pass\ndef f(x):\n    raise TooLow(x, 'low')",
    right: [
      "try: f(1)\nexcept ValueError as e: assert type(e).__name__ == 'TooLow' and e.args == (1, 'low')\nelse: assert False",
    ],
    wrong: ["try: f(1)\nexcept KeyError: pass", "f(1)"],
  },
];
