/** Places that a stack trace names. */

import { LANGUAGES, languageOf } from "../../utils/languages/registry.ts";

export interface Frame {
  /** As the trace has it. */
  file: string;
  line: number;
}

/** The innermost first: Python's traces end with it, those of V8 begin with it. */
export function framesIn(text: string): Frame[] {
  const found = [...text.matchAll(PLACE)].map(([, ...groups]) => {
    const [file = "", line] = groups.filter((group) => group !== undefined);
    return { file: file.replace(/^\.\//, ""), line: Number(line) };
  });
  const isReversed = found.some(({ file }) => languageOf(file)?.files.tracePlace);
  return isReversed ? found.reverse() : found;
}

const ALL = Object.values(LANGUAGES);
const ENDINGS = ALL.flatMap(({ extensions }) => extensions.map((ending) => ending.slice(1))).join("|");
const USUAL = `(?:^|[\\s(])((?:[\\w@.-]+\\/)*[\\w@.-]+\\.(?:${ENDINGS})):(\\d+)`;
/** A file and a line, as any language writes them. */
const PLACE = new RegExp([...ALL.flatMap(({ files }) => files.tracePlace?.source ?? []), USUAL].join("|"), "gm");
