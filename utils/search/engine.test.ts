// @module-tag ci

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { ALSO_DEEP, DEEP, isQuick, testMode } from "../testing/repeats.ts";
import { engineSource, operatorFamilies, pythonScript, searchScript } from "./bundle.ts";
import { KNOWLEDGE } from "./testing/knowledge.ts";

const Line = z.object({ name: z.string(), deep: z.boolean(), ok: z.boolean(), why: z.string().optional() });

const python = (args: string[], input = "") =>
  spawnSync("python3", args, {
    encoding: "utf8",
    input,
    env: { PATH: process.env.PATH ?? "", PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" },
    maxBuffer: 64 * 1024 * 1024,
  });

/** The tests written in Python, run once in one process, of those that are deep or of the others: the parts of the engine, and an example for every operator. */
const run = python([fileURLToPath(new URL("engine_test.py", import.meta.url)), isQuick ? "quick" : testMode]);
const results = run.stdout
  .trim()
  .split("\n")
  .filter(Boolean)
  .map((line) => Line.parse(JSON.parse(line)));

test("the Python tests ran to their end", ALSO_DEEP, () => {
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
  expect(results.length).toBeGreaterThan(testMode === "deep" ? 20 : 70);
});

const holds = ({ ok, why }: z.infer<typeof Line>) => expect(ok, why).toBe(true);
test.each(results.filter(({ deep }) => !deep))("$name", holds);
test.each(results.filter(({ deep }) => deep))("$name", DEEP, holds);

const request = {
  language: "python" as const,
  program: "def f(x):\n    return x - 1\n",
  entry: "f",
  instruction: "",
  tests: "assert f(1) == 2",
};

test("the bundle is one module: no imports of its own parts are left, and no name is defined twice", () => {
  const source = engineSource(KNOWLEDGE.python);
  expect(source).not.toMatch(/^(?:from|import) (?:edits|source|facts|trial|execute)\b/m);
  const names = [...source.matchAll(/^(?:def|class) (\w+)|^([A-Z_]+)(?:, [A-Z_]+)* =/gm)].map(([, a, b]) => a ?? b);
  const twice = names.filter((name, i) => name !== "_" && names.indexOf(name) !== i);
  expect(twice).toEqual([]);
});

test("the bundled script prints its result as its last line", async () => {
  const { stdout } = python(["-"], await searchScript({ ...request, steps: 500, seed: 0 }, KNOWLEDGE));
  expect(stdout.trim().split("\n").at(-1)).toMatch(/^SEARCH_RESULT \{"status": "found".*\}$/);
});

test("a row may hold any quotation marks", () => {
  const edits = { BinOp: ["''' + {right}", "{left} + len('''a''')"] };
  const source = engineSource({
    ...KNOWLEDGE.python,
    expressions: { quoted: { family: "quoted", edits } },
    insert: {},
  });
  const { stdout } = python(["-"], pythonScript(source, { ...request, steps: 500, seed: 0 }, KNOWLEDGE.priors));
  expect(stdout.trim().split("\n").at(-1)).toMatch(/^SEARCH_RESULT \{"status": "found".*"operator": "quoted"/);
});

test("every family that can be switched off is a family of the table", () => {
  expect(operatorFamilies(KNOWLEDGE.python)).toEqual(
    expect.arrayContaining(["comparison", "constants", "wrap", "copy", "pairs"]),
  );
});

test("switching a family off removes its edits", async () => {
  const script = await searchScript({ ...request, steps: 5000, seed: 0, off: ["arithmetic"], keep: 50 }, KNOWLEDGE);
  expect(python(["-"], script).stdout).not.toContain('"operator": "arithmetic"');
});
