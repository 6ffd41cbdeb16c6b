/** The languages that tasks can be in. A new one is its folder, its name in `language.ts` and its row here. */

import { extname } from "node:path";
import { cpp } from "./cpp/index.ts";
import { go } from "./go/index.ts";
import { java } from "./java/index.ts";
import { javascript } from "./javascript/index.ts";
import type { Language, LanguageName } from "./language.ts";
import { python } from "./python/index.ts";
import { rust } from "./rust/index.ts";

export const LANGUAGES: Readonly<Record<LanguageName, Language>> = { python, javascript, java, cpp, go, rust };

/** By the end of a file's name; undefined for a file of no language. */
export const languageOf = (file: string): Language | undefined =>
  Object.values(LANGUAGES).find(({ extensions }) => extensions.includes(extname(file).toLowerCase()));

/** `Python, JavaScript and Java`. */
export const titlesOf = (names: readonly LanguageName[]): string =>
  names
    .map((name) => LANGUAGES[name].title)
    .join(", ")
    .replace(/, ([^,]*)$/, " and $1");
