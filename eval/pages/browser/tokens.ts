/** Splits source code into tokens for colouring, by highlight.js. */

import highlight from "highlight.js/lib/core";
import cpp from "highlight.js/lib/languages/cpp";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";

/** TypeScript's grammar reads JavaScript, too. */
const GRAMMARS = { cpp, go, java, javascript: typescript, python, rust };
for (const [name, grammar] of Object.entries(GRAMMARS)) highlight.registerLanguage(name, grammar);

export interface Token {
  /** A class of highlight.js without its `hljs-`; "" for plain text. */
  kind: string;
  text: string;
}

const PART = /<span class="hljs-(\w+)[^"]*">|<\/span>|([^<]+)/g;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** Tokens line by line. @param language undefined, or one that no grammar is known of: plain text */
export function lineTokens(lines: readonly string[], language: string | undefined): Token[][] {
  if (language === undefined || !Object.hasOwn(GRAMMARS, language)) return lines.map((text) => [{ kind: "", text }]);
  const { value } = highlight.highlight(lines.join("\n"), { language, ignoreIllegals: true });
  const result: Token[][] = [[]];
  const kinds: string[] = [];
  for (const [, kind, text] of value.matchAll(PART)) {
    if (kind !== undefined) kinds.push(kind);
    else if (text === undefined) kinds.pop();
    // A token that goes over line ends is split.
    for (const [i, part] of text?.split("\n").entries() ?? []) {
      if (i > 0) result.push([]);
      const plain = part.replace(/&([#\w]+);/g, (whole, name) => ENTITIES[name] ?? whole);
      if (part !== "") result.at(-1)?.push({ kind: kinds.at(-1) ?? "", text: plain });
    }
  }
  return result;
}

/** The first characters of a line, never half of a pair. */
export function shorten(line: string, chars: number): { shown: string; rest: number } {
  if (line.length <= chars * 1.2) return { shown: line, rest: 0 };
  const shown = line.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  return { shown, rest: line.length - shown.length };
}
