import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, END, interrupt, MemorySaver, Send, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startFakeOpenAI } from "../agent/models/testing/fake_openai.ts";
import {
  createModel,
  createRepairGraph,
  createSandbox,
  createTask,
  defineTool,
  RepairInput,
  RepairOutput,
  RepairOutputs,
  type Sandbox,
  type Stop,
  type Tool,
} from "../index.ts";
import { VisibleTask } from "../utils/task/task.ts";
import { DEEP } from "../utils/testing/repeats.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ concurrency: 4 });
});
afterAll(() => sandbox.close());

/** What it replies depends on the whole conversation it is sent. */
class Told extends SimpleChatModel {
  readonly #reply: (text: string, messages: BaseMessage[]) => string;

  constructor(reply: (text: string, messages: BaseMessage[]) => string) {
    super({});
    this.#reply = reply;
  }

  override _llmType() {
    return "told";
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    return this.#reply(messages.map(({ text }) => text).join("\n"), messages);
  }
}

const add = createTask({
  code: "def add(a, b):\n    return a - b\n",
  entryPoint: "add",
  tests: "assert add(2, 3) == 5",
});
const half = createTask({ code: "def half(x):\n    return x * 2\n", entryPoint: "half", tests: "assert half(4) == 2" });
const answer = (code: string) => `Thought: so.\nFinal Answer:\n\`\`\`python\n${code}\n\`\`\``;
const act = (tool: string, input: object) => `Thought: look.\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`;
const RIGHT = { add: answer("def add(a, b):\n    return a + b"), half: answer("def half(x):\n    return x // 2") };
/** Repairs whichever task came last. */
const knowing = () =>
  new Told((text) => (text.lastIndexOf("def half") > text.lastIndexOf("def add") ? RIGHT.half : RIGHT.add));
const thread = (id: string) => ({ configurable: { thread_id: id } });

test("a task goes in and an answer comes out; one graph serves several tasks at a time", async () => {
  const graph = createRepairGraph({ model: knowing(), sandbox });
  const [added, halved] = await Promise.all([graph.invoke({ task: add }), graph.invoke({ task: half })]);
  const ending = {
    taskId: "add",
    answer: "def add(a, b):\n    return a + b\n",
    verified: true,
    stop: "answered",
    error: null,
    reason: null,
    usage: expect.objectContaining({ modelCalls: 1, toolCalls: 1, seconds: expect.toSatisfy((n) => n > 0) }),
  };
  expect(added).toEqual({ ...ending, repairs: [ending] });
  expect(halved).toMatchObject({ answer: expect.stringContaining("x // 2"), verified: true, stop: "answered" });
});

test("what passes its tests is returned unchanged, and the model is not asked, unless the caller wants it", async () => {
  const code = "import math\n\n\ndef half(x):\n    return x // 2\n\n\n# the end\n";
  const task = createTask({ code, entryPoint: "half", tests: "assert half(4) == 2" });
  const model = new Told(() => answer("def half(x):\n    x += 1\n    return (x - 1) // 2"));
  const graph = createRepairGraph({ model, sandbox });
  expect(await graph.invoke({ task })).toMatchObject({ answer: code, verified: true, stop: "nothing_to_repair" });
  const eager = createRepairGraph({ model, sandbox, repairPassing: true });
  expect(await eager.invoke({ task })).toMatchObject({ answer: expect.stringContaining("x += 1"), stop: "answered" });
});

test("a bigger graph hands over a task, gets the answer and sees the turns", async () => {
  const State = new StateSchema({ ...RepairInput.fields, ...RepairOutput.fields, report: z.string().default("") });
  const program = new StateGraph(State)
    .addNode("repair", createRepairGraph({ model: knowing(), sandbox }))
    .addNode("tell", ({ answer, verified }) => ({ report: `${verified}: ${answer}` }))
    .addEdge(START, "repair")
    .addEdge("repair", "tell")
    .addEdge("tell", END)
    .compile();
  const turns: string[] = [];
  let report = "";
  for await (const [path, mode, chunk] of await program.stream(
    { task: add },
    { streamMode: ["custom", "values"], subgraphs: true },
  )) {
    if (mode === "custom") turns.push(chunk.observation.status);
    else if (path.length === 0) report = chunk.report;
  }
  expect(turns).toEqual(["exit code 1", "it passes the visible tests"]);
  expect(report).toBe("true: def add(a, b):\n    return a + b\n");
});

