/** Programs that return or take iterators. Some never end, or may not be asked for more than what is wanted. */

import { doing, type Everyday, returning } from "./program.ts";

const COUNT = "n = 0\nwhile True:\n    yield n\n    n += 1";
const ONE = "yield x\nwhile True: pass";

export const iterators: Everyday[] = [
  doing(
    "an endless generator",
    COUNT,
    [
      "assert list(itertools.islice(f(0), 5)) == [0, 1, 2, 3, 4]",
      "g = f(0)\nassert [next(g), next(g)] == [0, 1]",
      "assert list(zip('ab', f(0))) == [('a', 0), ('b', 1)]",
      "for n in f(0):\n    if n > 300: break\nassert n == 301",
      "assert 7 in f(0) and next(x for x in f(0) if x > 100) == 101",
      "g, h = f(0), f(0)\nassert next(g) == next(h) == 0 and next(g) == 1 and next(h) == 1",
    ],
    ["assert list(itertools.islice(f(0), 2)) == [1, 2]", "assert f(0) == [0, 1]", "assert next(f(0)) == 1"],
  ),
  doing(
    "nothing is asked for too early",
    ONE,
    ["assert next(f(1)) == 1", "for v in f(1): break\nassert v == 1"],
    ["assert next(f(1)) == 2"],
  ),
  doing(
    "a generator that ends",
    "for n in range(x): yield n * n",
    [
      "assert list(f(5)) == [0, 1, 4, 9, 16]",
      "assert sum(f(5000)) == sum(n * n for n in range(5000)) and len(list(f(5000))) == 5000",
      "a, b, c = f(3)\nassert (a, b, c) == (0, 1, 4)",
      "g = f(2)\nassert list(g) == [0, 1] and list(g) == [] and next(g, None) is None",
      "assert sorted(f(3), reverse=True) == [4, 1, 0] and max(f(3)) == 4 and set(f(2)) == {0, 1}",
      "assert inspect.isgenerator(f(1)) and iter(g := f(1)) is g",
    ],
    ["assert f(2) == [0, 1]", "assert list(f(2)) == [0, 2]", "assert len(f(2)) == 2", "assert list(f(0)) == [0]"],
  ),
  doing(
    "a generator that raises",
    "yield 1\nraise ValueError('end')",
    [
      "g = f(0)\nassert next(g) == 1\ntry: next(g)\nexcept ValueError as e: assert str(e) == 'end'\nelse: assert False",
      "try: list(f(0))\nexcept ValueError: pass\nelse: assert False",
    ],
    ["assert list(f(0)) == [1]"],
  ),
  doing(
    "a generator that yields one list over and over",
    "row = []\nfor n in range(3):\n    row.append(n)\n    yield row",
    [
      "assert list(f(0)) == [[0, 1, 2]] * 3",
      "r = []\nfor row in f(0): r.append(row)\nassert r[0] is r[2] and r == [[0, 1, 2]] * 3",
      "assert [list(row) for row in f(0)] == [[0], [0, 1], [0, 1, 2]]",
    ],
    ["assert list(f(0)) == [[0], [0, 1], [0, 1, 2]]"],
  ),
  returning(
    "a map",
    "map(str, [1, 2])",
    ["assert list(f()) == ['1', '2']", "assert ','.join(f()) == '1,2'"],
    ["assert f() == ['1', '2']"],
  ),
  returning(
    "a zip of named things",
    "zip('ab', [[1], [2]])",
    ["assert dict(f()) == {'a': [1], 'b': [2]}"],
    ["assert dict(f()) == {}"],
  ),
  returning(
    "iterators in a tuple",
    "(iter([1, 2]), reversed([1, 2]), enumerate('a'))",
    ["a, b, c = f()\nassert next(b) == 2 and list(a) == [1, 2] and list(c) == [(0, 'a')]"],
    ["assert f()[0] == [1, 2]"],
  ),
  doing(
    "a generator given an endless iterator",
    "for n in x: yield n * 2",
    [
      "assert list(itertools.islice(f(itertools.count()), 3)) == [0, 2, 4]",
      "g = (n for n in range(10))\nassert next(f(g)) == 0 and next(g) == 1",
    ],
    ["assert next(f(itertools.count(1))) == 1"],
  ),
  doing(
    "a part of an iterator",
    "return [next(x), next(x)]",
    [
      "it = iter([1, 2, 3])\nassert f(it) == [1, 2] and list(it) == [3]",
      "c = itertools.count()\nassert f(c) == [0, 1] and f(c) == [2, 3]",
    ],
    ["it = iter([1, 2, 3])\nf(it)\nassert list(it) == [1, 2, 3]"],
  ),
  doing(
    "all of an iterator",
    "return list(x)",
    [
      "assert f(iter('ab')) == ['a', 'b'] and f(map(int, '12')) == [1, 2]",
      "assert f(n for n in range(3000)) == list(range(3000))",
      "assert f(f([n])[0] for n in range(3)) == [0, 1, 2]",
    ],
    ["assert f(iter('ab')) == ['a']"],
  ),
  doing(
    "an iterator given back",
    "return x",
    ["it = iter([1, 2])\nassert f(it) is it and next(it) == 1"],
    ["it = iter([1])\nassert f(it) == it.__class__([1])"],
  ),
  doing(
    "an iterator that raises",
    "return next(x)",
    [
      "def g():\n    raise KeyError('k')\n    yield\ntry: f(g())\nexcept KeyError as e: assert e.args == ('k',)\nelse: assert False",
    ],
    ["def g():\n    raise KeyError('k')\n    yield\nf(g())"],
  ),
  {
    name: "the program's own generator comes back to it",
    program: "def f(g=None):\n    if g is None: return (n for n in [1, 2, 3])\n    return next(g)",
    right: ["g = f()\nassert next(g) == 1 and f(g) == 2 and next(g) == 3"],
    wrong: ["g = f()\nassert f(g) == 2"],
  },
];
