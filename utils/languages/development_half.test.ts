import { expect, test } from "vitest";
import { sharedRows } from "../testing/shared_data.ts";
import { LANGUAGES } from "./registry.ts";

const solid = (code: string) => code.replace(/\bpub\b|\s+/g, "");

test.each(["java", "cpp", "go", "rust"] as const)(
  "%s: every way to answer gives the program of a row of the development half",
  (name) => {
    const language = LANGUAGES[name];
    for (const { task_id, prompt = "", entry_point = "", ...row } of sharedRows(`humanevalfix-${name}-dev.jsonl`)) {
      const { canonical_solution: body = "", buggy_solution: buggyCode = "" } = row;
      const declaration =
        name === "go" ? (language.declarationOf?.(prompt, entry_point, "") ?? "") : (row.declaration ?? "");
      const program = declaration + body;
      const isAround = (one: string) => language.partsAround(program, one)?.declaration.trim() === declaration?.trim();
      const entryPoint = [entry_point, ...language.definitions(program)].find(isAround) ?? entry_point;
      const found = language.files.functions(program).findLast(({ name }) => name.split(/\W/).at(-1) === entryPoint);
      const alone = program.split("\n").slice((found?.start ?? 1) - 1);
      const assemble = (answer: string) =>
        solid(language.assemble({ entryPoint, declaration, buggyCode, epilogue: "" }, answer));
      expect(assemble(body), task_id).toBe(solid(program));
      // A whole file in Go has its imports written anew.
      const whole = name === "go" ? assemble(program) : solid(program);
      expect([assemble(program), assemble(alone.join("\n"))], task_id).toEqual([whole, whole]);
    }
  },
);
