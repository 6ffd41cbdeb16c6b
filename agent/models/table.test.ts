import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { UserError } from "../../utils/base/data/errors.ts";
import { DEEP } from "../../utils/testing/repeats.ts";
import { startWebServer } from "../../utils/testing/web_server.ts";
import type { ModelKind, ModelOptions } from "./model.ts";
import { checkModel, createModel, MODEL_KINDS, parseSpec } from "./table.ts";
import { startFakeOpenAI } from "./testing/fake_openai.ts";

const withEnv = (env: ModelOptions["env"], lines: string[] = []): ModelOptions => ({
  temperature: 0,
  timeoutMs: 5_000,
  maxRetries: 0,
  log: (line) => lines.push(line),
  env: env ?? {},
});

test.each([
  ["openai:qwen2.5-coder:1.5b", "openai", "qwen2.5-coder:1.5b"],
  ["openai:org/name", "openai", "org/name"],
  ["script:./a b.jsonl", "script", "./a b.jsonl"],
  ["script:/x.json", "script", "/x.json"],
  ["search", "search", "search"],
  ["Qwen/Qwen2.5-Coder-1.5B-Instruct", "local", "Qwen/Qwen2.5-Coder-1.5B-Instruct"],
  ["./weights", "local", "./weights"],
  [tmpdir(), "local", tmpdir()],
  ["agent", "local", "agent"],
])("%s names a model", (spec, kind, name) => {
  const parsed = parseSpec(spec);
  expect([parsed.kind.name, parsed.name]).toEqual([kind, name]);
});

test("where other kinds can be named, these are asked and listed", () => {
  const [script] = MODEL_KINDS.filter(({ name }) => name === "script");
  const pen = { ...script, name: "pen", usage: "pen", recognise: (spec: string) => (spec === "pen" ? spec : null) };
  const kinds = [pen, ...MODEL_KINDS.filter(({ isSearch }) => !isSearch)] as readonly ModelKind[];
  expect(parseSpec("pen", kinds).kind.name).toBe("pen");
  expect(() => parseSpec("pen")).toThrow(/Unknown model "pen": give openai:NAME/);
  expect(() => parseSpec("search", kinds)).toThrow(/Unknown model "search": give pen \(canned replies\), openai:NAME/);
});

test.each(["", " ", "openai:", "script:", "gpt-4o", "anthropic:claude", "a/b/c", "Search", "https://host/v1"])(
  "%j names no model, and the error says what would",
  (spec) => {
    expect(() => parseSpec(spec)).toThrow(UserError);
    expect(() => parseSpec(spec)).toThrow(/openai:NAME.*search.*script:FILE/);
  },
);

test("a name without its kind is hinted at", () => {
  expect(() => parseSpec("gpt-4o")).toThrow(/write openai:gpt-4o/);
});

test("MODEL_NAME is used where no model is given, and only there", DEEP, async () => {
  const env = { MODEL_NAME: "openai:a", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" };
  expect((await createModel(undefined, withEnv(env))).name).toBe("openai:a");
  expect((await createModel("search", withEnv(env))).name).toBe("search");
});

test("with nothing set the search engine runs, and a line says so and how to choose", async () => {
  const lines: string[] = [];
  const model = await createModel(undefined, withEnv({ MODEL_NAME: " " }, lines));
  expect(model).toMatchObject({ name: "search", spec: "search", deterministic: true });
  expect(lines).toEqual([expect.stringMatching(/^model: search.*--model/)]);
});

test("with a server and no name, the first model it offers that can chat", async () => {
  await using server = await startFakeOpenAI({
    reply: ({ body }) => `I am ${body.model}`,
    models: ["nomic-embed-text", "coder", "other"],
    key: "k",
  });
  const lines: string[] = [];
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "k" };
  const model = await createModel(undefined, withEnv(env, lines));
  expect(model.name).toBe("openai:coder");
  expect((await model.chat.invoke("x")).text).toBe("I am coder");
  expect(lines).toEqual([expect.stringMatching(/openai:coder, the first.*nomic-embed-text, coder, other.*--model/)]);
});

test.each([
  [
    "no list of models",
    { OPENAI_API_KEY: "k" },
    /name one with --model openai:NAME; .*usually ends in \/v1/,
    undefined,
  ],
  ["an empty list", { OPENAI_API_KEY: "k" }, /offers no model: load one/, []],
  ["a wrong key", { OPENAI_API_KEY: "sk-wrong-123456" }, /refuses the key/, ["a"]],
])("a server with %s is a user's error", async (_name, key, message, models) => {
  await using server = await startFakeOpenAI({ reply: () => "ok", key: "k", ...(models ? { models } : {}) });
  const made = createModel(undefined, withEnv({ OPENAI_BASE_URL: server.url, ...key }));
  await expect(made).rejects.toThrow(UserError);
  await expect(made).rejects.toThrow(message);
  await expect(made).rejects.not.toThrow(/sk-wrong/);
});

test("a name that the server does not list, but answers to, is noted", async () => {
  await using server = await startWebServer(({ url = "" }, response) =>
    response.end(JSON.stringify(url.endsWith("/models") ? { data: [{ id: "loaded" }] } : {})),
  );
  const notes = async (spec: string) => {
    const lines: string[] = [];
    await checkModel(spec, withEnv({ OPENAI_BASE_URL: server.url }, lines));
    return lines;
  };
  expect(await notes("openai:loaded")).toEqual([]);
  expect(await notes("openai:other")).toEqual([
    expect.stringMatching(/lists loaded, not other: make sure which model/),
  ]);
});

test("a server that is not there is a user's error", async () => {
  const gone = await startFakeOpenAI({ reply: () => "ok" });
  await gone[Symbol.asyncDispose]();
  const made = createModel(undefined, withEnv({ OPENAI_BASE_URL: gone.url }));
  await expect(made).rejects.toThrow(UserError);
  await expect(made).rejects.toThrow(/Nothing can be reached at .*ECONNREFUSED/);
});

test.each([
  [{}, /OPENAI_API_KEY, or OPENAI_BASE_URL/],
  [{ OPENAI_BASE_URL: "localhost:8080" }, /must be an http\(s\) address/],
  [{ OPENAI_BASE_URL: "http://host/v1?key=1" }, /without a query/],
])("incomplete settings %j are a user's error", async (env, message) => {
  const made = createModel("openai:a", withEnv(env));
  await expect(made).rejects.toThrow(UserError);
  await expect(made).rejects.toThrow(message);
});