test("twenty turns need no limit set by hand: alone, with a config, in a bigger graph", DEEP, async () => {
  const model = new Told((text) => act("code_interpreter", { code: `print(${text.length})` }));
  const graph = createRepairGraph({ model, sandbox, limits: { maxIterations: 20 } });
  const tagged = graph.withConfig({ tags: ["a"] }).withConfig({ metadata: { b: 1 } });
  for (const one of [graph, tagged])
    expect(await one.invoke({ task: add })).toMatchObject({ verified: false, stop: "max_iterations" });
  const stops: (Stop | null)[] = [];
  for await (const { stop } of await tagged.stream({ task: add }, { streamMode: "values" })) stops.push(stop);
  expect(stops.at(-1)).toBe("max_iterations");
  const parent = new StateGraph(new StateSchema({ ...RepairInput.fields, ...RepairOutput.fields }))
    .addNode("repair", graph)
    .addEdge(START, "repair")
    .compile();
  expect(await parent.invoke({ task: add })).toMatchObject({ stop: "max_iterations" });
});

test("several tasks sent at once: each result and each step says which task it is of", async () => {
  const State = new StateSchema({ ...RepairOutputs.fields, tasks: z.array(VisibleTask) });
  const program = new StateGraph(State)
    .addNode("repair", createRepairGraph({ model: knowing(), sandbox }))
    .addConditionalEdges(START, ({ tasks }) => tasks.map((task) => new Send("repair", { task })), ["repair"])
    .addEdge("repair", END)
    .compile();
  const turns: string[] = [];
  let repairs: { taskId: string | null; verified: boolean; usage: { modelCalls: number } | null }[] = [];
  const streamMode = ["custom", "values"] as const;
  for await (const [path, mode, chunk] of await program.stream(
    { tasks: [add, half] },
    { streamMode: [...streamMode], subgraphs: true },
  )) {
    if (mode === "custom") turns.push(`${chunk.taskId} ${chunk.usage?.modelCalls ?? 0} ${chunk.observation.status}`);
    else if (path.length === 0) repairs = chunk.repairs;
  }
  const passed = ["0 exit code 1", "1 it passes the visible tests"];
  expect(turns.sort()).toEqual(["add", "half"].flatMap((id) => passed.map((turn) => `${id} ${turn}`)));
  expect(repairs.map(({ taskId, verified, usage }) => [taskId, verified, usage?.modelCalls]).sort()).toEqual([
    ["add", true, 1],
    ["half", true, 1],
  ]);
});

