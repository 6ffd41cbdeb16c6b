/** What reading a hostile reply costs: processor time that grows no faster than the reply. */
import { describe, expect, test } from "vitest";
import { isSlow } from "../../utils/testing/repeats.ts";
import { parseReply } from "./reader.ts";

const TOOLS = ["code_interpreter", "view"];
const SMALL = 12_500;
/** Squared where reading is quadratic: 64. */
const FACTOR = 8;
/** Of 100,000 characters: twice the promise of 20 ms, on a machine as fast and as quiet as `slowness` finds it. */
const MOST_MS = 40;

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

const cpuMsOf = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const leastOf = (work: () => unknown, tries: number): number =>
  Math.min(...Array.from({ length: tries }, () => cpuMsOf(work)));
const least = (text: string, tries: number): number =>
  leastOf(() => parseReply({ text }, { tools: TOOLS, answer: "code" }), tries);

const PROSE = "Let me think (about) it: \\n.\n".repeat(17_000);
/** What the work of `slowness` takes on a quiet server processor of 2024. */
const QUIET_MS = 20;
/** How many times slower than that this machine is now: a busy one makes each step slower, too. At least 1. */
const slowness = (): number =>
  Math.max(1, leastOf(() => PROSE.replace(/\\n|\([a-z]+\)|\b[a-z]+\b/g, (word) => word.toUpperCase()), 3) / QUIET_MS);

test.each(['"}', "\n```\n", "\nx = 1\n```\nFinal Answer:"])("spaces before %j are read once", (end) => {
  const reply = (size: number) => " ".repeat(size) + end;
  least(reply(SMALL), 1);
  expect((least(reply(FACTOR * SMALL), 2) * 100_000) / (FACTOR * SMALL)).toBeLessThan(MOST_MS * slowness());
});

// Each after two of the heads; in `npm run test:slow` after all.
describe.each(HEADS.map((head, h) => ({ head, h })))(
  "a reply that begins with $head and repeats one thing",
  ({ head, h }) => {
    test.each([...UNITS, ...LINES].filter((_, i) => isSlow || (i + h) % 4 === 0))("%j", (unit) => {
      const reply = (size: number) => head + unit.repeat(Math.ceil(size / unit.length));
      least(reply(SMALL), 1);
      const large = least(reply(FACTOR * SMALL), 2);
      const msPer100K = (large * 100_000) / (FACTOR * SMALL);
      // Almost all end here; where little is left to measure, growth is noise.
      if (msPer100K < 5) return;
      if (msPer100K >= MOST_MS) {
        const again = (least(reply(FACTOR * SMALL), 10) * 100_000) / (FACTOR * SMALL);
        expect(again).toBeLessThan(MOST_MS * slowness());
      }
      expect(least(reply(FACTOR * SMALL), 3) / least(reply(SMALL), 5)).toBeLessThan(6 * FACTOR);
    });
  },
);
