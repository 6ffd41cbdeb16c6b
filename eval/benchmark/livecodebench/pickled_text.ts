/**
 * Reads a pickle that holds one string and nothing else. Any other is refused: what a pickle can do is never done here.
 */

/** Why a pickle is refused. */
export class NotPickledText extends Error {}

const TEXT_MOST_BYTES = 512 * 1024 * 1024;

/**
 * The string of a pickle of protocol 0 to 5. Known are the opcodes that a pickled string is written with; one of any
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
