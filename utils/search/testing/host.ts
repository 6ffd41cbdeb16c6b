/** For tests in Python: each line of the input asks for the list of edits of a program, or for a choice among edits. */

import { createInterface } from "node:readline";
import { z } from "zod";
import { AskedList, listEdits } from "../python/edits/lists.ts";
import { chosen, ScriptResult } from "../script_result.ts";
import { KNOWLEDGE } from "./knowledge.ts";

const Line = z.union([
  z.object({
    asked: AskedList,
    off: z.array(z.string()),
    only: z.array(z.string()).nullish(),
    lines: z.tuple([z.number(), z.number()]).nullish(),
  }),
  z.object({
    printed: ScriptResult,
    program: z.string(),
    entry: z.string(),
    instruction: z.string(),
    keep: z.number().optional(),
  }),
]);

async function answer(line: z.infer<typeof Line>) {
  if ("printed" in line) {
    const { printed, ...request } = line;
    return chosen(printed, { ...request, language: "python", tests: "", steps: 0, seed: 0 }, KNOWLEDGE);
  }
  const { asked, off, only, lines } = line;
  const choice = { off, only: only ?? undefined, lines: lines ?? undefined };
  return await listEdits(asked, KNOWLEDGE.python, KNOWLEDGE.priors, choice);
}

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify(await answer(Line.parse(JSON.parse(line))))}\n`);
