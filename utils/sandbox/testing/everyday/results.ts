/** Programs that return values of the standard library. */

import { type Everyday, returning } from "./program.ts";

export const results: Everyday[] = [
  returning(
    "a match of re",
    "re.search('(?P<word>[a-z]+)-(x)?', '1 ab-')",
    [
      "assert f() and bool(f()) is True",
      "m = f()\nassert m.group() == m[0] == 'ab-' and m['word'] == 'ab' and m.group(1, 2) == ('ab', None)",
      "import re\nassert f().span() == (2, 5) and f().start('word') == 2 and isinstance(f(), re.Match)",
      "assert f().groups('') == ('ab', '') and f().groupdict() == {'word': 'ab'} and f().string == '1 ab-'",
    ],
    ["assert not f()", "assert f().group() == 'ab'", "assert f() == f()", "assert f().group(3)"],
    "import re",
  ),
  returning(
    "a number of uuid",
    "uuid.UUID(int=7)",
    ["import uuid\nassert f() == uuid.UUID(int=7) and str(f()).endswith('7') and f().int == 7"],
    ["assert f() == 7", "import uuid\nassert f() == uuid.UUID(int=8)"],
    "import uuid",
  ),
  returning(
    "paths",
    "[pathlib.Path('/a') / 'b.c', pathlib.PureWindowsPath('x') / 'y']",
    [
      "from pathlib import Path, PureWindowsPath\nassert f() == [Path('/a/b.c'), PureWindowsPath('x/y')]",
      "assert f()[0].suffix == '.c' and str(f()[0]) == '/a/b.c' and str(f()[1]) == 'x\\\\y'",
    ],
    ["assert f()[0] == '/a/b.c'", "assert f()[0].name == 'b'"],
    "import pathlib",
  ),
  returning(
    "an array",
    "array.array('i', [3, 1])",
    [
      "import array\nassert f() == array.array('i', [3, 1]) and f().typecode == 'i'",
      "a = f()\na.append(2)\nassert sorted(a) == [1, 2, 3] and len(f()) == 2",
    ],
    ["assert f() == [3, 1]", "import array\nassert f() == array.array('i', [1, 3])"],
    "import array",
  ),
  {
    name: "a coroutine",
    program: "async def f(x=1):\n    if x < 0:\n        raise ValueError(x)\n    return [x]\n",
    right: [
      "import asyncio\nassert asyncio.run(f(2)) == [2]",
      "import asyncio\nasync def main():\n    assert await asyncio.gather(f(), f(3)) == [[1], [3]]\nasyncio.run(main())",
      "import asyncio\ntry:\n    asyncio.run(f(-1))\nexcept ValueError as e:\n    assert e.args == (-1,)\nelse:\n    assert False",
    ],
    wrong: ["import asyncio\nassert asyncio.run(f(2)) == 2", "assert f(2) == [2]"],
  },
  returning(
    "a range",
    "range(0, 10, 3)",
    [
      "assert f() == range(0, 12, 3)",
      "assert list(f()) == [0, 3, 6, 9] and 6 in f() and len(f()) == 4",
      "assert isinstance(f(), range) and f()[-1] == 9",
    ],
    ["assert f() == [0, 3, 6, 9]", "assert f() == range(0, 10, 2)"],
  ),
  returning(
    "a range of great numbers",
    "range(10**20, 10**20 + 2)",
    ["assert list(f()) == [10**20, 10**20 + 1]"],
    ["assert len(f()) == 3"],
  ),
  returning(
    "the keys of a dict",
    "{'a': 1, 'b': [2]}.keys()",
    ["assert f() == {'a', 'b'}", "assert list(f()) == ['a', 'b'] and 'a' in f()", "assert f() & {'b', 'c'} == {'b'}"],
    ["assert f() == ['a', 'b']", "assert f() == {'a'}"],
  ),
  returning(
    "the values of a dict",
    "{'a': 1, 'b': [2]}.values()",
    ["assert list(f()) == [1, [2]] and len(f()) == 2", "assert [2] in f()"],
    ["assert f() == [1, [2]]", "assert sum(map(bool, f())) == 1"],
  ),
  returning(
    "the items of a dict",
    "{'a': 1, 'b': 2}.items()",
    [
      "assert f() == {('a', 1), ('b', 2)}",
      "assert dict(f()) == {'a': 1, 'b': 2}",
      "assert list(reversed(list(f())))[0] == ('b', 2)",
    ],
    ["assert f() == {'a': 1, 'b': 2}", "assert dict(f()) == {'a': 1}"],
  ),
  returning(
    "the items of a dict that cannot be hashed",
    "{'a': [1]}.items()",
    ["assert list(f()) == [('a', [1])]"],
    ["assert list(f()) == [['a', [1]]]"],
  ),
  returning(
    "the keys of an OrderedDict",
    "OrderedDict(b=1, a=2).keys()",
    ["assert list(f()) == ['b', 'a']"],
    ["assert list(f()) == ['a', 'b']"],
  ),
  returning(
    "a deque",
    "deque([1, 2, 3], maxlen=3)",
    [
      "assert f() == deque([1, 2, 3])",
      "q = f()\nq.append(4)\nassert list(q) == [2, 3, 4] and q.maxlen == 3",
      "assert f()[0] == 1",
    ],
    ["assert f() == [1, 2, 3]", "assert f() == deque([3, 2, 1])", "assert f().maxlen is None"],
  ),
  returning(
    "a bytearray",
    "bytearray(b'ab\\xff')",
    [
      "assert f() == b'ab\\xff'",
      "assert f() == bytearray(b'ab\\xff') and isinstance(f(), bytearray)",
      "b = f()\nb[0] = 99\nassert b == b'cb\\xff'",
    ],
    ["assert f() == b'ab'", "assert f() == 'ab'", "assert isinstance(f(), bytes)"],
  ),
  returning(
    "a Counter",
    "Counter('aab')",
    [
      "assert f() == Counter('aba')",
      "assert f()['z'] == 0 and f().most_common(1) == [('a', 2)]",
      "assert f() == {'a': 2, 'b': 1}",
      "assert f() + Counter('b') == Counter('aabb')",
    ],
    ["assert f() == Counter('ab')", "f()['a'].x"],
  ),
  returning(
    "a defaultdict",
    "defaultdict(list, {'a': [1]})",
    [
      "assert f() == {'a': [1]}",
      "d = f()\nd['b'].append(2)\nassert d == {'a': [1], 'b': [2]}",
      "assert f().default_factory is list",
    ],
    ["assert f() == {}", "assert f()['b'] == 0"],
  ),
  returning(
    "a defaultdict without a default",
    "defaultdict(None, a=1)",
    ["try: f()['b']\nexcept KeyError: pass\nelse: assert False"],
    ["assert f()['b'] == 0"],
  ),
  returning(
    "a defaultdict of the program's own default",
    "defaultdict(lambda: 7, a=1)",
    ["assert f() == {'a': 1} and f()['a'] == 1"],
    ["try: f()['b']\nexcept KeyError: pass\nelse: assert False"],
  ),
  returning(
    "an OrderedDict",
    "OrderedDict([('b', 1), ('a', 2)])",
    [
      "assert f() == OrderedDict([('b', 1), ('a', 2)])",
      "assert f() == {'a': 2, 'b': 1}",
      "d = f()\nd.move_to_end('b')\nassert list(d) == ['a', 'b']",
    ],
    ["assert f() == OrderedDict([('a', 2), ('b', 1)])"],
  ),
  returning(
    "a Decimal",
    "Decimal('1.10')",
    [
      "assert f() == Decimal('1.1') and str(f()) == '1.10'",
      "assert f() + 1 == Decimal('2.1') and f() > 1",
      "assert isinstance(f(), Decimal)",
    ],
    ["assert f() == 1.1", "assert str(f()) == '1.1'", "assert f() == '1.10'"],
  ),
  returning(
    "special Decimals",
    "[Decimal('NaN'), Decimal('-Infinity'), Decimal('-0')]",
    ["assert f()[0].is_nan() and f()[1] < 0 and f()[2].is_signed()"],
    ["assert f()[0] == f()[0]"],
  ),
  returning(
    "a Fraction",
    "Fraction(6, -4)",
    ["assert f() == Fraction(-3, 2)", "assert f() == -1.5 and f().denominator == 2", "assert f() * 2 == -3"],
    ["assert f() == Fraction(3, 2)", "assert f() == '-3/2'"],
  ),
  returning(
    "a date",
    "date(2024, 2, 29)",
    [
      "assert f() == date(2024, 2, 29)",
      "assert f() + timedelta(1) == date(2024, 3, 1)",
      "assert f().isoformat() == '2024-02-29' and f().weekday() == 3",
    ],
    ["assert f() == date(2024, 3, 1)", "assert f() == '2024-02-29'", "assert f() == datetime.datetime(2024, 2, 29)"],
  ),
  returning(
    "a time",
    "time(23, 59, 1, 5, fold=1)",
    ["assert f() == time(23, 59, 1, 5) and f().fold == 1"],
    ["assert f() == time(23, 59, 1)", "assert f() == '23:59:01'"],
  ),
  returning(
    "a datetime",
    "datetime.datetime(2024, 1, 2, 3, 4, 5, 6)",
    [
      "assert f() == datetime.datetime(2024, 1, 2, 3, 4, 5, 6)",
      "assert f().tzinfo is None and f() - datetime.datetime(2024, 1, 1) > timedelta(1)",
    ],
    [
      "assert f() == datetime.datetime(2024, 1, 2, 3, 4, 5)",
      "assert f() == datetime.datetime(2024, 1, 2, 3, 4, 5, 6, timezone.utc)",
    ],
  ),
  returning(
    "a datetime with a time zone",
    "datetime.datetime(2024, 1, 2, 3, tzinfo=timezone(timedelta(hours=2), 'EET'))",
    [
      "assert f() == datetime.datetime(2024, 1, 2, 1, tzinfo=timezone.utc)",
      "assert f().utcoffset() == timedelta(hours=2) and f().tzname() == 'EET'",
    ],
    [
      "assert f() == datetime.datetime(2024, 1, 2, 3, tzinfo=timezone.utc)",
      "assert f() == datetime.datetime(2024, 1, 2, 3)",
    ],
  ),
  returning(
    "a timedelta",
    "timedelta(days=-1, seconds=5, microseconds=7)",
    ["assert f() == timedelta(days=-1, seconds=5, microseconds=7)", "assert f().total_seconds() < -86394"],
    ["assert f() == timedelta(days=-1, seconds=5)"],
  ),
];
