import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openForTests } from "../utils/sandbox/testing/open.ts";
import type { VisibleTask } from "../utils/task/task.ts";
import { ADD_TASK, answerToAdd } from "../utils/testing/add_task.ts";
import { DEEP } from "../utils/testing/repeats.ts";
import { parseRules, ScriptedChat } from "./models/script.ts";
import { prepareExamples } from "./prompts.ts";
import { type RepairOptions, repair } from "./repair.ts";
import { defineTool, type Tool } from "./tools/tool.ts";

const task = { ...ADD_TASK, exampleTest: "def check(add):\n    assert add(2, 3) == 5\ncheck(add)\n" };
const WRONG = answerToAdd("a * b", "times?");
const RIGHT = answerToAdd("a + b", "plus.");
const RUN = 'Thought: look.\nAction: code_interpreter\nAction Input: {"code": "print(6 * 7)"}';

const sandbox = await openForTests();

/** Gives its replies in turn, ignores stop sequences as some servers do, and keeps what it was sent last. */
class ListedReplies extends SimpleChatModel {
  seen: BaseMessage[] = [];
  readonly #replies: Iterator<string>;

  constructor(replies: string[]) {
    super({});
    this.#replies = replies.values();
  }

  override _llmType() {
    return "listed";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    this.seen = messages;
    return this.#replies.next().value ?? "";
  }
}

type Rule = Record<string, unknown>;
const scripted = (...rules: Rule[]) => ({
  name: "script:test",
  chat: new ScriptedChat("script:test", parseRules(JSON.stringify(rules), "test")),
});
const attempt = (rules: Rule[], options: Partial<RepairOptions> = {}, of: VisibleTask = task) =>
  repair(of, { model: scripted(...rules), sandbox, maxIterations: 4, timeoutMs: 30_000, ...options });

test("the first Observation costs no model call and shows the failing assertion", async () => {
  const { steps, iterations } = await attempt([{ when: "assert add(2, 3) == 5", reply: RIGHT }]);
  expect(steps[0]).toMatchObject({ iteration: 0, usage: null, observation: { status: "exit code 1" } });
  expect(steps[0]?.observation.output).toContain("AssertionError");
  expect(iterations).toBe(1);
});

test("a failing Final Answer comes back as an Observation with what was returned, and the next one is accepted", async () => {
  const { stop, answer, verified, steps } = await attempt([
    { when: /assert add\(2, 3\) == 5.*returned 6/s.toString(), reply: RIGHT },
    { reply: WRONG },
  ]);
  expect(stop).toBe("answered");
  expect(verified).toBe(true);
  expect(answer).toBe("def add(a, b):\n    return a + b\n");
  expect(steps.map(({ verification }) => verification?.accepted)).toEqual([undefined, false, true]);
});

test("without tools the model gets the task alone, and what it replies is its answer", async () => {
  const chat = new ListedReplies(["It subtracts.\n```python\ndef add(a, b):\n    return a + b\n```"]);
  const only = { model: { name: "list", chat }, tools: null, maxIterations: 1 };
  const { stop, verified, steps } = await attempt([{ reply: "" }], only);
  expect({ stop, verified, dialects: steps.map(({ dialect }) => dialect) }).toEqual({
    ...{ stop: "answered", verified: true, dialects: ["native"] },
  });
  expect(chat.seen.map(({ type }) => type)).toEqual(["system", "human"]);
  expect(chat.seen[0]?.text).toContain("You have one reply and no tools.");
  expect(chat.seen[0]?.text).not.toMatch(/try again|code_interpreter/);
});

test("an answer that forges success is not accepted", async () => {
  const forged = "Final Answer:\n```python\nimport os\ndef add(a, b):\n    print('PASSED')\n    os._exit(0)\n```";
  const { stop, verified } = await attempt([{ reply: forged }], { maxIterations: 1 });
  expect({ stop, verified }).toEqual({ stop: "max_iterations", verified: false });
});

