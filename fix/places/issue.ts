/** What an issue names of a program: functions, files, and messages that it quotes. */

import { basename, dirname } from "node:path";
import { plainName } from "../../utils/languages/places.ts";
import { proseOf } from "./prose.ts";
import { codeIn } from "./words.ts";

/** A path or a dotted name. */
const DOTTED = /[\p{L}_][\w-]{0,60}(?:[./][\w-]{1,60})+/gu;
/** Files that stand for their folder. */
export const FOLDERS_OWN = /\/(?:__init__|index|mod|lib|main)$/;

/** Files that a text names by path or as a module: `lib/parse.js`, `shop.cart`, `shop.cart.Cart.total`. */
export function filesNamed(text: string, files: readonly string[]): Set<string> {
  const byModule = new Map<string, string>();
  const byName = new Map<string, string | null>();
  for (const file of files) {
    const path = file.replace(/\.\w+$/, "").replace(FOLDERS_OWN, "");
    const segments = path.split("/");
    // `src/shop/cart.py` is imported as `shop.cart`.
    for (const from of segments.length > 2 ? [0, 1] : [0]) {
      const module = segments.slice(from).join(".");
      if (module.includes(".")) byModule.set(module, file);
    }
    const name = basename(file);
    byName.set(name, byName.has(name) ? null : file);
  }
  const known = new Set(files);
  const named = new Set<string>();
  for (const [found] of text.matchAll(DOTTED)) {
    const parts = found.split(/[./]/);
    const modules = parts.map((_, i) => byModule.get(parts.slice(0, parts.length - i).join(".")));
    const file = known.has(found) ? found : (byName.get(basename(found)) ?? modules.find((one) => one !== undefined));
    if (file) named.add(file);
  }
  return named;
}

/** Literals of a line in quotes. */
const QUOTED = /(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
/** Where a message takes a value: `%s`, `%(name)d`, `{name}`, `${value}`. */
const PLACEHOLDER = /%(?:\(\w+\))?[-+.\d]*[a-z]|\$?\{[^}]*\}|\\./g;
const LEAST_CHARS = 8;

/** Messages of a program that a text repeats: pieces of two words and more between the placeholders of literals. */
const messagesIn = (code: string, text: string): string[] =>
  [...code.matchAll(QUOTED)]
    .flatMap(([, , literal = ""]) => literal.split(PLACEHOLDER))
    .map((piece) => piece.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "").toLowerCase())
    .filter((piece) => piece.length >= LEAST_CHARS && /\w\s+\w/.test(piece) && text.includes(piece));

/** What a file is called in prose: that of its folder for `autodoc/__init__.py`. */
const moduleName = (file: string): string => {
  const path = file.replace(/\.\w+$/, "");
  return basename(FOLDERS_OWN.test(path) ? dirname(path) : path);
};

/** What each kind of evidence counts; less where several functions have it. */
const WEIGHTS = { named: 0.4, message: 0.4, file: 0.3 };
/** A name or a message that more functions have says of none that it is meant. */
const MOST_ALIKE = 3;

/** What an issue says of one function, words apart. */
export interface IssueMatch {
  score: number;
  reasons: string[];
  /** Whether it says so of the function itself, and not of its file alone. */
  isCertain: boolean;
}

/** @param files of source that the issue may name */
export function issueMatches(
  issue: string,
  files: readonly string[],
  functions: readonly { file: string; name: string; code: string }[],
): IssueMatch[] {
  const prose = proseOf(issue);
  const lower = prose.toLowerCase();
  const owners = codeIn(prose);
  const inFiles = filesNamed(prose, files);
  const found = functions.map(({ file, name, code }) => {
    const called = plainName(name);
    const own = ["", "this", "self", moduleName(file), name.split(/\.|::/).at(-2)].map((one) => one?.toLowerCase());
    const isNamed = [...(owners.get(called) ?? [])].some((owner) => own.includes(owner.toLowerCase()));
    return { file, name: isNamed ? called : null, messages: new Set(prose === "" ? [] : messagesIn(code, lower)) };
  });
  const names = counts(found.flatMap(({ name }) => name ?? []));
  const messages = counts(found.flatMap((one) => [...one.messages]));
  return found.map(({ file, name, messages: repeated }) => {
    const [message] = [...repeated].sort((a, b) => (messages.get(a) ?? 0) - (messages.get(b) ?? 0));
    const isFile = inFiles.has(file);
    const [namesakes, alike] = [names.get(name ?? "") ?? Infinity, messages.get(message ?? "") ?? Infinity];
    return {
      score: WEIGHTS.named / Math.sqrt(namesakes) + WEIGHTS.message / Math.sqrt(alike) + (isFile ? WEIGHTS.file : 0),
      reasons: [
        ...(name === null ? [] : ["the issue names it"]),
        ...(message === undefined ? [] : [`the issue quotes "${message}"`]),
        ...(isFile ? ["the issue names its file"] : []),
      ],
      isCertain: Math.min(namesakes, alike) <= MOST_ALIKE,
    };
  });
}

function counts(items: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of items) found.set(item, (found.get(item) ?? 0) + 1);
  return found;
}
