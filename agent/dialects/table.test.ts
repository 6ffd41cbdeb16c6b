import { expect, test } from "vitest";
import { readReply } from "../react.ts";
import { CONTENTS } from "./contents.ts";
import { PLACES } from "./table.ts";

const examples = [
  ...CONTENTS.flatMap((row) => Object.entries(row.examples).map(([name, text]) => ({ name, message: { text } }))),
  ...PLACES.flatMap((row) => Object.entries(row.examples).map(([name, message]) => ({ name, message }))),
];

test.each(examples)("$name reads its example, and is counted for it", ({ name, message }) => {
  const { reply, dialect } = readReply(message, { tools: ["code_interpreter", "view"], answer: "code" });
  expect(reply.kind).not.toBe("malformed");
  expect(dialect).toBe(name);
});

test("the format itself is read by none of them, and what none reads has no name", () => {
  const format = { tools: ["code_interpreter"], answer: "code" } as const;
  const action = 'Thought: go\nAction: code_interpreter\nAction Input: {"code": "print(1)"}';
  expect(readReply({ text: action }, format).dialect).toBe("strict");
  expect(readReply({ text: "Thought: the function is wrong." }, format)).not.toHaveProperty("dialect");
});
