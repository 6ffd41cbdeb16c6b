/** Programs that read and print while they are called, and tests that look at it. */

import { doing, type Everyday } from "./program.ts";

const REDIRECTED = "import io, sys\nfrom contextlib import redirect_stderr, redirect_stdout\n";
const given = (text: string) => `import io, sys\nsys.stdin = io.StringIO(${JSON.stringify(text)})\n`;

export const streams: Everyday[] = [
  doing(
    "what a call prints",
    "print('got', x)",
    [
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stdout(b):\n    f(3)\n    f(4)\nassert b.getvalue() == 'got 3\\ngot 4\\n'`,
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stderr(b):\n    f(3)\nassert b.getvalue() == ''`,
      "import sys\nold, sys.stdout = sys.stdout, __import__('io').StringIO()\nf('a')\nt, sys.stdout = sys.stdout.getvalue(), old\nassert t == 'got a\\n'",
    ],
    [
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stdout(b):\n    f(3)\nassert b.getvalue() == ''`,
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stdout(b):\n    f(3)\nassert b.getvalue() == 'got 4\\n'`,
    ],
  ),
  doing(
    "what a call prints before it raises",
    "import sys\nprint('half', file=sys.stderr)\nraise KeyError(x)",
    [
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stderr(b):\n    try:\n        f(1)\n    except KeyError as error:\n        assert error.args == (1,)\nassert b.getvalue() == 'half\\n'`,
    ],
    [
      `${REDIRECTED}b = io.StringIO()\nwith redirect_stderr(b):\n    try:\n        f(1)\n    except KeyError: pass\nassert b.getvalue() == ''`,
    ],
  ),
  doing(
    "what a call reads",
    "return [input() for _ in range(x)]",
    [
      `${given("a\nb\nc\n")}assert f(1) == ['a'] and f(2) == ['b', 'c']`,
      `${given("a\nb\n")}assert f(1) == ['a'] and sys.stdin.read() == 'b\\n'`,
      `${given("a\n")}try:\n    f(2)\nexcept EOFError:\n    pass\nelse:\n    assert False`,
    ],
    [`${given("a\nb\n")}assert f(1) == ['b']`, `${given("a\nb\n")}assert f(1) == f(1)`],
  ),
  doing(
    "a question that a call asks",
    "return int(input('how many? ')) * x",
    [
      `${given("4\n")}b, sys.stdout = sys.stdout, io.StringIO()\nr = f(2)\nt, sys.stdout = sys.stdout.getvalue(), b\nassert (r, t) == (8, 'how many? ')`,
    ],
    [`${given("4\n")}assert f(2) == 4`],
  ),
];
