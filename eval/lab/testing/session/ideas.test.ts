import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { readStrict } from "../../../../agent/dialects/reply.ts";
import { python } from "../../../../utils/languages/python/index.ts";
import { ideas } from "./ideas.ts";

const ROOT = new URL("../../../../", import.meta.url);
const FORMAT = { tools: ["hypothesis", "create", "edit", "checks"], answer: "text", language: python } as const;
const Edit = z.object({
  file: z.string(),
  old: z.string().optional(),
  new: z.string().optional(),
  text: z.string().optional(),
});

// The whole session takes minutes and is played by `npm run test:slow`; this tells at once that the code has moved away from it.
test.each(ideas)("what is edited is there, and the next move sees it: $hypothesis", ({ moves }) => {
  const files = new Map<string, string>();
  let lines: string[] = [];
  for (const { needs, reply } of moves) {
    if (typeof needs === "string" && needs.startsWith("+"))
      expect(lines.some((line) => line.startsWith(needs.slice(1)))).toBe(true);
    const said = readStrict(reply, FORMAT);
    if (said?.kind !== "act" || !["create", "edit"].includes(said.tool)) continue;
    const { file, old, new: put, text } = Edit.parse(said.input);
    const path = fileURLToPath(new URL(file, ROOT));
    const before = files.get(file) ?? (existsSync(path) ? readFileSync(path, "utf8") : undefined);
    const after = old === undefined ? text : before?.replace(old, () => put ?? "");
    expect(old === undefined ? before : before?.split(old).length, `${file}: ${old}`).toBe(
      old === undefined ? undefined : 2,
    );
    files.set(file, after ?? "");
    lines = (after ?? "").split("\n").filter((line) => !before?.split("\n").includes(line));
  }
  expect(files.size).toBeGreaterThan(0);
});
