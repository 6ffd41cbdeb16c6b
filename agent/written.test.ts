/** What a long conversation is sent as: the bytes of all its messages, of which each turn writes its own. */

import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { Written } from "./written.ts";

/** Messages as text; one of a model that begins with "call" goes with the next. */
function conversation(messages: readonly BaseMessage[]) {
  const written: string[] = [];
  const nextAt = (at: number) => (messages[at]?.type === "ai" ? messages[at + 1] : undefined);
  const partAt = (at: number) =>
    messages.slice(at, nextAt(at) && messages[at]?.text.startsWith("call") ? at + 2 : at + 1);
  const write = (sent: readonly BaseMessage[]) => {
    const json = sent.map(({ text }) => JSON.stringify(text)).join("+");
    written.push(json);
    return json;
  };
  return { written, said: { messages, nextAt, partAt, write } };
}

const textOf = ({ bytes }: Written) => Buffer.from(bytes).toString();
const anew = (messages: readonly BaseMessage[]) => textOf(new Written().with(conversation(messages).said));

const [system, task] = [new SystemMessage("s"), new HumanMessage("tâche 🐍")];
const turn = (n: number) => [new AIMessage(`call ${n}`), new HumanMessage(`seen ${n}`)];

test("each turn writes what is new alone, into the same bytes", () => {
  const messages: BaseMessage[] = [system, task];
  let all = new Written().with(conversation(messages).said);
  const moved = new Set<ArrayBufferLike>();
  for (let n = 0; n < 400; n += 1) {
    messages.push(...turn(n));
    const { said, written } = conversation([...messages]);
    all = all.with(said);
    expect(written).toEqual([`"call ${n}"+"seen ${n}"`]);
    moved.add(all.bytes.buffer);
  }
  expect(textOf(all)).toBe(anew(messages));
  expect(moved.size).toBeLessThan(25);
});

test.each<[string, (messages: BaseMessage[]) => BaseMessage[]]>([
  ["an old message is shown otherwise", (messages) => messages.with(3, new HumanMessage("shorter"))],
  ["it goes back", (messages) => messages.slice(0, 4)],
  ["it goes back to a call alone", (messages) => messages.slice(0, 3)],
  ["another reply", (messages) => [...messages.slice(0, 4), new AIMessage("no"), new HumanMessage("x")]],
  ["another result", (messages) => messages.with(-1, new HumanMessage("y"))],
  ["nothing is as before", () => [new HumanMessage("z")]],
])(
  "where it does not go on as before, it is what it would be written anew, and what was sent stays: %s",
  (_, change) => {
    const messages = [system, task, ...turn(1), ...turn(2)];
    const before = new Written().with(conversation(messages).said);
    const { bytes } = before;
    const changed = change(messages);
    const after = before.with(conversation(changed).said);
    expect(textOf(after)).toBe(anew(changed));
    expect(Buffer.from(bytes).toString()).toBe(anew(messages));
  },
);

test("a call that was sent alone is written with its result once that is there", () => {
  const messages = [system, task, ...turn(1)];
  const alone = new Written().with(conversation(messages.slice(0, 3)).said);
  expect(textOf(alone)).toBe('"s","tâche 🐍","call 1"');
  expect(textOf(alone.with(conversation(messages).said))).toBe('"s","tâche 🐍","call 1"+"seen 1"');
});
