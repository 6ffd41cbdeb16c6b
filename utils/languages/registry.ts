/** The languages that tasks can be in: the one place where a new one is listed. */

import { javascript } from "./javascript.ts";
import type { Language } from "./language.ts";
import type { LanguageName } from "./names.ts";
import { python } from "./python.ts";

export const LANGUAGES: Record<LanguageName, Language> = { python, javascript };
