/**
 * Tests as LiveCodeBench keeps them: public ones as JSON, private ones as JSON or packed (base64, zlib, a pickled
 * string).
 */

import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { z } from "zod";
import { messageOf } from "../../../utils/base/data/errors.ts";
import { jsonValue } from "../../../utils/base/data/record.ts";

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
  const parsed = Tests.safeParse(jsonValue(text));
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

/** Why a pickle is refused. */
export class NotPickledText extends Error {}

const TEXT_MOST_BYTES = 512 * 1024 * 1024;

/**
 * The string of a pickle of protocol 0 to 5 that holds one string and nothing else: what else a pickle can do is never
 * done here. Known are the opcodes that a pickled string is written with; one of any
 * other kind (a class, a call, a list, a persistent id) ends the reading.
 * @throws NotPickledText
 */
export function readPickledText(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  let text: string | null = null;
  const take = (count: number): Buffer => {
    if (count > TEXT_MOST_BYTES || at + count > view.length) throw new NotPickledText("it ends too early");
    at += count;
    return view.subarray(at - count, at);
  };
  const line = (): Buffer => {
    const end = view.indexOf(0x0a, at);
    if (end === -1) throw new NotPickledText("it ends too early");
    return take(end + 1 - at).subarray(0, -1);
  };
  const push = (found: string): void => {
    if (text !== null) throw new NotPickledText("it holds more than one string");
    text = found;
  };
  const eightBytes = (): number => Number(take(8).readBigUInt64LE());
  const opcodes: Record<string, () => void> = {
    /** PROTO, FRAME, and the notes of a string's place. */
    "\x80": () => void take(1),
    "\x95": () => void take(8),
    "\x94": () => {},
    q: () => void take(1),
    r: () => void take(4),
    p: () => void line(),
    /** The ways to write a string. */
    "\x8c": () => push(utf8(take(take(1).readUInt8()))),
    X: () => push(utf8(take(take(4).readUInt32LE()))),
    "\x8d": () => push(utf8(take(eightBytes()))),
    V: () => push(rawUnicode(line().toString("latin1"))),
  };
  while (at < view.length) {
    const code = String.fromCharCode(take(1).readUInt8());
    if (code === ".") {
      if (text === null) throw new NotPickledText("it holds no string");
      if (at !== view.length) throw new NotPickledText("something follows its end");
      return text;
    }
    const opcode = Object.hasOwn(opcodes, code) ? opcodes[code] : undefined;
    if (!opcode) throw new NotPickledText("it holds more than a string");
    opcode();
  }
  throw new NotPickledText("it ends too early");
}

function utf8(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotPickledText("its string is not UTF-8");
  }
}

/** Protocol 0: as Latin-1, with `\uXXXX` and `\UXXXXXXXX` for what has no place there. */
const rawUnicode = (text: string): string =>
  text.replace(/\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g, (_, four = "", eight = "") => {
    const point = Number.parseInt(four || eight, 16);
    if (point > 0x10ffff) throw new NotPickledText("its string is not text");
    return String.fromCodePoint(point);
  });
