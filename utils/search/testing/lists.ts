/** For tests in Python: each line of the input asks for the list of edits of a program, each line of the output is one. */

import { createInterface } from "node:readline";
import { z } from "zod";
import { AskedList, listEdits } from "../python/edits/lists.ts";
import { KNOWLEDGE } from "./knowledge.ts";

const Line = z.object({
  asked: AskedList,
  off: z.array(z.string()),
  only: z.array(z.string()).nullish(),
  lines: z.tuple([z.number(), z.number()]).nullish(),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { asked, off, only, lines } = Line.parse(JSON.parse(line));
  const choice = { off, only: only ?? undefined, lines: lines ?? undefined };
  process.stdout.write(`${JSON.stringify(await listEdits(asked, KNOWLEDGE.python, KNOWLEDGE.priors, choice))}\n`);
}
