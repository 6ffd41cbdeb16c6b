/** The examples do what they say. Those that need a language model talk to a scripted server, by HTTP. */
// @module-tag ci

import { afterEach, expect, test, vi } from "vitest";
import { startFakeOpenAI } from "../../agent/models/testing/fake_openai.ts";
import { ALSO_DEEP, quarter } from "../../utils/testing/repeats.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** What an example prints on stdout. Importing it runs it to its end. */
async function printed(example: string): Promise<string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  await import(new URL(`${example}.ts`, import.meta.url).href);
  return log.mock.calls.map(([line]) => String(line));
}

test("judge_code: only what is right is accepted", async () => {
  expect(await printed("judge_code")).toEqual([
    "right: accepted",
    "wrong: it fails the visible tests",
    "cheat: it ended before the tests did",
    "helper: it fails the visible tests",
  ]);
});

test.each(
  quarter([
    [
      "in_a_graph",
      [expect.stringMatching(/^Please merge:\ndef double\(x\):\n {4}return (?:x [*] 2|2 [*] x|x [+] x)\n/)],
    ],
    ["several_at_once", ["half: answered with 2 model calls", "last: answered with 2 model calls"]],
    ["stream_steps", ["turn 0: exit code 1", "turn 1: found", "turn 2: it passes the visible tests"]],
    [
      "own_eval",
      [
        expect.stringMatching(/^largest: /),
        expect.stringMatching(/^is_even: /),
        expect.stringMatching(/^pass@1: [12]\/2$/),
      ],
    ],
  ]),
)("%s: the built-in engine runs it", ALSO_DEEP, async (example, lines) => {
  vi.stubEnv("MODEL_NAME", "search");
  expect(await printed(example)).toEqual(lines);
});

test("bring_a_model: a chat model of LangChain's", async () => {
  const answer = "Thought: times.\nFinal Answer:\n```python\ndef area(width, height):\n    return width * height\n```";
  await using server = await startFakeOpenAI({ reply: ({ last }) => (last.includes("AssertionError") ? answer : "?") });
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  expect(await printed("bring_a_model")).toEqual(["def area(width, height):\n    return width * height\n"]);
});

test("add_a_tool: the model asks it and uses what it says", async () => {
  const ask = 'Thought: the rate?\nAction: tax_rate\nAction Input: {"kind": "standard"}';
  const answer = (rate: string) =>
    `Thought: so.\nFinal Answer:\n\`\`\`python\ndef gross(net):\n    return round(net * (1 + ${rate}))\n\`\`\``;
  await using server = await startFakeOpenAI({
    reply: ({ last }) => {
      const rate = /0\.\d+/.exec(last)?.[0];
      return last.includes("AssertionError") || rate === undefined ? ask : answer(rate);
    },
  });
  vi.stubEnv("OPENAI_BASE_URL", server.url);
  vi.stubEnv("MODEL_NAME", "openai:any");
  expect(await printed("add_a_tool")).toEqual(["def gross(net):\n    return round(net * (1 + 0.19))\n"]);
});
