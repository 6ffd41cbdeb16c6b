import { join } from "node:path";
import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { temporaryFolder } from "../../utils/testing/command.ts";
import { usageOfMessage } from "../run/usage.ts";
import { createScriptModel, parseRules, ScriptedChat } from "./script.ts";
import { failureOf } from "./testing/calls.ts";

const scripted = (...rules: unknown[]) =>
  new ScriptedChat("script:test", parseRules(JSON.stringify(rules), "test.json"));

test("the first rule that fits answers, by the last message", async () => {
  const chat = scripted({ when: "/^add\\b/i", reply: "A" }, { when: "add", reply: "B" }, { reply: "C" });
  expect((await chat.invoke("Add this")).text).toBe("A");
  expect((await chat.invoke("please add")).text).toBe("B");
  expect((await chat.invoke([new HumanMessage("add"), new HumanMessage("stop")])).text).toBe("C");
});

test("a rule may look at the whole conversation", async () => {
  const chat = scripted({ seen: "below_zero", when: "failed", reply: "A" }, { reply: "B" });
  expect((await chat.invoke([new SystemMessage("repair below_zero"), new HumanMessage("it failed")])).text).toBe("A");
  expect((await chat.invoke([new SystemMessage("repair other"), new HumanMessage("it failed")])).text).toBe("B");
});

test("turns count the script's own replies, not examples shown to it", async () => {
  const chat = scripted({ turn: 1, reply: "first" }, { turn: 2, reply: "second" }, { reply: "later" });
  const messages = [new HumanMessage("x"), new AIMessage("an example"), new HumanMessage("y")];
  const texts: string[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const reply = await chat.invoke(messages);
    texts.push(reply.text);
    messages.push(reply, new HumanMessage("go on"));
  }
  expect(texts).toEqual(["first", "second", "later"]);
});

test("named groups go into the reply; other dollars stay", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the script's own placeholders
  const reply = "got ${got} for ${name}, ${other} $1 $& ${constructor}";
  const chat = scripted({ when: "/got (?<got>\\S+)/", seen: "/def (?<name>\\w+)/", reply });
  const said = await chat.invoke([new HumanMessage("def area(): ..."), new HumanMessage("got $&-3")]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the script's own placeholders
  expect(said.text).toBe("got $&-3 for area, ${other} $1 $& ${constructor}");
});

test("the seed of a call chooses among several replies", async () => {
  const model = scripted({ replies: ["a", "b", "c"] });
  const said = await Promise.all([0, 1, 5, 1].map((seed) => model.invoke([new HumanMessage("x")], { seed })));
  expect(said.map(({ text }) => text)).toEqual(["a", "b", "c", "b"]);
});

test("expressions keep no memory between calls", async () => {
  const chat = scripted({ when: "/x/gy", reply: "found" });
  for (let call = 0; call < 3; call += 1) expect((await chat.invoke("xx")).text).toBe("found");
});

test("stop sequences cut the reply at the first of them", async () => {
  const chat = scripted({ reply: "Action: run\nObservation: made up\nEnd" });
  const reply = await chat.invoke("x", { stop: ["End", "\nObservation:"] });
  expect(reply.text).toBe("Action: run");
});

test("usage is what the rule says, else unknown", async () => {
  const usage = { input_tokens: 100, output_tokens: 7, cached_tokens: 64 };
  const chat = scripted({ when: "count", reply: "x", usage }, { reply: "y" });
  const counted = { inputTokens: 100, cachedInputTokens: 64, outputTokens: 7 };
  expect(usageOfMessage(await chat.invoke("count"))).toMatchObject(counted);
  expect(usageOfMessage(await chat.invoke("not"))).toMatchObject({ inputTokens: null, outputTokens: null });
});

test("native tool calls and streaming work", async () => {
  const chat = scripted({ tool_calls: [{ name: "code_interpreter", args: { code: "1" } }] });
  expect((await chat.invoke("x")).tool_calls).toMatchObject([{ name: "code_interpreter", args: { code: "1" } }]);
  let text = "";
  for await (const part of await scripted({ reply: "whole" }).stream("x")) text += part.text;
  expect(text).toBe("whole");
});

test("an error rule fails as a real model would", async () => {
  const chat = scripted(
    { when: "key", error: { kind: "auth", message: "No.", fatal: true } },
    { error: { kind: "server" } },
  );
  expect(await failureOf(chat.invoke("key"))).toEqual({ kind: "auth", message: "No.", fatal: true });
  expect(await failureOf(chat.invoke("x"))).toMatchObject({ kind: "server", fatal: false });
});

test("where no rule fits the error shows what was sent", async () => {
  const failure = await failureOf(scripted({ when: "a", reply: "b" }).invoke("something else"));
  expect(failure).toMatchObject({ kind: "unknown", fatal: false });
  expect(failure.message).toMatch(/No rule of script:test fits turn 1.*"something else"/);
});

test("an abort ends a delay at once", async () => {
  const stop = new AbortController();
  const call = failureOf(
    scripted({ reply: "late", delayMs: 50_000 }).invoke("x", { signal: stop.signal }),
    stop.signal,
  );
  setTimeout(() => stop.abort(), 10);
  expect((await call).kind).toBe("aborted");
});

test("a script is a JSON array or JSON lines", async () => {
  using folder = temporaryFolder({
    "a.jsonl": '{"when": "a", "reply": "A"}\n\n{"reply": "B"}\n',
    "b.json": '\n[{"when": "a", "reply": "A"},\n {"reply": "B"}]',
  });
  for (const name of ["a.jsonl", "b.json"]) {
    const path = join(folder.path, name);
    const model = await createScriptModel(path);
    expect(model).toMatchObject({ spec: `script:${path}`, deterministic: true });
    expect((await model.chat.invoke("a")).text).toBe("A");
    expect((await model.chat.invoke("b")).text).toBe("B");
  }
});

test.each([
  ["", /test.jsonl holds no rules/],
  ["[]", /test.jsonl holds no rules/],
  ['{"reply": "a"}\n{"reply": ', /test.jsonl, line 2: .*JSON/],
  ['{"reply": "a"}\n{"reply": 3}', /test.jsonl, line 2: field "reply" is wrong: .*text/],
  ['[{"reply": "a"}, {"when": "b"}]', /test.jsonl, rule 2: needs one of reply, replies, tool_calls, error/],
  ['{"when": "/(/", "reply": "a"}', /test.jsonl, line 1: field "when" is wrong: Invalid regular expression/],
  ['{"wen": "a", "reply": "a"}', /test.jsonl, line 1: .*wen/],
  ['{"error": {"kind": "odd"}}', /test.jsonl, line 1: field "error.kind" is wrong/],
])("a script that cannot be used says where and why: %s", (text, message) => {
  expect(() => parseRules(text, "test.jsonl")).toThrow(UserError);
  expect(() => parseRules(text, "test.jsonl")).toThrow(message);
});

test("a script that is not there is named", async () => {
  await expect(createScriptModel("/no/such.jsonl")).rejects.toThrow(
    "The script cannot be read: /no/such.jsonl: there is no such file.",
  );
});
