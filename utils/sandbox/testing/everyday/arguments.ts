/** Programs that change what they are given, or should not. */

import { doing, type Everyday } from "./program.ts";

export const changes: Everyday[] = [
  doing(
    "a sort in place",
    "x.sort()",
    ["xs = [3, 1, 2]\nassert f(xs) is None and xs == [1, 2, 3]", "xs = ys = [2, 1]\nf(xs)\nassert ys == [1, 2]"],
    ["xs = [3, 1, 2]\nf(xs)\nassert xs == [3, 1, 2]"],
  ),
  doing(
    "a sort of a copy",
    "return sorted(x)",
    ["xs = [3, 1]\nassert f(xs) == [1, 3] and xs == [3, 1]", "xs = [1]\nassert f(xs) is not xs"],
    ["xs = [3, 1]\nf(xs)\nassert xs == [1, 3]"],
  ),
  doing(
    "a sort that should leave its input alone",
    "x.sort()\nreturn x",
    ["assert f([3, 1]) == [1, 3]", "xs = [1]\nassert f(xs) is xs"],
    ["xs = [3, 1]\nassert f(xs) == [1, 3]\nassert xs == [3, 1]"],
  ),
  doing(
    "a new list under the same name",
    "x = x + [1]\nreturn x",
    ["xs = []\nassert f(xs) == [1] and xs == []"],
    ["xs = []\nf(xs)\nassert xs == [1]"],
  ),
  doing(
    "items of another type that are equal",
    "x[0] = float(x[0])",
    ["xs = [1]\nf(xs)\nassert repr(xs) == '[1.0]'"],
    ["xs = [1]\nf(xs)\nassert repr(xs) == '[1]'"],
  ),
  doing(
    "a matrix turned in place",
    "x[:] = [list(row) for row in zip(*x[::-1])]",
    ["m = [[1, 2], [3, 4]]\nf(m)\nassert m == [[3, 1], [4, 2]]"],
    ["m = [[1, 2], [3, 4]]\nf(m)\nassert m == [[1, 2], [3, 4]]"],
  ),
  doing(
    "a row of a matrix",
    "x[1][0] = 9",
    ["row = [3, 4]\nm = [[1, 2], row]\nf(m)\nassert row == [9, 4] and m[1] is row"],
    ["row = [3, 4]\nf([[1, 2], row])\nassert row == [3, 4]"],
  ),
  doing(
    "rows exchanged",
    "x[0], x[1] = x[1], x[0]",
    ["a, b = [1], [2]\nm = [a, b]\nf(m)\nassert m[0] is b and m[1] is a"],
    ["a, b = [1], [2]\nm = [a, b]\nf(m)\nassert m[0] is a"],
  ),
  doing(
    "a row replaced by an equal one",
    "x[0] = list(x[0])",
    ["a = [1]\nm = [a]\nf(m)\nassert m == [[1]] and m[0] is not a"],
    ["a = [1]\nm = [a]\nf(m)\nassert m[0] is a"],
  ),
  doing(
    "rows that are one list",
    "x[0].append(1)",
    ["m = [[]] * 2\nf(m)\nassert m == [[1], [1]]", "m = [[], []]\nf(m)\nassert m == [[1], []]"],
    ["m = [[]] * 2\nf(m)\nassert m == [[1], []]"],
  ),
  doing(
    "one list given twice",
    "x.append(1)\nreturn x is more[0], len(more[0])",
    ["a = []\nassert f(a, a) == (True, 1)", "assert f([], []) == (False, 0)"],
    ["a = []\nassert f(a, a) == (False, 0)"],
  ),
  doing(
    "a dict",
    "x['n'] = x.pop('m', 0) + 1",
    ["d = {'m': 1}\nf(d)\nassert d == {'n': 2}"],
    ["d = {'m': 1}\nf(d)\nassert d == {'m': 1}"],
  ),
  doing(
    "a list inside a dict inside a tuple",
    "x[0]['k'].append(1)",
    ["inner = []\nf(({'k': inner},))\nassert inner == [1]"],
    ["inner = []\nf(({'k': inner},))\nassert inner == []"],
  ),
  doing(
    "a set",
    "x.discard('a')\nx |= {'c'}",
    ["s = {'a', 'b'}\nf(s)\nassert s == {'b', 'c'}"],
    ["s = {'a', 'b'}\nf(s)\nassert s == {'a', 'b'}"],
  ),
  doing(
    "a deque",
    "x.rotate(1)\nx.append(0)",
    ["q = deque([1, 2], 2)\nf(q)\nassert q == deque([1, 0]) and q.maxlen == 2"],
    ["q = deque([1, 2], 2)\nf(q)\nassert q == deque([1, 2])"],
  ),
  doing(
    "a bytearray",
    "x.reverse()",
    ["b = bytearray(b'ab')\nf(b)\nassert b == b'ba'"],
    ["b = bytearray(b'ab')\nf(b)\nassert b == b'ab'"],
  ),
  doing(
    "a Counter, a defaultdict, an OrderedDict",
    "x['a'] += 1\nx.update({'b': 5})",
    [
      "c = Counter('a')\nf(c)\nassert c == Counter(a=2, b=5) and type(c) is Counter",
      "d = defaultdict(int)\nf(d)\nassert d == {'a': 1, 'b': 5} and d['z'] == 0",
      "o = OrderedDict(b=1, a=1)\nf(o)\nassert list(o.items()) == [('b', 5), ('a', 2)]",
    ],
    ["c = Counter('a')\nf(c)\nassert c == Counter('a')"],
  ),
  doing(
    "a named argument",
    "more = x\nreturn len(x)",
    ["xs = [1]\nassert f(x=xs) == 1 and xs == [1]"],
    ["xs = [1]\nassert f(x=xs) == 2"],
  ),
  doing(
    "a list that is emptied before an error",
    "x.clear()\nraise ValueError",
    ["xs = [1]\ntry: f(xs)\nexcept ValueError: pass\nassert xs == []"],
    ["xs = [1]\ntry: f(xs)\nexcept ValueError: pass\nassert xs == [1]"],
  ),
  doing(
    "a list of the tests' own class",
    "x.append(3)",
    ["class Mine(list): pass\nm = Mine([1])\nf(m)\nassert m == [1, 3] and type(m) is Mine"],
    ["class Mine(list): pass\nm = Mine([1])\nf(m)\nassert m == [1]"],
  ),
  doing(
    "a list put into itself",
    "x.append(x)",
    ["xs = [1]\nf(xs)\nassert xs[1] is xs and len(xs) == 2"],
    ["xs = [1]\nf(xs)\nassert xs == [1]"],
  ),
  doing(
    "a list that holds itself",
    "return x[0] is x",
    ["xs = []\nxs.append(xs)\nassert f(xs) and xs[0] is xs"],
    ["xs = []\nxs.append(xs)\nassert not f(xs)"],
  ),
  doing(
    "a list given to a result",
    "return [x, x, [9]]",
    ["xs = [1]\nr = f(xs)\nassert r[0] is xs and r[1] is xs\nxs.append(2)\nassert r == [[1, 2], [1, 2], [9]]"],
    ["xs = [1]\nassert f(xs)[2] is xs"],
  ),
  doing(
    "an object put into a list",
    "x.append(object())",
    ["xs = [1]\nf(xs)\nassert len(xs) == 2 and xs[0] == 1"],
    ["xs = [1]\nf(xs)\nassert xs == [1, 2]", "xs = [1]\nf(xs)\nassert xs[1] == 1"],
  ),
  doing(
    "a list changed while it is iterated over",
    "while x:\n    yield x.pop(0)",
    [
      "xs = [1, 2, 3]\nassert list(f(xs)) == [1, 2, 3] and xs == []",
      "xs = [1, 2, 3]\ng = f(xs)\nassert xs == [1, 2, 3] and next(g) == 1 and xs == [2, 3]",
    ],
    ["xs = [1, 2]\nlist(f(xs))\nassert xs == [1, 2]"],
  ),
];
