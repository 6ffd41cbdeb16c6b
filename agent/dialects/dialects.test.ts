/** Each dialect with an example of what it reads. */
import { expect, test } from "vitest";
import { python } from "../../utils/languages/python/index.ts";
import { readReplies } from "./reader.ts";
import type { ModelMessage } from "./reply.ts";

const EXAMPLES: [string, string | ModelMessage][] = [
  ["strict", 'Thought: go\nAction: code_interpreter\nAction Input: {"code": "print(1)"}'],
  ["native", { text: "", toolCalls: [{ name: "code_interpreter", args: { code: "print(1)" } }] }],
  ["json", '**Action:** code_interpreter\n**Action Input:** {"code": "print(1)"}'],
  ["json", "Action: python\nAction Input: {'code': 'print(1)'}"],
  ["element", "<tool_call><function=code_interpreter><parameter=code>print(1)</parameter></function></tool_call>"],
  ["call", 'Action: code_interpreter(code="print(1)")'],
  ["fence", "Action: code_interpreter\nAction Input:\n```python\nprint(1)\n```"],
  ["broken json", 'Action: code_interpreter\nAction Input: {"code": "print("hi")"}'],
  ["bare code", "Final Answer: def f(x):\n    return x"],
  ["earlier fence", "Thought: run this\n```python\nprint(1)\n```\nAction: code_interpreter"],
  ["unlabelled json", '{"code": "print(1)"}'],
  ["unlabelled call", 'I run it.\ncode_interpreter("print(1)")'],
  ["unlabelled fence", "It is this.\n```python\ndef f(x):\n    return x\n```"],
  ["unlabelled bare code", "def f(x):\n    return x"],
];

test.each(EXAMPLES)("%s reads its example, and is counted for it", (name, message) => {
  const format = { tools: ["code_interpreter", "view"], answer: "code", language: python } as const;
  const [read] = readReplies(typeof message === "string" ? { text: message } : message, format);
  expect(read?.reply.kind).not.toBe("malformed");
  expect(read?.dialect).toBe(name);
});

test("a program without a call is the answer that native calls ask for", () => {
  const format = { tools: ["code_interpreter"], answer: "code", language: python, isNative: true } as const;
  const [read] = readReplies({ text: "It is this.\n```python\ndef f(x):\n    return x\n```" }, format);
  expect(read).toMatchObject({ reply: { kind: "answer" }, dialect: "native" });
});

test("what none reads has no dialect", () => {
  const format = { tools: ["code_interpreter"], answer: "code", language: python } as const;
  expect(readReplies({ text: "Thought: the function is wrong." }, format)[0]).not.toHaveProperty("dialect");
});
