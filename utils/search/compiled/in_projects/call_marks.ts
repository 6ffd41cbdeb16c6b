/** A program whose functions tell that they were called: for languages whose compilers count no lines everywhere. */

import { parse } from "../../syntax/grammar.ts";
import type { CompiledName } from "../../tables.ts";
import { COMPILED_SEARCHES } from "../languages.ts";
import { SWITCH } from "./version_switch.ts";

/** Names the folder in which a function that is called makes one: the value of `SWITCH`, a dot, its number. */
export const RAN = "MEND_RAN";

interface Marks {
  /** A statement for the begin of a body, on one line, that does so at its first call. */
  mark: (number: number) => string;
  /** Of the text in front of a body, and of the body: whether no statement can stand at its begin. */
  isWithout: (head: string, body: string) => boolean;
  /** Whether a file cannot hold such statements at all. */
  isOther: (file: string, text: string) => boolean;
}

/** By language: one that lacks here has another way. */
const MARKS: Partial<Record<CompiledName, Marks>> = {
  java: {
    mark: (number) =>
      ` if (java.lang.System.getProperties().putIfAbsent("mend.ran.${number}", "") == null) new java.io.File(` +
      `java.lang.System.getenv("${RAN}"), java.lang.System.getProperty("${SWITCH}") + ".${number}").mkdir();`,
    // The other constructor is called first.
    isWithout: (_, body) => /^\{\s*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*(?:<[^;]*>\s*)?(?:this|super)\s*\(/.test(body),
    isOther: () => false,
  },
  rust: {
    mark: (number) =>
      " { static RAN: ::std::sync::Once = ::std::sync::Once::new(); RAN.call_once(|| { if let (Ok(place), Ok(at)) = " +
      `(::std::env::var("${RAN}"), ::std::env::var("${SWITCH}")) { ` +
      `let _ = ::std::fs::create_dir(::std::format!("{}/{}.${number}", place, at)); } }); }`,
    isWithout: (head, body) =>
      /\bconst\s+(?:unsafe\s+|extern\s+)*(?:"[^"]*"\s+)?fn\b/.test(head) || /^\{\s*#!/.test(body),
    isOther: (file, text) => /(?:^|\/)build\.rs$/.test(file) || /#!\[no_std\]/.test(text),
  },
};

/** Whether functions of a language can be marked. */
export const canMark = (language: CompiledName): boolean => MARKS[language] !== undefined;

export interface MarkedFile {
  text: string;
  /** By its number, the line (1-based) in which a function's body begins. */
  marked: Map<number, number>;
  /** Such lines of functions that tell nothing. */
  unmarked: number[];
}

/** @param first the number of its first function: each of a project has one of its own */
export async function withMarks(
  language: CompiledName,
  file: string,
  text: string,
  first: number,
): Promise<MarkedFile> {
  const marks = MARKS[language];
  const grammar = await COMPILED_SEARCHES[language].loadGrammar();
  const found: MarkedFile = { text: "", marked: new Map(), unmarked: [] };
  const bodies = (await parse(grammar, text))
    .descendantsOfType([...grammar.functions])
    .flatMap((one) => {
      const body = one?.childForFieldName("body");
      return one && body && text[body.startIndex] === "{"
        ? [{ head: text.slice(one.startIndex, body.startIndex), body }]
        : [];
    })
    .toSorted((a, b) => a.body.startIndex - b.body.startIndex);
  let end = 0;
  for (const { head, body } of bodies) {
    const line = body.lines[0];
    if (!marks || marks.isOther(file, text) || marks.isWithout(head, text.slice(body.startIndex, body.endIndex))) {
      found.unmarked.push(line);
      continue;
    }
    const number = first + found.marked.size;
    found.marked.set(number, line);
    found.text += text.slice(end, body.startIndex + 1) + marks.mark(number);
    end = body.startIndex + 1;
  }
  found.text += text.slice(end);
  return found;
}
