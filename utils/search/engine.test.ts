// @module-tag ci

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { ALSO_DEEP, DEEP, isQuick, testMode } from "../testing/repeats.ts";
import { engineSource, operatorFamilies } from "./bundle.ts";
import type { SearchRequest } from "./request.ts";
import { searchByScript } from "./script.ts";
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
const run = python([fileURLToPath(new URL("testing/engine_test.py", import.meta.url)), isQuick ? "quick" : testMode]);
const results = run.stdout
  .trim()
  .split("\n")
  .filter(Boolean)
  .map((line) => Line.parse(JSON.parse(line)));

test("the Python tests ran to their end", ALSO_DEEP, () => {
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
  expect(results.length).toBeGreaterThan(testMode === "deep" ? 12 : 70);
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
  seed: 0,
  steps: 500,
};

test("the bundle is one module: no imports of its own parts are left, and no name is defined twice", () => {
  const source = engineSource();
  expect(source).not.toMatch(/^(?:from|import) (?:edits|source|facts|trial|execute)\b/m);
  const names = [...source.matchAll(/^(?:def|class) (\w+)|^([A-Z_]+)(?:, [A-Z_]+)* =/gm)].map(([, a, b]) => a ?? b);
  const twice = names.filter((name, i) => name !== "_" && names.indexOf(name) !== i);
  expect(twice).toEqual([]);
});

/** Runs what a request makes, until it has its lists. */
const searched = async (more: Partial<SearchRequest>, python_ = KNOWLEDGE.python) => {
  const knowledge = { ...KNOWLEDGE, python: python_ };
  const { ran } = await searchByScript({ ...request, ...more }, knowledge, async (code, stdin) => {
    const folder = makeTemporaryFolder("engine");
    const script = join(folder.path, "script.py");
    writeFileSync(script, code);
    const { stdout } = python([script], stdin);
    folder[Symbol.dispose]();
    return { stdout };
  });
  return ran.stdout;
};

test("the bundled script prints its result as its last line", async () => {
  const stdout = await searched({ steps: 500 });
  expect(stdout.trim().split("\n").at(-1)).toMatch(/^SEARCH_RESULT \{"status": "found".*\}$/);
});

test("a row may hold any quotation marks", async () => {
  const rows = { quoted: { "{a} - {b}": ["''' + {b}", "{a} + len('''a''')"] } };
  const stdout = await searched({ steps: 500 }, { ...KNOWLEDGE.python, rewrites: rows });
  expect(stdout).toMatch(/SEARCH_RESULT \{"status": "found".*"operator": "quoted"/);
});

test("a guard gives a number where the function gives numbers, and not a truth", async () => {
  const program = "def mean(values):\n    return sum(values) / len(values)\n";
  const stdout = await searched({ program, entry: "mean", tests: "assert mean([]) == 0\nassert mean([1, 2]) == 1.5" });
  expect(stdout).toContain("return 0.0");
  expect(stdout).not.toContain("return False");
});

test("every family that can be switched off is a family of the table", () => {
  expect(operatorFamilies()).toEqual(expect.arrayContaining(["comparison", "constants", "wrap", "copy", "pairs"]));
});

test("switching a family off removes its edits", async () => {
  expect(await searched({ steps: 5000, off: ["arithmetic"], keep: 50 })).not.toContain('"operator": "arithmetic"');
});
