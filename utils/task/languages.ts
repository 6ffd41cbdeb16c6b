/** Languages as ids of tasks and configurations of datasets name them. */

import { LANGUAGE_NAMES, type Language } from "../languages/language.ts";
import { LANGUAGES, titlesOf } from "../languages/registry.ts";

/** Languages that tasks of a benchmark cannot be in, as ids and configurations call them. */
const OTHER_LANGUAGES = new Map([
  ["ts", "TypeScript"],
  ["typescript", "TypeScript"],
]);

const KNOWN = Object.values(LANGUAGES);
/** The configuration that a hub id alone means. */
export const DEFAULT_CONFIG = LANGUAGES.python.config;

/** `js` and `JavaScript` → JavaScript; undefined for other languages than mend runs. */
export const languageNamed = (name: string): Language | undefined =>
  KNOWN.find(({ config, title }) => [config, title.toLowerCase()].includes(name.toLowerCase()));

/** `cpp` → `C++`; undefined for a language that can be run, and for what is no language that is known. */
export const unknownLanguage = (name: string): string | undefined =>
  languageNamed(name) ? undefined : OTHER_LANGUAGES.get(name.toLowerCase());

/** `Python, JavaScript and Java`. */
export const KNOWN_TITLES = titlesOf(LANGUAGE_NAMES);

/** Of a task's id, which names its language in many benchmarks. */
export const firstPart = (taskId: string): string => taskId.split("/")[0] ?? "";

/** From the first part of the id; ids that name no language are Python's. */
export const languageOfTask = (taskId: string): Language => languageNamed(firstPart(taskId)) ?? LANGUAGES.python;
