/** Confirms edits that a search calls passed, in processes of their own and one after the other, while it goes on. */

import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import type { Preparation } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import { type FileChange, patched } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import type { TypeCheck } from "../project/types.ts";
import { type FileEdit, withEdit } from "./findings.ts";
import type { Searcher } from "./searchers.ts";

export interface ConfirmationOptions {
  prepared: {
    suite: Pick<Suite, "run">;
    types: TypeCheck;
    baseline: Pick<Preparation["baseline"], "failing" | "passing"> & { run: { cpuSeconds: number } };
  };
  searcher: Pick<Searcher, "confirms">;
  /** The tree that the edits are made in. */
  tree: string;
  /** What is used is taken off, and nothing begins that is likely to pass it, but for the first edit. */
  time: SearchTime | undefined;
  /** Seconds of it that the search itself may still use while it goes on. */
  kept: number;
  onConfirmed: (edit: FileEdit) => void;
  /** Gets each edit for which there was no time. */
  onLeft: (edit: FileEdit) => void;
  signal: AbortSignal | undefined;
}

/** Of what a run of the tests took before, that it may take with an edit. */
const MOST_TIMES = 3;
/** Seconds beside that, for a machine that is slower by then. */
const MORE_SECONDS = 5;

export class Confirmation {
  readonly #options: ConfirmationOptions;
  /** Those that wait until the search has ended, since it may need the time. */
  readonly #waiting: FileEdit[] = [];
  #last: Promise<void> = Promise.resolve();
  #isFirst = true;

  constructor(options: ConfirmationOptions) {
    this.#options = options;
  }

  /** @returns when it was confirmed, refused or put off */
  add(edit: FileEdit): Promise<void> {
    const before = this.#last;
    this.#last = before.then(() => {
      const { time, kept } = this.#options;
      if (this.#isFirst || this.#hasTime((time?.left ?? 0) - kept)) return this.#confirm(edit);
      this.#waiting.push(edit);
    });
    // The caller that awaits the end gets the error.
    this.#last.catch(() => {});
    return this.#last;
  }

  /** Call it when the search has ended: confirms the waiting edits as far as there is time. */
  async end(): Promise<void> {
    await this.#last;
    const { time, onLeft } = this.#options;
    for (const edit of this.#waiting.splice(0)) {
      if (this.#hasTime(time?.left ?? 0)) await this.#confirm(edit);
      else onLeft(edit);
    }
  }

  #hasTime(left: number): boolean {
    const { time, prepared } = this.#options;
    return time === undefined || prepared.baseline.run.cpuSeconds <= left;
  }

  async #confirm(edit: FileEdit): Promise<void> {
    const { prepared, searcher, tree, time, onConfirmed, signal } = this.#options;
    this.#isFirst = false;
    const before = readForeignText(tree, edit.file);
    const change = { file: edit.file, before, after: withEdit(before, edit) };
    if (!searcher.confirms && !(await this.#passes(change))) return;
    const { errors, cpuSeconds } = await prepared.types([change], signal, tree);
    time?.spend(cpuSeconds);
    if (errors.length === 0) onConfirmed(edit);
  }

  /** Whether all tests agree with it in a process of their own. */
  async #passes(change: FileChange): Promise<boolean> {
    const { prepared, tree, time, signal } = this.#options;
    const { failing, passing, run } = prepared.baseline;
    using edited = patched(tree, [change]);
    const seconds = MOST_TIMES * run.cpuSeconds + MORE_SECONDS;
    const { tests, cpuSeconds } = await prepared.suite.run(edited.path, { seconds, signal });
    time?.spend(cpuSeconds);
    return [...failing, ...passing].every(({ name }) => tests.get(name)?.status === "passed");
  }
}