test("a program whose tests are blank is given to the model: there is none that it passes", async () => {
  const right = { ...task, buggyCode: "    return a + b\n\n", exampleTest: " \n" };
  const ended = { stop: "answered", iterations: 1 };
  expect(await attempt([{ reply: answerToAdd("b + a") }], {}, right)).toMatchObject(ended);
});

describe("without visible tests", () => {
  const untested = { ...task, exampleTest: "" };
  test("a program that loads and defines the function is accepted", async () => {
    const { stop, answer, verified, steps } = await attempt([{ reply: WRONG }], {}, untested);
    expect({ stop, answer }).toEqual({ stop: "answered", answer: "def add(a, b):\n    return a * b\n" });
    expect(verified, "no test has said that it is right").toBe(false);
    expect(steps[0]?.reply, "it does not mention tests").toMatchObject({ thought: "I run the program first." });
    expect(steps.at(-1)?.observation.status).toBe("it loads, and no visible test says whether it is right");
  });
  test("one that does not load goes back to the model", async () => {
    const broken = "Final Answer:\n```python\ndef add(a, b):\n    return a +\n```";
    const { steps } = await attempt(
      [
        { turn: 1, reply: broken },
        { when: "does not load", reply: RIGHT },
      ],
      {},
      untested,
    );
    expect(steps.map(({ verification }) => verification?.accepted)).toEqual([undefined, false, true]);
  });
  test("nor is a program verified that was only run", async () => {
    const ran = `Action: code_interpreter\nAction Input: ${JSON.stringify({ code: "def add(a, b):\n    return a * b" })}`;
    const { answer, verified } = await attempt([{ reply: ran }], { maxIterations: 2 }, untested);
    expect(answer).toContain("return a * b");
    expect(verified).toBe(false);
  });
});

