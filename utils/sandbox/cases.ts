/**
 * Judges a program that reads input and prints, case by case. Each case is one run, and its output is compared here.
 */

import { z } from "zod";
import { headAndTail } from "../base/text/text.ts";
import type { JudgeJob, RunJob, RunResult, Verdict } from "./types.ts";

/** What a program reads, and what it must print. */
export const StdinCase = z.object({ input: z.string(), output: z.string() });
export type StdinCase = z.infer<typeof StdinCase>;

/** As tests hold them: JSON, one case a line. */
export const writeCases = (cases: readonly StdinCase[]): string =>
  cases.map(({ input, output }) => `${JSON.stringify({ input, output })}\n`).join("");

/** @throws SyntaxError or ZodError if a line is not a case */
export const readCases = (tests: string): StdinCase[] =>
  tests.split("\n").flatMap((line) => (line.trim() === "" ? [] : StdinCase.parse(JSON.parse(line))));

/** Bytes that a program may print beyond what is expected before the rest of it is dropped. */
const SPARE_BYTES = 64 * 1024;
const SHOWN_CHARS = 600;

type Run = (job: RunJob) => Promise<RunResult>;

/** The verdict on `program`. Its first case that fails ends it. Without cases the program must only compile. */
export async function judgeByCases(job: JudgeJob, run: Run): Promise<Verdict> {
  const { program, language = "python", timeoutMs, test, signal } = job;
  const shared = { language, timeoutMs, ...(signal ? { signal } : {}) };
  let cases: StdinCase[];
  try {
    cases = readCases(test);
  } catch {
    return ending("sandbox_error", "its tests are not cases with `input` and `output`, one a line", 0);
  }
  if (cases.length === 0) {
    const result = await run({ ...shared, code: `raise SystemExit\n${program}` });
    if (result.status === "sandbox_error") return ending("sandbox_error", result.explanation, 0);
    const compiles = result.status !== "syntax_error" && result.status !== "refused";
    return ending(compiles ? "passed" : "failed", compiles ? "" : result.explanation, 0, result);
  }
  let durationMs = 0;
  for (const [i, one] of cases.entries()) {
    const outputBytes = Buffer.byteLength(one.output) + SPARE_BYTES;
    const result = await run({ ...shared, code: program, stdin: one.input, outputBytes });
    durationMs += result.durationMs;
    const outcome = outcomeOf(result, one.output);
    if (outcome === "passed") continue;
    if (outcome === "sandbox_error") return ending(outcome, result.explanation, i + 1);
    const where = cases.length === 1 ? "" : `case ${i + 1} of ${cases.length}: `;
    const explanation = `${where}${reasonOf(result)}\n${shownCase(one, result)}`;
    return { ...ending(outcome, explanation, i + 1, result), durationMs };
  }
  return { ...ending("passed", "", cases.length), durationMs };
}

function outcomeOf({ status, exitCode, stdout, truncated }: RunResult, expected: string): Verdict["outcome"] {
  if (status === "sandbox_error" || status === "timeout") return status;
  if (status === "killed" || status === "output_limit") return "crashed";
  return status === "exited" && exitCode === 0 && !truncated && samePrinted(stdout, expected) ? "passed" : "failed";
}

function reasonOf({ status, exitCode, explanation, stderr }: RunResult): string {
  if (status !== "exited") return explanation;
  if (exitCode === 0) return "it prints something else";
  return `it ends with exit code ${exitCode}: ${stderr.trim().split("\n").at(-1) ?? ""}`;
}

const shownCase = ({ input, output }: StdinCase, { stdout }: RunResult): string =>
  [
    ["input", input],
    ["expected", output],
    ["given", stdout],
  ]
    .map(([name, text = ""]) => `${name}:\n${headAndTail(text.trimEnd(), SHOWN_CHARS)}`)
    .join("\n");

/**
 * As LiveCodeBench compares: line by line without white space around them; a line that differs may still hold the same
 * numbers. Source: `lcb_runner/evaluation/testing_util.py`.
 */
export function samePrinted(given: string, expected: string): boolean {
  const [mine, theirs] = [given, expected].map((text) => text.trim().split("\n"));
  return (
    mine?.length === theirs?.length && (mine ?? []).every((line, i) => sameLine(line.trim(), theirs?.[i]?.trim() ?? ""))
  );
}

function sameLine(given: string, expected: string): boolean {
  if (given === expected) return true;
  const [mine, theirs] = [given, expected].map((line) => line.split(/\s+/).map(decimalOf));
  if (mine?.length !== theirs?.length) return false;
  return (mine ?? []).every((number, i) => number !== null && number === theirs?.[i]);
}

const DECIMAL = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/** The exact normal form of a decimal number: `1.50` and `15e-1` are equal. Null if it is not a number. */
function decimalOf(text: string): string | null {
  const found = DECIMAL.exec(text);
  if (!found) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = found;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === "-" ? "-" : ""}${significant}e${power}`;
}

const ending = (outcome: Verdict["outcome"], explanation: string, calls: number, result?: RunResult): Verdict => ({
  outcome,
  passed: outcome === "passed",
  explanation,
  loaded: outcome !== "sandbox_error" && result?.status !== "syntax_error" && result?.status !== "refused",
  calls,
  mode: "stdin",
  stdout: result?.stdout ?? "",
  stderr: result?.stderr ?? "",
  durationMs: result?.durationMs ?? 0,
});
