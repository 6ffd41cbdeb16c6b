/** Literals of an instruction that edits may use. */

export interface Told {
  /** As written in the instruction. */
  numbers: readonly string[];
  texts: readonly string[];
}

const MOST = 12;

export function toldIn(instruction: string): Told {
  const numbers = new Set([...instruction.matchAll(/(?<![\w.])\d+(?:\.\d+)?(?![\w.]*\w)/g)].map(([text]) => text));
  const texts = new Set(
    [...instruction.matchAll(/"([^"\n]{0,20})"|'([^'\n]{1,20})'/g)].map(([, a, b]) => a ?? b ?? ""),
  );
  return { numbers: [...numbers].slice(0, MOST), texts: [...texts].slice(0, MOST) };
}
