/** The languages that tasks can be in. */

export const LANGUAGE_NAMES = ["python", "javascript"] as const;
export type LanguageName = (typeof LANGUAGE_NAMES)[number];
