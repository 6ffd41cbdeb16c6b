/** For tests: what a page of documentation says that a reader does: files that it writes, commands and what they print. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../options.ts";

/** ```` ```python half.py ````: a file. ```` ```console ````: commands behind `$ ` with what they print. */
interface Block {
  language: string;
  /** What stands behind the language. */
  title: string;
  text: string;
}

export type Action = { kind: "file"; name: string; text: string } | { kind: "command"; words: string; prints: string };

export const blocksOf = (page: string): Block[] =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/^( *)```(\w*)(?: ([^\n]*))?\n([\s\S]*?)^\1```$/gm)].map(
    ([, indent = "", language = "", title = "", text = ""]) => ({
      language,
      title,
      text: text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    }),
  );

/** In the order of the page. */
export const actionsOf = (page: string): Action[] =>
  blocksOf(page).flatMap(({ language, title, text }): Action[] => {
    if (language === "console") return commandsIn(text);
    return title === "" ? [] : [{ kind: "file", name: title, text }];
  });

/** A command goes on in the next line behind a backslash. */
function commandsIn(text: string): Action[] {
  const parts = text.split(/^\$ /m).slice(1);
  return parts.map((part) => {
    const [, words = "", prints = ""] = /^((?:[^\n]*\\\n)*[^\n]*)\n([\s\S]*)$/.exec(part) ?? [];
    return { kind: "command", words, prints };
  });
}

/** What is printed, where `…` stands for what varies: in a line for a part of it, alone for any number of lines. */
export function printed(prints: string): RegExp {
  if (prints === "") return /^$/;
  const lines = prints.trimEnd().split("\n");
  const escaped = (line: string) => line.split("…").map(literally).join(".*");
  const pattern = lines.map((line) => (line === "…" ? "(?:.*\\n)*" : `${escaped(line)}\\n`)).join("");
  return new RegExp(`^${pattern}$`);
}

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
