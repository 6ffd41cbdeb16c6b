/** The characters that byte-level tokenizers write bytes with. */

/** Byte -> character: printable bytes stand for themselves, the others for characters from U+0100 on. */
export function byteAlphabet(): string[] {
  const printable = (b: number): boolean => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : next++));
}