describe("limits", () => {
  test("iterations: a program that was run and passes comes before a later answer that fails", async () => {
    const code = "def add(a, b):\n    return a + b\n\nprint(add(2, 3))\n";
    const run = `Thought: try.\nAction: code_interpreter\nAction Input: ${JSON.stringify({ code })}`;
    const { stop, answer, verified } = await attempt([{ when: /^5$/m.toString(), reply: WRONG }, { reply: run }], {
      maxIterations: 2,
    });
    expect([stop, verified]).toEqual(["max_iterations", true]);
    expect(answer).toContain("return a + b");
  });

  test("iterations: the last candidate that loads is the answer", async () => {
    const broken = "Final Answer:\n```python\ndef add(a, b:\n```";
    const { stop, answer, verified, iterations } = await attempt([
      { turn: 1, reply: WRONG },
      { turn: 2, reply: broken },
      { reply: RUN },
    ]);
    expect({ stop, verified, iterations }).toEqual({ stop: "max_iterations", verified: false, iterations: 4 });
    expect(answer).toBe("def add(a, b):\n    return a * b\n");
  });

  test("iterations: a program that was only run counts too, and is verified", async () => {
    const ran = `Action: code_interpreter\nAction Input: ${JSON.stringify({ code: "def add(a, b):\n    return a + b\nprint(add(1, 1))" })}`;
    const { stop, answer, verified } = await attempt([{ reply: ran }], { maxIterations: 2 });
    expect({ stop, verified }).toEqual({ stop: "max_iterations", verified: true });
    expect(answer).toContain("return a + b");
  });

  test("nothing that loads: no answer", async () => {
    const { stop, answer } = await attempt([{ reply: RUN }], { maxIterations: 2 });
    expect({ stop, answer }).toEqual({ stop: "max_iterations", answer: null });
  });

  test("consecutive malformed replies; a readable one in between starts the count again", async () => {
    const rules = [{ turn: 3, reply: RUN }, { reply: "I am not sure." }];
    const { stop, iterations, steps, messages } = await attempt(rules, { maxIterations: 12 });
    expect({ stop, iterations }).toEqual({ stop: "malformed", iterations: 6 });
    expect(steps.filter(({ reply }) => reply.kind === "malformed")).toHaveLength(5);
    expect(messages.filter(({ content }) => content.includes("could not be read"))).toHaveLength(5);
  });

  test("time: a model that does not reply is given up, which is an error: nothing is known about its ability", async () => {
    const { stop, error } = await attempt([{ reply: RUN, delayMs: 2 ** 31 - 1 }], { timeoutMs: 300 });
    expect({ stop, error }).toMatchObject({ stop: "error", error: { kind: "timeout", fatal: false } });
  });

  test(
    "time: programs do not use it up, however long a busy machine takes; they end at their own limit",
    DEEP,
    async () => {
      const loop = 'Action: code_interpreter\nAction Input: {"code": "while True: pass", "timeout": 2}';
      const { stop, steps, seconds } = await attempt([{ reply: loop }], { timeoutMs: 1500, maxIterations: 1 });
      expect(seconds).toBeGreaterThan(1.5);
      expect({ stop, status: steps.at(-1)?.observation.status }).toEqual({ stop: "max_iterations", status: "timeout" });
    },
  );

  test("tokens, as far as they are counted", async () => {
    const usage = { input_tokens: 400, output_tokens: 100 };
    const {
      stop,
      iterations,
      usage: total,
    } = await attempt([{ reply: RUN, usage }], { maxTokens: 900, maxIterations: 9 });
    expect({ stop, iterations }).toEqual({ stop: "budget", iterations: 2 });
    expect(total).toMatchObject({ inputTokens: 800, outputTokens: 200, modelCalls: 2, toolCalls: 3 });
  });

  test("the caller's signal", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const { stop } = await attempt([{ reply: RUN, delayMs: 20_000 }], { signal: controller.signal });
    expect(stop).toBe("aborted");
  });

  test("a run that ends while a tool works keeps the tokens of its last call", async () => {
    const ended = new AbortController();
    const wait: Tool["run"] = (_, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        ended.abort();
      });
    const tool = defineTool({ name: "wait", description: "", input: z.looseObject({}), run: wait });
    const reply = "Action: wait\nAction Input: {}";
    const rule = { reply, usage: { input_tokens: 400, output_tokens: 100 } };
    const { stop, steps, usage } = await attempt([rule], { signal: ended.signal, moreTools: [tool] });
    expect([stop, steps.at(-1)?.observation.status]).toEqual(["aborted", "stopped before it ended"]);
    expect(usage).toMatchObject({ inputTokens: 400, outputTokens: 100, modelCalls: 1 });
  });

  test("the caller's signal, before a tool begins that does not heed it", async () => {
    const observation = { status: "it passes the tests", output: "", durationMs: 0 };
    const tool = () =>
      defineTool({ name: "run_tests", description: "", input: z.looseObject({}), run: async () => observation });
    const verify = async (answer: string) => ({ accepted: true, result: answer, observation });
    const signal = AbortSignal.abort();
    const { stop, steps } = await attempt([{ reply: RIGHT }], { signal, ownTests: { verify, tool } });
    expect({ stop, steps }).toEqual({ stop: "aborted", steps: [] });
  });
});

test("a failing model is an error with its sentence, and what was done before is kept", async () => {
  const { stop, error, answer, steps } = await attempt([
    { turn: 1, reply: RUN },
    { error: { kind: "rate_limit", message: "Too many requests." } },
  ]);
  expect(stop).toBe("error");
  expect(error).toMatchObject({ kind: "rate_limit", message: "Too many requests.", fatal: false });
  expect(answer).toBeNull();
  expect(steps).toHaveLength(2);
});

test.each([
  ["a diff", "```diff\n def add(a, b):\n-    return a - b\n+    return a + b\n```"],
  [
    "a diff with headers",
    "--- a/p.py\n+++ b/p.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b",
  ],
  ["a block", "```python\n<<<<<<< SEARCH\n    return a - b\n=======\n    return a + b\n>>>>>>> REPLACE\n```"],
])("an answer that is %s is applied, labelled or not", async (_name, edits) => {
  for (const reply of [`Thought: plus.\nFinal Answer:\n${edits}`, `Here it is:\n${edits}`]) {
    const { stop, answer, iterations } = await attempt([{ reply }]);
    expect({ stop, answer, iterations }).toEqual({
      stop: "answered",
      answer: "def add(a, b):\n    return a + b\n",
      iterations: 1,
    });
  }
});

