import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { DEEP } from "../../utils/testing/repeats.ts";
import { withinContext } from "./context.ts";
import { textWithCalls } from "./message.ts";

const TURN_LINES = 40;

/** A conversation of so many turns, each with an observation of about a thousand bytes. */
function conversation(turns: number, isNative: boolean): BaseMessage[] {
  const all: BaseMessage[] = [new SystemMessage("s"), new HumanMessage(`task\n${"t\n".repeat(300)}`)];
  for (let turn = 1; turn <= turns; turn += 1) {
    const output = `ok ${turn}\n${"0123456789 0123456789 1\n".repeat(TURN_LINES)}`;
    const tool_call_id = `c${turn}`;
    const calls = [{ type: "tool_call" as const, id: tool_call_id, name: "view", args: { turn } }];
    all.push(isNative ? new AIMessage({ content: "", tool_calls: calls }) : new AIMessage(`Action: view ${turn}`));
    all.push(isNative ? new ToolMessage({ content: output, tool_call_id }) : new HumanMessage(output));
  }
  return all;
}

const sentAs = (messages: readonly BaseMessage[]) =>
  messages.map((message) => `${message.type} ${textWithCalls(message)}`);

test.each([true, false])(
  "old observations go in blocks, and requests between begin with the one before, native: %j",
  DEEP,
  (isNative) => {
    const context = 8000;
    let breaks = 0;
    let before: string[] = [];
    for (let turns = 1; turns <= 120; turns += 1) {
      const messages = conversation(turns, isNative);
      const sent = sentAs(withinContext(messages, context));
      expect(sent).toHaveLength(messages.length);
      expect(Buffer.byteLength(sent.join("\n"))).toBeLessThan(context * 3);
      // The task and the last observation are always there.
      expect([sent[1], sent.at(-1)]).toEqual([sentAs(messages)[1], sentAs(messages).at(-1)]);
      if (before.some((text, at) => sent[at] !== text)) breaks += 1;
      before = sent;
    }
    expect(breaks).toBeGreaterThan(0);
    expect(breaks).toBeLessThan(16);
    expect(before).toContain(`${isNative ? "tool" : "human"} ok 1\n(${TURN_LINES + 1} lines, no longer shown)`);
  },
);

test("what fits stays as it is", () => {
  const messages = conversation(20, true);
  expect(withinContext(messages, 32_768)).toEqual(messages);
});
