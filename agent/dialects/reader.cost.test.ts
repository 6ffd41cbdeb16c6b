/** What reading a hostile reply costs: processor time that grows no faster than the reply. */
import { describe, expect, test } from "vitest";
import { python } from "../../utils/languages/python/index.ts";
import { ALSO_DEEP, isQuick, isSlow } from "../../utils/testing/repeats.ts";
import { parseReply } from "./reader.ts";

const TOOLS = ["code_interpreter", "view"];
const SMALL = 12_500;
/** Growth is 8 where reading is linear, 64 where it is quadratic. */
const FACTOR = 8;
const MOST_GROWTH = 4 * FACTOR;
/** A reply that is read in less, in milliseconds, is not measured again: its growth is noise. */
const SOON_MS = 5;

/** What a reply repeats, and what stands before it. */
const UNITS = [
  ...["```\n", "```python\n", "```python\nx=1\n```\n", "~~~\n", "```python x", "```", "~~~ x", "> ```\n", "- ```py\n"],
  ...["````python\n```\n", "```python\n'''\n```\n", '```python\n"\n', "```json\n{\n", "`", "``"],
  ...[
    "def f(x):\n",
    "def f(x):\n    return x\n",
    "return x\n",
    "class A:\n  x=1\n",
    "x = 1\n",
    "f(1)\n",
    "@a\n",
    "if a:\n",
  ],
  ...["{", "[", "(", "}", '{"a":', "[[1,", '{"a":1},', '{"a":1}\n', "[1]\n", "()", "[{"],
  ...['"', "'", '"""', "'''", '"a" ', '"a" "b"', "\\", '\\"', "\\u12", "r'"],
  ...["Action:", "Action: \n", "Action: code_interpreter\n", "Action: code_interpreter(", 'Action Input: {"code": "'],
  ...[
    "Action Input: \n",
    "Final Answer:",
    "Final Answer:\n",
    "Observation: \n",
    "Thought: \n",
    "**Action:** ",
    ". Final Answer: ",
  ],
  ...[
    "<think>",
    "</think>",
    "<think>\n",
    "<tool_call>",
    "<tool_call>\n",
    '<tool_call>{"name": "view"',
    "<code>",
    "<function=a>",
  ],
  ...["<view>\n", "<a ", "</", "<![CDATA[", "<|im_end|>", "<|im_start|>", "[TOOL_CALLS]", "<|python_tag|>"],
  ...[
    " ",
    "  \n",
    "\t",
    "\n",
    "\r\n",
    "a",
    "a ",
    "1",
    "1e5,",
    "- ",
    "# ",
    ">",
    "__",
    ": ",
    "= ",
    "Let me think about it. ",
  ],
];
/** Long lines, and what is read in more than one way. */
const LINES = [
  ...[`${" ".repeat(299)}\n`, `x${" ".repeat(298)}\n`, `Action: code_interpreter${" ".repeat(250)}x\n`],
  ...[`if${": ".repeat(140)}\n`, `f(${")a".repeat(140)}\n`, `${"a, ".repeat(90)}\n`],
  ...["```python\nAction: view\n", "</think>\n", "</s>"],
];
const HEADS = [
  "",
  "Final Answer:\n",
  "Action: code_interpreter\nAction Input: ",
  'Action: code_interpreter\nAction Input: {"code": "',
  "Action: ",
  "<think>\n",
  "<tool_call>\n",
  "```python\n",
];

const cpuMs = (text: string): number => {
  const before = process.cpuUsage();
  parseReply({ text }, { tools: TOOLS, answer: "code", language: python });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/**
 * How the cost of a reply grows with its size, by the least cost of each that was measured.
 * No limit in milliseconds would hold on every machine: how long a step takes depends on it and on what else it does.
 */
function growthOf(reply: (size: number) => string): number {
  const [small, large] = [reply(SMALL), reply(FACTOR * SMALL)];
  cpuMs(small);
  if (cpuMs(large) < SOON_MS) return FACTOR;
  let [short, long] = [Infinity, Infinity];
  // What lies near the limit is measured until it is clear; the rest is clear after two tries.
  const isUnclear = (tries: number) => long / short >= (tries < 5 ? MOST_GROWTH / 2 : MOST_GROWTH);
  for (let tries = 0; tries < 2 || (tries < 40 && isUnclear(tries)); tries++) {
    short = Math.min(short, cpuMs(small));
    long = Math.min(long, cpuMs(large));
  }
  return long / short;
}

test.each(['"}', "\n```\n", "\nx = 1\n```\nFinal Answer:"])("spaces before %j are read once", (end) => {
  expect(growthOf((size) => " ".repeat(size) + end)).toBeLessThan(MOST_GROWTH);
});

// Each after two of the heads, in `npm test` after one; in `npm run test:slow` after all.
const APART = isQuick ? 8 : 4;
describe.each(HEADS.map((head, h) => ({ head, h })))(
  "a reply that begins with $head and repeats one thing",
  ({ head, h }) => {
    test.each([...UNITS, ...LINES].filter((_, i) => isSlow || (i + h) % APART === 0))("%j", ALSO_DEEP, (unit) => {
      const growth = growthOf((size) => head + unit.repeat(Math.ceil(size / unit.length)));
      expect(growth).toBeLessThan(MOST_GROWTH);
    });
  },
);
