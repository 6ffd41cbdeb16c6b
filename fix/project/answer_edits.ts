/** Edits of files that a model gives as its answer, in place of calling a tool. */

import type { Workspace } from "../../agent/tools/workspace.ts";
import { editsIn, withEdits } from "../../utils/base/text/edits.ts";

/**
 * Makes the edits of an answer in the folder, all or none. Once tools have changed something, an answer only shows it.
 * @returns why they cannot be made, in one sentence; null where they are made or there are none
 */
export function makeEdits(workspace: Workspace, answer: string): string | null {
  if (workspace.changed.size > 0) return null;
  const texts = new Map<string, string>();
  for (const edit of editsIn(answer)) {
    const { file } = edit;
    if (file === null) return "Your edits do not say which file they change: use the tools.";
    const isNew = edit.before.length === 0 && !workspace.files().includes(file);
    const read = isNew ? { name: file, text: "" } : workspace.read(file);
    if ("problem" in read) return read.problem;
    const text = texts.get(read.name) ?? read.text;
    const made = isNew ? `${edit.after.join("\n")}\n` : withEdits(text, [edit]);
    if (made === null) return `Your edits do not fit ${file}: view it, and change it with the tools.`;
    texts.set(read.name, made);
  }
  for (const [name, text] of texts) {
    const located = workspace.locateToEdit(name);
    if ("problem" in located) return located.problem;
    workspace.write(located, text);
  }
  return null;
}
