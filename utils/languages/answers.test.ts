/** Answers in each language, by the rows of development halves (needs shared data). */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGUAGE_NAMES } from "./language.ts";
import { plainName } from "./places.ts";
import { LANGUAGES } from "./registry.ts";

const SHARED = process.env.MEND_SHARED_DATA ?? join(import.meta.dirname, "../../../shared/data");
const fileOf = (config: string) => join(SHARED, `humanevalfix${config === "python" ? "" : `-${config}`}-dev.jsonl`);

test.for(LANGUAGE_NAMES)(
  "%s: the file, what begins with the function, and its body give the same program",
  (name, { skip }) => {
    const language = LANGUAGES[name];
    const file = fileOf(language.config);
    skip(!existsSync(file), "needs shared data");
    const substance = (code: string) => language.files.substance(code).replace(/\bpub\b\s*/g, "");
    const rows: Record<string, string>[] = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { task_id: id, prompt = "", declaration: declared = "", entry_point: entry = "", ...row } of rows) {
      const { canonical_solution: body = "", buggy_solution: buggyCode = "" } = row;
      const declaration = language.declarationOf?.(prompt, entry, declared) ?? declared;
      const program = declaration + body;
      const entryPoint = language.partsAround(program, entry) ? entry : (language.definitions(declaration)[0] ?? "");
      const found = language.files.functions(program).findLast((one) => plainName(one.name) === entryPoint);
      const onwards = program.split("\n").slice((found?.start ?? 1) - 1);
      const assembled = (answer: string) =>
        substance(language.assemble({ entryPoint, declaration, buggyCode, epilogue: "" }, answer));
      expect(assembled(body), id).toBe(substance(program));
      expect(assembled(onwards.join("\n")), id).toBe(assembled(program));
    }
  },
);
