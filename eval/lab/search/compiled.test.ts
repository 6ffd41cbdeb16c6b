/** What was measured stays, whatever stops the measurement. */

import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { tsxEnvironment, tsxWords } from "../../../utils/base/host/tsx.ts";
import { LANGUAGES } from "../../../utils/languages/registry.ts";
import { EXIT } from "../../../utils/program/cli.ts";
import { temporaryFolder } from "../../../utils/testing/command.ts";
import { DEEP } from "../../../utils/testing/repeats.ts";

const SCRIPT = join(import.meta.dirname, "compiled.ts");
const PLANTED = join(import.meta.dirname, "../planted/go.jsonl");
const missing = LANGUAGES.go.unavailable("");

function firstRows(file: string, count: number): string {
  writeFileSync(file, readFileSync(PLANTED, "utf8").split("\n").slice(0, count).join("\n"));
  return file;
}

/**
 * The first three of the planted tasks.
 * @param onRow is told each line of stdout
 */
async function measure(folder: string, options: readonly string[], onRow = (_row: string, _stop: () => void) => {}) {
  const dataset = firstRows(join(folder, "tasks.jsonl"), 3);
  const words = [...tsxWords(), SCRIPT, "--dataset", dataset, ...options];
  const child = spawn(process.execPath, words, { env: tsxEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  let [printed, said] = [0, ""];
  child.stderr.on("data", (text: Buffer) => (said += text));
  createInterface(child.stdout).on("line", (row) => {
    printed += 1;
    onRow(row, () => child.kill("SIGINT"));
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, printed, said };
}

const idsIn = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^\{.*"id":"([^"]+)".*\}$/gm)].map(([, id = ""]) => id);

test.skipIf(missing !== null)(
  "a measurement that was stopped, and whose last line was torn, goes on with the tasks that are left",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const out = join(folder.path, "rows.jsonl");
    const options = ["--out", out];
    const first = await measure(folder.path, options, (_, stop) => stop());
    expect(first).toMatchObject({ code: EXIT.interrupted });
    const kept = idsIn(out);
    expect(kept.length).toBe(first.printed);
    expect(kept.length).toBeLessThan(3);
    writeFileSync(out, `${readFileSync(out, "utf8")}{"protocol":"exam`);
    const second = await measure(folder.path, options);
    expect(second).toMatchObject({ code: EXIT.ok, printed: 3 - kept.length });
    expect(idsIn(out)).toEqual(["Go/planted/0", "Go/planted/1", "Go/planted/2"]);
    expect(second.said).toContain("/3 repaired");
  },
);

test.skipIf(missing !== null)(
  "two sets in one run have a figure each, also where their tasks share names",
  DEEP,
  async () => {
    using folder = temporaryFolder();
    const also = firstRows(join(folder.path, "planted.jsonl"), 1);
    const out = join(folder.path, "rows.jsonl");
    const { code, said, printed } = await measure(folder.path, ["--every", "3", "--also", also, "--out", out]);
    expect({ code, printed }).toEqual({ code: EXIT.ok, printed: 2 });
    expect(said).toMatch(/^tasks\.jsonl example: [01]\/1 repaired, \d+%/m);
    expect(said).toMatch(/^planted\.jsonl example: [01]\/1 repaired, \d+%/m);
    expect(idsIn(out)).toEqual(["Go/planted/0", "Go/planted/0"]);
  },
);

test.skipIf(missing !== null)("a task that uses more than its processor time is not repaired", DEEP, async () => {
  using folder = temporaryFolder();
  const out = join(folder.path, "rows.jsonl");
  const { code, said } = await measure(folder.path, ["--every", "3", "--seconds", "0.1", "--out", out]);
  expect(code).toBe(EXIT.ok);
  expect(readFileSync(out, "utf8")).toContain('"status":"limit"');
  expect(said).toContain("0/1 repaired");
});
