/** What reading a hostile reply costs: processor time that grows no faster than the reply. */
import { describe, expect, test } from "vitest";
import { parseReply } from "./react.ts";

const TOOLS = ["code_interpreter", "view"];
const SMALL = 12_500;
/** Squared where reading is quadratic: 64. */
const FACTOR = 8;
/** Of 100,000 characters. The promise is 20 ms on a quiet machine; a busy one also makes each step slower. */
const MOST_MS = 100;

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
  parseReply({ text }, { tools: TOOLS, answer: "code" });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const least = (text: string, tries: number): number => Math.min(...Array.from({ length: tries }, () => cpuMs(text)));

test.each(['"}', "\n```\n", "\nx = 1\n```\nFinal Answer:"])("spaces before %j are read once", (end) => {
  const reply = (size: number) => " ".repeat(size) + end;
  cpuMs(reply(SMALL));
  expect((least(reply(FACTOR * SMALL), 2) * 100_000) / (FACTOR * SMALL)).toBeLessThan(MOST_MS);
});

describe.each(HEADS)("a reply that begins with %j and repeats one thing", (head) => {
  test.each([...UNITS, ...LINES])("%j", (unit) => {
    const reply = (size: number) => head + unit.repeat(Math.ceil(size / unit.length));
    cpuMs(reply(SMALL));
    const large = least(reply(FACTOR * SMALL), 2);
    const msPer100K = (large * 100_000) / (FACTOR * SMALL);
    // Almost all end here; where little is left to measure, growth is noise.
    if (msPer100K < 5) return;
    expect(msPer100K).toBeLessThan(MOST_MS);
    expect(least(reply(FACTOR * SMALL), 3) / least(reply(SMALL), 5)).toBeLessThan(6 * FACTOR);
  });
});
