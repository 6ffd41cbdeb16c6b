/** Walks through the machine at random: wherever it is left, its shortest ending gives a reply that can be read. */
// @module-tag ci

import { expect, test } from "vitest";
import { ReplyGrammar, type ReplyState } from "../../../utils/inference/format/reply_grammar.ts";
import { Random } from "../../../utils/inference/testing/random_weights.ts";
import { python } from "../../../utils/languages/python/index.ts";
import { parseReply } from "../../dialects/reader.ts";
import { type Readable, replyFormat } from "./chat.ts";

const CODE: Readable = { tools: ["code_interpreter", "view"], answer: "code" };
const TEXT: Readable = { tools: ["view", "view_file"], answer: "text" };
const ALPHABET = 'abu019dD{}[]",:\\\n `~*#.-+eE<>/ActionFinalAnswer\u00e9';

/** Feeds a text; undefined where the machine refuses it. */
function feed(grammar: ReplyGrammar, state: ReplyState | undefined, text: string): ReplyState | undefined {
  let at = state;
  for (const byte of Buffer.from(text, "utf8")) at = at && grammar.step(at, byte);
  return at;
}

function walk(grammar: ReplyGrammar, random: Random): { text: string; state: ReplyState } {
  let state = grammar.start;
  const bytes: number[] = [];
  for (let steps = random.below(300); steps > 0 && state.kind !== "done"; steps--) {
    if (random.below(40) === 0) state = grammar.hurry(state) ?? state;
    const forced = random.below(3) > 0 ? grammar.forced(state) : "";
    bytes.push(...Buffer.from(forced));
    state = feed(grammar, state, forced) ?? state;
    const [byte = 0] = Buffer.from(ALPHABET, "latin1").subarray(random.below(ALPHABET.length));
    const next = grammar.step(state, byte);
    if (next) bytes.push(byte);
    state = next ?? state;
  }
  return { text: Buffer.from(bytes).toString("utf8"), state };
}

test.each([
  ["code", CODE],
  ["text", TEXT],
])("%s: a thousand walks end in actions and answers", (_, readable) => {
  const grammar = new ReplyGrammar(replyFormat(readable));
  const random = new Random(3);
  const kinds = { act: 0, answer: 0, malformed: 0 };
  for (let i = 0; i < 1000; i++) {
    const { text, state } = walk(grammar, random);
    const closing = grammar.close(state);
    const end = feed(grammar, state, closing);
    expect(end && (end.kind === "done" || grammar.mayEnd(end)), text + closing).toBe(true);
    const { kind } = parseReply({ text: text + closing }, { ...readable, language: python });
    expect(kind, text + closing).not.toBe("malformed");
    kinds[kind]++;
  }
  expect(kinds.act).toBeGreaterThan(100);
  expect(kinds.answer).toBeGreaterThan(100);
});

const reaches = (text: string, readable = CODE): string | undefined => {
  const grammar = new ReplyGrammar(replyFormat(readable));
  return feed(grammar, grammar.start, text)?.kind;
};

test("what models write well passes", () => {
  const call =
    'Action: code_interpreter\nAction Input: {"code":"print(\\"a\\")\\n", "timeout": -1.5e3, "x": [true, null]}';
  expect(reaches(`Thought: run it: see below.\n\n${call}`)).toBe("done");
  expect(reaches("Thought:\nFinal Answer:\n```python\ndef f(x):\n    return {'a': `1`}\n```")).toBe("done");
  expect(reaches('Thought: a\nAction: view_file\nAction Input: {"path": "é"}', TEXT)).toBe("done");
});

test.each([
  ["an unknown tool", "Thought: a\nAction: vim"],
  ["an observation of its own", "Thought: a\nObservation:"],
  ["a fence in a thought", "Thought: a\n```"],
  ["a second label in a thought", "Thought: a\n**Action**:"],
  ["text before the thought", "A"],
  ["empty code", 'Thought: a\nAction: code_interpreter\nAction Input: {"code":""'],
  ["an empty answer", "Thought: a\nFinal Answer:\n```python\n\n`"],
  ["a raw line break in a string", 'Thought: a\nAction: view\nAction Input: {"a": "\n'],
  ["a trailing comma", 'Thought: a\nAction: view\nAction Input: {"a": 1,}'],
  ["half a surrogate pair", 'Thought: a\nAction: view\nAction Input: {"a": "\\ud8'],
  ["anything after the object", "Thought: a\nAction: view\nAction Input: {} "],
])("refused: %s", (_, text) => {
  expect(reaches(text.slice(0, -1))).toBeDefined();
  expect(reaches(text)).toBeUndefined();
});
