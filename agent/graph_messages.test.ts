import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { messagesStateReducer } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { withMessages } from "./graph.ts";

const said = (id: string, content = id) => new HumanMessage({ id, content });
const before = () => [said("a"), new AIMessage({ id: "b", content: "b" }), said("c")];

test.each([
  ["new messages", [said("d"), said("e")]],
  ["one that is no list", said("d")],
  ["a message once more, changed", [said("d"), said("b", "changed")]],
  ["two of one id", [said("d"), said("d", "later")]],
  ["one that is taken off", [new RemoveMessage({ id: "b" }), said("d")]],
  ["all that are taken off", [said("d"), new RemoveMessage({ id: "__remove_all__" }), said("e")]],
  ["data in place of a message", [{ role: "user", content: "d", id: "d" }]],
  ["none", []],
])("messages are added as LangGraph adds them: %s", (_, more) => {
  const shown = (messages: ReturnType<typeof withMessages>) => messages.map(({ id, type, text }) => [id, type, text]);
  expect(shown(withMessages(before(), more))).toEqual(shown(messagesStateReducer(before(), more)));
});

test("a message without an id gets one", () => {
  expect(withMessages(before(), [new HumanMessage("d")]).at(-1)?.id).toMatch(/./);
  expect(withMessages([new HumanMessage("a")], [said("d")])[0]?.id).toMatch(/./);
});

test("a message that is added to 1,000 takes a fraction of the CPU that LangGraph takes", () => {
  const many = Array.from({ length: 1000 }, (_, i) => said(`${i}`));
  const cpu = (add: typeof withMessages) => {
    const since = process.cpuUsage();
    for (let i = 0; i < 50; i += 1) add(many, [said("new")]);
    const { user, system } = process.cpuUsage(since);
    return user + system;
  };
  const ratios = Array.from({ length: 3 }, () => cpu(withMessages) / cpu(messagesStateReducer));
  expect(Math.min(...ratios)).toBeLessThan(0.5);
});
