/** Programs that return what is shared, classes, exceptions, odd text, or what they are given. */

import { doing, type Everyday, returning } from "./program.ts";

export const others: Everyday[] = [
  returning(
    "classes",
    "[int, ValueError, type(None), Counter, dict]",
    [
      "assert f() == [int, ValueError, type(None), Counter, dict]",
      "assert f()[0]('7') == 7 and issubclass(f()[1], Exception)",
    ],
    ["assert f()[0] == 'int'", "assert f()[0] is float"],
  ),
  returning(
    "an exception as a value",
    "ValueError('low', 3)",
    ["e = f()\nassert isinstance(e, ValueError) and e.args == ('low', 3)"],
    ["assert f() == ValueError('low', 3)", "assert isinstance(f(), KeyError)"],
  ),
  returning(
    "halves of a character",
    "['\\ud83d' + '\\ude00', '\\U0001f600', 'a\\udc80']",
    [
      "assert len(f()[0]) == 2 and f()[0] == '\\ud83d' + '\\ude00'",
      "assert [len(s) for s in f()] == [2, 1, 2] and f()[2] == 'a\\udc80'",
    ],
    ["assert f()[0] == '\\U0001f600'", "assert f()[0] == f()[1]"],
  ),
  returning(
    "rows that are one list",
    "[[0]] * 3",
    ["g = f()\nassert g == [[0], [0], [0]] and g[0] is g[2]", "g = f()\ng[0][0] = 1\nassert g == [[1], [1], [1]]"],
    ["g = f()\ng[0][0] = 1\nassert g == [[1], [0], [0]]"],
  ),
  returning(
    "rows that are lists of their own",
    "[[0] for _ in range(3)]",
    ["g = f()\ng[0][0] = 1\nassert g == [[1], [0], [0]]"],
    ["g = f()\nassert g[0] is g[1]"],
  ),
  returning(
    "a list that holds itself",
    "loop",
    ["r = f()\nassert r[0] == 1 and r[1] is r"],
    ["assert f() == [1]", "assert len(f()) == 3"],
    "loop = [1]\nloop.append(loop)",
  ),
  returning(
    "shared values in a dict",
    "dict.fromkeys('ab', [])",
    ["d = f()\nd['a'].append(1)\nassert d == {'a': [1], 'b': [1]}"],
    ["d = f()\nd['a'].append(1)\nassert d == {'a': [1], 'b': []}"],
  ),
  returning(
    "a list with an object in it",
    "[1, object(), 'x']",
    ["assert len(f()) == 3 and f()[0] == 1 and f()[2] == 'x'"],
    ["assert f()[1] == 1", "assert f() == [1, None, 'x']"],
  ),
  doing(
    "arguments of the same kinds",
    "return repr(x)",
    [
      "for v in [range(1, 5, 2), deque([1], 2), bytearray(b'x'), Decimal('1.0'), Fraction(1, 3), date(1, 2, 3), time(1), timedelta(1), 1+2j]: assert f(v) == repr(v)",
      "for v in [Counter('aab'), OrderedDict(a=1), defaultdict(int, a=1), {1: 2}.keys(), {1: 2}.values(), {1: 2}.items()]: assert f(v) == repr(v)",
      "for v in [datetime.datetime(1, 2, 3, tzinfo=timezone.utc), int, ValueError('x'), frozenset('a'), '\\ud83d' + '\\ude00']: assert f(v) == repr(v)",
    ],
    ["assert f(range(1, 5, 2)) == 'range(1, 5)'", "assert f(Decimal('1.0')) == repr(Decimal('1.00'))"],
  ),
  doing(
    "arguments given back",
    "return x",
    [
      "for v in [range(5), deque([[1]], 2), bytearray(b'x'), Decimal('1.0'), Fraction(1, 3), Counter('a'), OrderedDict(a=[])]: assert f(v) == v and type(f(v)) is type(v)",
      "for v in [date(1, 2, 3), time(1), timedelta(1), 1+2j, datetime.datetime(1, 2, 3), int, KeyError]: assert f(v) == v and type(f(v)) is type(v)",
      "for v in [[1], {1: 1}, {1}, deque(), bytearray(), Counter(), OrderedDict(), defaultdict(int)]: assert f(v) is v",
    ],
    ["assert f([1]) is [1]"],
  ),
];
