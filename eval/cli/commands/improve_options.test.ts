import { expect, test } from "vitest";
import { UserError } from "../../../utils/base/data/errors.ts";
import { Arguments } from "../../../utils/program/cli.ts";
import type { metaOptions } from "../../meta/settings.ts";
import { main } from "./improve.ts";

type Name = keyof typeof metaOptions;

test.each<[Name, string, RegExp, Partial<Record<Name, string>>?]>([
  ["alpha", "7", /^--alpha takes a number from .* to 0.5, not "7"/],
  ["split", "1,2", /^--split 1,2: give three shares/],
  ["select", "best", /^--select takes one of argmax, champion, not "best"/],
  ["iterations", "x", /^--iterations takes/],
  ["family", "0", /^--family takes/],
  ["num", "0", /^--num takes a whole number from 3/],
  ["few-shot-k", "-1", /^--few-shot-k takes/],
  ["few-shot-from", "hub", /^--few-shot-from takes/],
  ["protocol", "all", /^--protocol takes/],
  ["protocol", "tests", /^--protocol tests shows the hidden tests/],
  ["model", "nope:x", /^Unknown model "nope:x"/],
  ["meta-model", "nope:x", /^Unknown model "nope:x"/],
  ["meta-model", "tune", /^--learn-from is an editor of its own/, { "learn-from": "x" }],
  ["meta-model", "openai:", /^"openai:" lacks a name/],
  ["tool-calls", "native", /^Agents in a box call tools in their text/],
  ["seed-agent", "/nowhere", /^--seed-agent \/nowhere: there is no agent/],
  ["price", "3", /^--price takes US dollars/],
  ["meta-price", "a,b", /^--meta-price takes US dollars/],
  ["max-cost", "-1", /^--max-cost takes/],
  ["max-tokens", "0", /^--max-tokens takes/],
  ["max-minutes", "soon", /^--max-minutes takes/],
  ["step-minutes", "0", /^--step-minutes takes/],
  ["step-turns", "2", /^--step-turns takes a whole number from 3/],
  ["context", "0", /^--context takes/],
  ["temperature", "hot", /^--temperature takes/],
  ["max-reply", "0", /^--max-reply takes/],
  ["search-steps", "0", /^--search-steps takes/],
  ["max-iterations", "0", /^--max-iterations takes/],
  ["timeout", "0", /^--timeout takes/],
  ["concurrency", "0", /^--concurrency takes/],
  ["cost-cap", "0", /^--cost-cap takes/],
  ["dtype", "q3", /^--dtype takes/],
  ["sandbox", "box", /^--sandbox takes/],
  ["run", "../x", /^--run takes a name/],
])("--%s %s is refused before the dataset is read", async (option, value, message, more = {}) => {
  const given = { model: "search", dataset: "/nowhere/tasks.jsonl", ...more, [option]: value };
  const refused: unknown = await main(new Arguments<Name>(given, [])).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UserError);
  expect(String(refused)).toMatch(new RegExp(message.source.replace(/^\^/, "^UserError: ")));
});
