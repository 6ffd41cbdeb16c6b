/** Which language a user's file is in, and what the file defines. */

import { extname } from "node:path";
import { UserError } from "../base/data/errors.ts";
import type { Language } from "../languages/language.ts";
import type { Outline } from "../languages/outline.ts";
import { LANGUAGES, languageOf } from "../languages/registry.ts";
import type { Project } from "./project.ts";
import { startedPython } from "./python_environment.ts";

/** @throws UserError that names the languages, where the file is in none that mend repairs files of */
export function languageOfFile(file: string): Language {
  const language = languageOf(file);
  if (language?.files.outline) return language;
  const known = Object.values(LANGUAGES)
    .filter(({ files }) => files.outline)
    .map(({ title, extensions }) => `${title} (${extensions.join(" ")})`);
  const what = language ? `files of ${language.title}` : `"${extname(file) || "files without an ending"}"`;
  throw new UserError(`${file}: mend repairs ${known.join(" and ")}, not ${what}.`);
}

/** @throws UserError where the file is in no language that is repaired, or there is no Python to read Python with */
export async function outline(file: string, text: string, project: Project): Promise<Outline> {
  const { files } = languageOfFile(file);
  if (!files.outline) throw new Error(`no outline of ${file}`);
  return files.outline({ file, text, interpreter: async () => (await startedPython(project)).executable });
}
