/**
 * Edits that a search found, made in a work folder: the value that the engine gave, and no text that a model wrote of
 * it.
 */

import type { Observation } from "../../agent/dialects/reply.ts";
import { ok, refused } from "../../agent/tools/files.ts";
import type { Workspace } from "../../agent/tools/workspace.ts";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { clause } from "../../utils/base/text/format.ts";
import { type FileEdit, fits, inverse, withEdit } from "./findings.ts";

export class FolderEdits {
  readonly #workspace: Workspace;
  #found: readonly FileEdit[] = [];
  #taken: FileEdit | null = null;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Those of a new search. One that was taken before stays. */
  found(edits: readonly FileEdit[]): void {
    this.#found = edits;
    this.#taken = null;
  }

  /** Makes an edit in place of the one that was taken before. @param number from 1, as the search told them */
  take(number: number): Observation {
    const edit = this.#found[number - 1];
    if (!edit)
      return refused(
        `The last search found ${clause(this.#found.length, "edit", "pass")}: there is no edit ${number}.`,
      );
    const problem = this.#taken && this.#make(inverse(this.#taken));
    if (problem !== null) return refused(problem);
    this.#taken = null;
    const before = this.#textOf(edit.file);
    const failed = this.#make(edit);
    if (failed !== null) return refused(failed);
    this.#taken = edit;
    return { ...ok(unifiedDiff(edit.file, before, this.#textOf(edit.file))), status: `edit ${number} is made` };
  }

  #textOf(file: string): string {
    const read = this.#workspace.read(file);
    return "problem" in read ? "" : read.text;
  }

  /** @returns why nothing was changed; null where it was */
  #make(edit: FileEdit): string | null {
    const located = this.#workspace.locateToEdit(edit.file);
    if ("problem" in located) return located.problem;
    const text = this.#textOf(edit.file);
    if (!fits(text, edit)) return `${edit.file} was changed since: search again.`;
    this.#workspace.write(located, withEdit(text, edit));
    return null;
  }
}
