/** The languages that tasks can be in: the one place where a new one is listed. Their order is that of messages. */

import { javascript } from "./javascript/index.ts";
import type { Language } from "./language.ts";
import { python } from "./python/index.ts";

export const LANGUAGES = { python, javascript } satisfies Record<string, Language>;

export type LanguageName = keyof typeof LANGUAGES;

const isLanguageName = (name: string): name is LanguageName => Object.hasOwn(LANGUAGES, name);
export const LANGUAGE_NAMES: readonly LanguageName[] = Object.keys(LANGUAGES).filter(isLanguageName);
