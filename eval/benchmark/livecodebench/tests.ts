/**
 * Tests as LiveCodeBench keeps them: public ones as JSON, private ones as JSON or packed (base64, zlib, a pickled
 * string).
 */

import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { z } from "zod";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { NotPickledText, readPickledText } from "./pickled_text.ts";

export const ProblemTest = z.object({
  input: z.string(),
  output: z.string(),
  testtype: z.enum(["stdin", "functional"]),
});
export type ProblemTest = z.infer<typeof ProblemTest>;

const Tests = z.array(ProblemTest);
/** More than any problem's tests unpack to. */
const MOST_BYTES = 512 * 1024 * 1024;
const inflated = promisify(inflate);

/** @returns the tests, or why there are none, in a few words */
export async function unpackTests(packed: string): Promise<ProblemTest[] | string> {
  const text = packed.trimStart().startsWith("[") ? packed : await unpacked(packed);
  if (typeof text !== "string") return text.problem;
  const parsed = Tests.safeParse(jsonOf(text));
  return parsed.success ? parsed.data : "they are not a list of tests with `input`, `output` and `testtype`";
}

async function unpacked(packed: string): Promise<string | { problem: string }> {
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(packed)) return { problem: "they are neither JSON nor base64" };
  try {
    return readPickledText(await inflated(Buffer.from(packed, "base64"), { maxOutputLength: MOST_BYTES }));
  } catch (error) {
    const what = error instanceof NotPickledText ? `the packed data is not a pickled text: ${error.message}` : null;
    return { problem: what ?? `they cannot be unpacked: ${messageOf(error)}` };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
