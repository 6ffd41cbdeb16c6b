/** Adding a thing is a file and a row: made-up rows of each table, used by what asks the table. */

import { expect, test } from "vitest";
import { createModel, type ModelOptions, parseSpec } from "../../agent/models/create.ts";
import type { ModelKind } from "../../agent/models/model.ts";
import { parseRules, ScriptedChat } from "../../agent/models/script.ts";
import { MODEL_KINDS } from "../../agent/models/table.ts";
import { pricesOf } from "./cost/price_table.ts";
import { FREE } from "./cost/pricing.ts";
import { requireLanguages } from "./setup.ts";

const options = (env: ModelOptions["env"], lines: string[] = []): ModelOptions => ({
  temperature: 0,
  timeoutMs: 1000,
  maxRetries: 0,
  log: (line) => lines.push(line),
  env,
});

test("a model is one row: named, taken where it is at hand, in the help, with its price and its languages", async () => {
  const parrot: ModelKind = {
    name: "parrot",
    title: "The parrot",
    usage: "parrot:WORD",
    place: "in its cage",
    recognise: (spec) => /^parrot:(.*)$/.exec(spec)?.[1] ?? null,
    create: async (word) => ({
      name: `parrot:${word}`,
      spec: `parrot:${word}`,
      chat: new ScriptedChat("parrot", parseRules(JSON.stringify([{ reply: word }]), "parrot")),
      parameters: {},
      deterministic: true,
      close: async () => {},
    }),
    atHand: async () => ({ spec: "parrot:hello", why: "which is always there" }),
    work: ["repair"],
    languages: ["javascript"],
    price: "free",
    runsIn: "agent",
  };
  const choice = { kinds: [...MODEL_KINDS, parrot] };
  const lines: string[] = [];
  const named = await createModel("parrot:polly", options({}), choice);
  expect((await named.chat.invoke("x")).text).toBe("polly");
  const task = { id: "t", language: "python" as const };
  expect(() => requireLanguages({ jobs: [{ task }] }, { model: named, tools: [] })).toThrow(
    /The parrot repairs JavaScript alone, and t is in Python/,
  );
  expect(pricesOf(named, {})).toEqual(FREE);
  const env = { HF_HOME: "/nowhere" };
  expect((await createModel(undefined, options(env, lines), choice)).name).toBe("parrot:hello");
  expect(lines).toEqual([expect.stringMatching(/^model: parrot:hello, which is always there; .*parrot:WORD \(in its/)]);
  expect(() => parseSpec("parrot:", choice)).toThrow(/lacks a name after the colon/);
  expect(() => parseSpec("parrot:polly")).toThrow(/Unknown model/);
});