test.each([
  ["prose", "Replace the minus in the last line."],
  ["edits that do not fit", "```diff\n-    return b - a\n+    return a + b\n```"],
  ["another function", "```python\ndef plus(a, b):\n    return a + b\n```"],
])("an answer that is %s gets a sentence that says what to send", async (_name, text) => {
  const rules = [
    { turn: 1, reply: `Final Answer: ${text}` },
    { when: WHOLE, reply: RIGHT },
  ];
  expect(await attempt(rules)).toMatchObject({ stop: "answered", iterations: 2 });
});

const WHOLE = /send .*the whole corrected function.* in a ```python fence\.$/.toString();

test("an answer in two fences, a helper and the function, is one program", async () => {
  const fence = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
  const helper = fence("def plus(x, y):\n    return x + y");
  const reply = `Final Answer: a helper\n${helper}\nand\n${fence("def add(a, b):\n    return plus(a, b)")}`;
  expect(await attempt([{ reply }])).toMatchObject({ stop: "answered", iterations: 1 });
});

test("all actions of a reply in text are carried out, and the same one once, and an answer after them is checked", async () => {
  const act = (code: string) => `Action: code_interpreter\nAction Input: ${JSON.stringify({ code })}`;
  const both = `Thought: look.\n${act("print(6 * 7)")}\n\nThought: and on.\n${act("print(7 * 8)")}\n${act("print(6 * 7)")}`;
  const chat = new ListedReplies([`${both}\n\n${WRONG}`, RIGHT]);
  const { stop, steps, messages } = await repair(task, {
    model: { name: "listed", chat },
    sandbox,
    maxIterations: 4,
    timeoutMs: 30_000,
  });
  expect([stop, steps.map(({ iteration, observation }) => [iteration, observation.output])]).toEqual([
    "answered",
    [
      [0, expect.stringContaining("AssertionError")],
      [1, "42"],
      [1, "56"],
      [1, expect.stringContaining("add(2, 3) returned 6")],
      [2, "1 assertion holds."],
    ],
  ]);
  expect(steps.map(({ reply }) => reply.thought).slice(1)).toEqual(["look.", "and on.", "times?", "plus."]);
  // One message, as many chat templates refuse two of the user in a row.
  expect(chat.seen.at(-1)?.text).toMatch(
    /^Observation: exit code 0\n42\n\nObservation: exit code 0\n56\n\nObservation: the final answer is not accepted/,
  );
  expect(messages.map(({ role }) => role).join(" ")).toBe("system user assistant user assistant user assistant");
});

test("an invented observation is neither believed nor remembered", async () => {
  const invented = `${RUN}\nObservation: 41\nFinal Answer:\n\`\`\`python\ndef add(a, b):\n    return 41\n\`\`\``;
  const model = { name: "list", chat: new ListedReplies([invented, RIGHT]) };
  const { steps, messages, verified } = await attempt([{ reply: "" }], { model });
  expect(steps.map(({ reply }) => reply.kind)).toEqual(["act", "act", "answer"]);
  expect(messages.some(({ content }) => content.includes("41"))).toBe(false);
  expect(verified).toBe(true);
});

test("examples stand before the task, with a real first Observation and the right program", async () => {
  const example = { ...task, id: "E/0", canonicalCode: "    return a + b\n" };
  const examples = await prepareExamples([example], sandbox);
  const chat = new ListedReplies([RIGHT]);
  await attempt([{ reply: "" }], { model: { name: "list", chat }, examples });
  expect(chat.seen.map(({ type }) => type)).toEqual(["system", "human", "ai", "human", "ai", "human", "ai", "human"]);
  expect(chat.seen[3]?.text).toMatch(/^Observation: .*AssertionError/s);
  expect(chat.seen[4]?.text).toMatch(/^Thought: .*\nFinal Answer:\n```python\n.*return a \+ b\n```$/s);
});
