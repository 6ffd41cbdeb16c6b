/** Edits of files that a model gives as its answer, in place of calling a tool. */

import type { Workspace } from "../../agent/tools/workspace.ts";
import { editsIn, type TextEdit, withEdits } from "../../utils/base/text/edits.ts";

/**
 * Makes the edits of an answer in the folder, all or none. Once tools have changed something, an answer mostly shows
 * that: then those edits are made that fit and are not there yet.
 * @returns why they cannot be made, in one sentence; null where they are made or there are none
 */
export function makeEdits(workspace: Workspace, answer: string): string | null {
  const isBegun = workspace.changed.size > 0;
  const texts = new Map<string, string>();
  for (const edit of editsIn(answer)) {
    const made = madeIn(workspace, edit, texts);
    if ("name" in made && !(isBegun && made.isThere)) texts.set(made.name, made.text);
    if ("problem" in made && !isBegun) return made.problem;
  }
  for (const [name, text] of texts) {
    const located = workspace.locateToEdit(name);
    if ("problem" in located) return located.problem;
    workspace.write(located, text);
  }
  return null;
}

/** A file with an edit made. @param texts files with earlier edits of the answer */
function madeIn(workspace: Workspace, edit: TextEdit, texts: ReadonlyMap<string, string>) {
  const { file, before, after } = edit;
  if (file === null) return { problem: "Your edits do not say which file they change: use the tools." };
  const isNew = before.length === 0 && !workspace.files().includes(file);
  const read = isNew ? { name: file, text: "" } : workspace.read(file);
  if ("problem" in read) return read;
  const known = texts.get(read.name) ?? read.text;
  const text = isNew ? `${after.join("\n")}\n` : withEdits(known, [edit]);
  if (text === null) return { problem: `Your edits do not fit ${file}: view it, and change it with the tools.` };
  const isThere = !isNew && withEdits(known, [{ file, before: after, after: before }]) !== null;
  return { name: read.name, text, isThere };
}
