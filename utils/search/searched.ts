/** The languages whose programs can be searched. */

import { LANGUAGE_NAMES, type LanguageName } from "../languages/language.ts";
import { COMPILED_NAMES } from "./tables.ts";

const NAMES: readonly LanguageName[] = ["python", "javascript", ...COMPILED_NAMES];

/** In the order of messages. */
export const SEARCHED: readonly LanguageName[] = LANGUAGE_NAMES.filter((name) => NAMES.includes(name));
