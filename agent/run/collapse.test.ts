import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { collapseOld } from "./collapse.ts";

test("old observations keep their first line; the task, the replies and the last observations stay whole", () => {
  const observation = (n: number) => new HumanMessage(`Observation: ok ${n}\nline\nline`);
  const messages = [
    new SystemMessage("s"),
    new HumanMessage("task\nin\nlines"),
    new AIMessage("a\nb"),
    observation(1),
    new AIMessage("c"),
    observation(2),
    new AIMessage("d"),
    observation(3),
  ];
  expect(collapseOld(messages, 2).map(({ text }) => text)).toEqual([
    "s",
    "task\nin\nlines",
    "a\nb",
    "Observation: ok 1\n(2 lines, no longer shown)",
    "c",
    "Observation: ok 2\nline\nline",
    "d",
    "Observation: ok 3\nline\nline",
  ]);
});

test("what was shortened stays the same message", () => {
  const messages = Array.from({ length: 4 }, (_, n) => new HumanMessage(`Observation: ${n}\nline`));
  expect(collapseOld(messages, 1)[2]).toBe(collapseOld(messages, 0)[2]);
});