test.each<[unknown, RegExp]>([
  [{}, /^The input has no task: hand over \{ task: createTask\(/],
  [{ task: null }, /^The input has no task/],
  [undefined, /^The input has no task/],
  [
    { task: { ...add, language: "cobol" } },
    /^The task was not made by createTask: field "language" is wrong: one of python, .* is needed\.$/,
  ],
])("an input without a task, %j, is refused in one sentence", async (input, sentence) => {
  const graph = createRepairGraph({ model: knowing(), sandbox });
  for (const run of [graph.invoke, graph.withConfig({ tags: ["a"] }).invoke])
    await expect(Reflect.apply(run, graph, [input])).rejects.toThrow(sentence);
});

test("a tool that returns a text, as those of LangChain do, is named", async () => {
  const tool = { name: "look", description: "looks", run: async () => "a text" };
  const model = new Told(() => act("look", {}));
  const options = { model, sandbox, tools: [tool] };
  const graph: ReturnType<typeof createRepairGraph> = Reflect.apply(createRepairGraph, undefined, [options]);
  const sentence = "The tool look returned no observation: it is a text, and an object is needed.";
  await expect(graph.invoke({ task: add })).rejects.toThrow(sentence);
});

test("a model of others that fails ends the run as its own stop, and says why by its status", async () => {
  const model = new Told(() => {
    throw Object.assign(new Error("slow down"), { status: 429 });
  });
  expect(await createRepairGraph({ model, sandbox }).invoke({ task: add })).toMatchObject({
    stop: "error",
    error: { kind: "rate_limit", message: "The model call failed: slow down.", fatal: false },
    answer: null,
  });
});

const lookAt = (run: Tool["run"]) => defineTool({ name: "look", description: "asks", input: z.looseObject({}), run });
const looking = () => new Told((text) => (text.includes("it says yes") ? RIGHT.add : act("look", {})));

test("config.signal ends the tool that runs", async () => {
  const stop = new AbortController();
  let heard = false;
  const tool = lookAt(async (_, signal) => {
    const ended = new Promise((done) => signal?.addEventListener("abort", done, { once: true }));
    stop.abort();
    await ended;
    heard = true;
    return { status: "ok", output: "too late", durationMs: 0 };
  });
  const graph = createRepairGraph({ model: looking(), sandbox, tools: [tool] });
  await expect(graph.invoke({ task: add }, { signal: stop.signal })).rejects.toThrow(/abort/i);
  expect(heard).toBe(true);
});

test("config.signal ends a program in the sandbox", async () => {
  const model = new Told(() => act("code_interpreter", { code: "import time\ntime.sleep(60)", timeout: 60 }));
  const stop = new AbortController();
  const jobs: ReturnType<Sandbox["run"]>[] = [];
  const run: Sandbox["run"] = (job) => {
    const ended = sandbox.run(job);
    jobs.push(ended);
    if (job.code?.includes("sleep")) stop.abort();
    return ended;
  };
  const watched = { run, judgeVisible: sandbox.judgeVisible.bind(sandbox) };
  const graph = createRepairGraph({ model, sandbox: watched });
  await expect(graph.invoke({ task: add }, { signal: stop.signal })).rejects.toThrow(/abort/i);
  // A program that sleeps to its end is fulfilled.
  expect((await Promise.allSettled(jobs)).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
});

test("an interrupt in a tool and one in the model wait for the human, and go on", async () => {
  const tool = lookAt(async () => ({ status: "ok", output: `it says ${interrupt("may I?")}`, durationMs: 0 }));
  const asking = createRepairGraph({ model: looking(), sandbox, tools: [tool], checkpointer: new MemorySaver() });
  const paused = await asking.invoke({ task: add }, thread("tool"));
  expect(paused).toMatchObject({ __interrupt__: [{ value: "may I?" }] });
  expect(await asking.invoke(new Command({ resume: "yes" }), thread("tool"))).toMatchObject({ verified: true });

  const model = new Told(() => String(interrupt("which answer?")));
  const told = createRepairGraph({ model, sandbox, checkpointer: new MemorySaver() });
  expect(await told.invoke({ task: add }, thread("model"))).toMatchObject({
    __interrupt__: [{ value: "which answer?" }],
  });
  expect(await told.invoke(new Command({ resume: RIGHT.add }), thread("model"))).toMatchObject({ stop: "answered" });
});

test("a run can wait before each action, and before each answer", async () => {
  const model = new Told((text) => (text.includes("42") ? RIGHT.add : act("code_interpreter", { code: "print(42)" })));
  const graph = createRepairGraph({ model, sandbox, checkpointer: new MemorySaver() });
  const config = { ...thread("before"), interruptBefore: ["tool" as const] };
  await graph.invoke({ task: add }, config);
  const seen: string[] = [];
  for (let state = await graph.getState(config); state.next.length > 0; state = await graph.getState(config)) {
    seen.push(state.values.pending?.[0]?.reply.kind ?? "opening");
    await graph.invoke(null, config);
  }
  expect(seen).toEqual(["opening", "act", "answer"]);
  expect((await graph.getState(config)).values).toMatchObject({ stop: "answered", verified: true });
});

test.each([
  [
    "function half(x) { return x * ; }",
    "javascript",
    /^Nothing can be tried: Unexpected token \(1:30\)\..*does not load/s,
  ],
  ["def half(x):\n    return (x * 2\n", "python", /^Nothing can be tried: '\(' was never closed/],
] as const)("a program that cannot be parsed, %j, is no repair and says why", async (code, language, reason) => {
  const model = await createModel("search");
  const tests = language === "python" ? "assert half(4) == 2" : "assert(half(4) === 2)";
  const task = createTask({ code, entryPoint: "half", tests, language });
  const ending = await createRepairGraph({ model, sandbox }).invoke({ task });
  expect(ending).toMatchObject({ answer: null, stop: "gave_up", reason: expect.stringMatching(reason) });
});

test.each([
  [
    "def half(x)\n    return x * 2\n",
    "assert half(4) == 2",
    /^half cannot be judged: the code before its body does not compile: line 1: /,
  ],
  [
    "def half(x):\n    return x * 2\n",
    "assert half(4) ==",
    /^half cannot be judged: its tests do not compile: line 1: /,
  ],
])("where nothing can be judged, as with %j and %j, the sentence says what to mend", async (code, tests, sentence) => {
  const task = createTask({ code, entryPoint: "half", tests });
  await expect(createRepairGraph({ model: knowing(), sandbox }).invoke({ task })).rejects.toThrow(sentence);
});

test("a thread whose run ended between the calls of a reply goes on: each call has its result", async () => {
  await using server = await startFakeOpenAI({
    reply: ({ body }) => {
      const calls = body.messages.flatMap(({ tool_calls: made }) => (Array.isArray(made) ? made : []));
      const results = body.messages.filter(({ role }) => role === "tool");
      if (calls.length !== results.length) return { status: 400, body: { error: { message: "a call has no result" } } };
      if (JSON.stringify(body.messages).includes("def half")) return "```python\ndef half(x):\n    return x // 2\n```";
      return { toolCalls: [0, 1].map(() => ({ name: "look", args: "{}" })) };
    },
  });
  const model = await createModel("openai:any", {
    toolCalls: "native",
    maxRetries: 0,
    env: { OPENAI_BASE_URL: server.url },
  });
  const stop = new AbortController();
  const tool = lookAt(async () => {
    stop.abort();
    return { status: "ok", output: "too late", durationMs: 0 };
  });
  const graph = createRepairGraph({ model, sandbox, tools: [tool], checkpointer: new MemorySaver() });
  await expect(graph.invoke({ task: add }, { ...thread("calls"), signal: stop.signal })).rejects.toThrow(/abort/i);
  expect(await graph.invoke({ task: half }, thread("calls"))).toMatchObject({ verified: true });
});

test("a second task on the same thread is repaired, and goes on with the conversation", async () => {
  const lengths: number[] = [];
  const model = new Told((text, messages) => {
    lengths.push(messages.length);
    return text.lastIndexOf("def half") > text.lastIndexOf("def add") ? RIGHT.half : RIGHT.add;
  });
  const graph = createRepairGraph({ model, sandbox, checkpointer: new MemorySaver() });
  expect(await graph.invoke({ task: add }, thread("1"))).toMatchObject({ verified: true });
  const second = await graph.invoke({ task: half }, thread("1"));
  expect(second).toMatchObject({ verified: true, answer: expect.stringContaining("x // 2") });
  expect(lengths[1]).toBeGreaterThan(lengths[0] ?? 0);
  const { values } = await graph.getState(thread("1"));
  expect([values.iterations, values.steps.length]).toEqual([1, 2]);
  expect(values.messages.filter((message: BaseMessage) => message.type === "system")).toHaveLength(1);
});

test("a second task in another language replaces the instructions of the first", async () => {
  const systems: string[] = [];
  const code = "function half(x) {\n  return x * 2;\n}\n";
  const right = "```javascript\nfunction half(x) {\n  return x / 2;\n}\n```";
  const model = new Told((text, messages) => {
    systems.push(messages.flatMap((message) => (message.type === "system" ? message.text : [])).join());
    return text.includes("function half") ? `Final Answer:\n${right}` : RIGHT.add;
  });
  const graph = createRepairGraph({ model, sandbox, checkpointer: new MemorySaver() });
  await graph.invoke({ task: add }, thread("languages"));
  const task = createTask({
    code,
    entryPoint: "half",
    tests: "console.assert(half(4) === 2);",
    language: "javascript",
  });
  expect(await graph.invoke({ task }, thread("languages"))).toMatchObject({ verified: true });
  expect(systems).toEqual([expect.stringContaining("```python"), expect.not.stringContaining("```python")]);
  expect(systems[1]).toContain("```javascript");
});

test("the state is data: what a checkpoint holds survives JSON", async () => {
  const graph = createRepairGraph({ model: knowing(), sandbox, checkpointer: new MemorySaver() });
  await graph.invoke({ task: add }, { ...thread("2"), interruptAfter: ["llm"] });
  const { values, next } = await graph.getState(thread("2"));
  const { messages, ...data } = values;
  expect(next).toEqual(["tool"]);
  expect(messages.length).toBeGreaterThan(2);
  expect(JSON.parse(JSON.stringify(data))).toEqual(data);
  expect(await graph.invoke(null, thread("2"))).toMatchObject({ verified: true });
});

test("streamEvents shows the model's calls and the tool's", async () => {
  const graph = createRepairGraph({ model: knowing(), sandbox });
  const seen: string[] = [];
  for await (const { event, name } of graph.streamEvents({ task: add }, { version: "v2" }))
    seen.push(`${event} ${name}`);
  expect(seen).toContain("on_tool_start code_interpreter");
  expect(seen).toContain("on_tool_end code_interpreter");
  expect(seen).toContain("on_chat_model_end Told");
});

test.each(["native", "text"] as const)(
  "messages: each thought comes once, of a model that calls in %s",
  async (toolCalls) => {
    await using server = await startFakeOpenAI({
      reply: ({ last }) => {
        if (last.includes("42")) return RIGHT.add;
        const args = { code: "print(6 * 7)" };
        if (toolCalls === "text") return act("code_interpreter", args);
        return { text: "Thought: look.", toolCalls: [{ name: "code_interpreter", args: JSON.stringify(args) }] };
      },
    });
    const model = await createModel("openai:any", { env: { OPENAI_BASE_URL: server.url }, toolCalls });
    const graph = createRepairGraph({ model, sandbox });
    let told = "";
    for await (const [message, { langgraph_node }] of await graph.stream({ task: add }, { streamMode: "messages" }))
      if (langgraph_node === "llm") told += message.text;
    expect(told.match(/Thought: \w+/g)).toEqual(["Thought: look", "Thought: so"]);
  },
);

test("servers that give all their replies the same id lose no message of the conversation", async () => {
  const lengths: number[] = [];
  class SameId extends Told {
    override async _generate(messages: BaseMessage[]) {
      lengths.push(messages.length);
      const text = lengths.length < 3 ? act("code_interpreter", { code: "print(1)" }) : RIGHT.add;
      return { generations: [{ text, message: new AIMessage({ id: "chatcmpl-1", content: text }) }] };
    }
  }
  await createRepairGraph({ model: new SameId(() => ""), sandbox }).invoke({ task: add });
  expect(lengths).toEqual([4, 6, 8]);
});

test("a foreign chat model calls tools natively if the graph's options say so", async () => {
  await using server = await startFakeOpenAI({
    reply: ({ body, last }) => {
      const isResult = body.messages.at(-1)?.role === "tool";
      if (!isResult || body.tools === undefined) return "?";
      const call = { name: "code_interpreter", args: '{"code": "print(6 * 7)"}' };
      return last.includes("42") ? RIGHT.add : { toolCalls: [call] };
    },
  });
  const model = new ChatOpenAI({ model: "any", apiKey: "none", configuration: { baseURL: server.url } });
  const graph = createRepairGraph({ model, sandbox, toolCalls: "native" });
  expect(await graph.invoke({ task: add })).toMatchObject({ verified: true });
  expect(server.requests).toHaveLength(2);
});

const GRAPH = { model: { invoke: () => {} }, sandbox: { judgeVisible: () => {} } };
const named = (name: string) => ({ name, description: "", run: async () => "" });
const CODE = { code: "def f(): pass\n", entryPoint: "f" };
const TOOL = { name: "look", description: "", input: z.object({}), run: () => {} };

test.each<[message: string, call: (...given: never[]) => unknown, given: unknown]>([
  ['createSandbox: field "layer" is wrong: one of auto, bwrap', createSandbox, { layer: "bubblewrap" }],
  ['createSandbox: field "concurrency" is wrong', createSandbox, { concurrency: 0 }],
  ['createSandbox: field "concurency" is unknown', createSandbox, { concurency: 4 }],
  ['createRepairGraph: field "model" is missing', createRepairGraph, { ...GRAPH, model: undefined }],
  ["a chat model is needed", createRepairGraph, { ...GRAPH, model: "search" }],
  ['field "sandbox" is missing', createRepairGraph, { model: GRAPH.model }],
  ['field "limits.maxIteration" is unknown', createRepairGraph, { ...GRAPH, limits: { maxIteration: 1 } }],
  ['field "limits.maxIterations" is wrong', createRepairGraph, { ...GRAPH, limits: { maxIterations: -1 } }],
  ['"toolCalls" is wrong: one of native, text is needed', createRepairGraph, { ...GRAPH, toolCalls: "nativ" }],
  ["a tool of LangChain does not fit", createRepairGraph, { ...GRAPH, tools: [{ name: "a", invoke: () => "" }] }],
  ["two tools share a name", createRepairGraph, { ...GRAPH, tools: ["a", "a"].map(named) }],
  ["one has that of mend's own, code_interpreter", createRepairGraph, { ...GRAPH, tools: [named("code_interpreter")] }],
  ["this model takes no tools (it has no bindTools)", createRepairGraph, { ...GRAPH, toolCalls: "native" }],
  ['defineTool: field "run" is missing', defineTool, { ...TOOL, run: undefined }],
  [
    'defineTool: field "input" is wrong: a schema of Zod 4 is needed',
    defineTool,
    { ...TOOL, input: { type: "object" } },
  ],
  ['defineTool: field "name" is wrong: servers take up to 64 letters', defineTool, { ...TOOL, name: "look up" }],
  ['no top-level function or class "g"', createTask, { ...CODE, entryPoint: "g" }],
  ['no top-level function or class "f"', createTask, { ...CODE, code: "" }],
  ['task: field "entryPoint" is missing', createTask, { code: "" }],
  ['field "tests" is wrong: it is a list, and a text is needed', createTask, { ...CODE, tests: ["assert f()"] }],
  ['field "test" is unknown', createTask, { ...CODE, test: "assert f()" }],
  ["one of python, javascript, java, cpp, go, rust is needed", createTask, { ...CODE, language: "typescript" }],
  ["createModel: it is an object, and a text is needed", createModel, { model: "search" }],
  ['judge: field "test" is missing', (job) => sandbox.judge(job), { program: "", entryPoint: "f" }],
  ['run: field "timeoutMs" is wrong', (job) => sandbox.run(job), { code: "", timeoutMs: "1" }],
])("what a program without types gets wrong is named: %s", async (message, call, given) => {
  const refused = { name: "UserError", message: expect.stringContaining(message) };
  await expect((async () => Reflect.apply(call, undefined, [given]))()).rejects.toMatchObject(refused);
});

test("a job without a limit has one", async () => {
  const verdict = await sandbox.judge({
    program: "def f():\n    return 1\n",
    entryPoint: "f",
    test: "assert f() == 1",
  });
  expect([verdict.passed, (await sandbox.run({ code: "print(1)" })).stdout]).toEqual([true, "1\n"]);
});

test("a model is closed at the end of its block", async () => {
  await using model = await createModel("search");
  expect(model.name).toBe("search");
  expect(typeof model[Symbol.asyncDispose]).toBe("function");
});
