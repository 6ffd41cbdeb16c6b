/** Confirms edits that a search calls passed, in processes of their own and one after the other, while it goes on. */

import { readForeignText } from "../../utils/base/files/foreign_file.ts";
import type { Preparation } from "../attempts/prepare.ts";
import type { SearchTime } from "../attempts/search_time.ts";
import { patched } from "../project/patch.ts";
import type { Suite } from "../project/suite.ts";
import type { TypeCheck } from "../project/types.ts";
import { type FileEdit, withEdit } from "./findings.ts";
import type { Searcher } from "./searchers.ts";

/** What of a prepared repository is needed to confirm. */
export interface ConfirmationParts {
  suite: Pick<Suite, "run">;
  types: Pick<TypeCheck, "check">;
  baseline: Pick<Preparation["baseline"], "failing" | "passing"> & { run: { cpuSeconds: number } };
}

interface ConfirmationOptions {
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
  readonly #tested: ConfirmationParts;
  readonly #searcher: Pick<Searcher, "confirms">;
  readonly #tree: string;
  readonly #options: ConfirmationOptions;
  /** Those that wait until the search has ended, since it may need the time. */
  readonly #waiting: FileEdit[] = [];
  #last: Promise<void> = Promise.resolve();
  #isFirst = true;

  /** @param tree the tree that the edits are made in */
  constructor(
    tested: ConfirmationParts,
    searcher: Pick<Searcher, "confirms">,
    tree: string,
    options: ConfirmationOptions,
  ) {
    this.#tested = tested;
    this.#searcher = searcher;
    this.#tree = tree;
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
    return this.#options.time === undefined || this.#tested.baseline.run.cpuSeconds <= left;
  }

  async #confirm(edit: FileEdit): Promise<void> {
    this.#isFirst = false;
    if (!this.#searcher.confirms && !(await this.#passes(edit))) return;
    if (await this.#keepsTypes(edit)) this.#options.onConfirmed(edit);
  }

  /** Whether all tests agree with it in a process of their own. */
  async #passes(edit: FileEdit): Promise<boolean> {
    const { suite, baseline } = this.#tested;
    const { time, signal } = this.#options;
    using edited = patched(this.#tree, [this.#change(edit)]);
    const seconds = MOST_TIMES * baseline.run.cpuSeconds + MORE_SECONDS;
    const { tests, cpuSeconds } = await suite.run(edited.path, { seconds, signal });
    time?.spend(cpuSeconds);
    return [...baseline.failing, ...baseline.passing].every(({ name }) => tests.get(name)?.status === "passed");
  }

  async #keepsTypes(edit: FileEdit): Promise<boolean> {
    const { time, signal } = this.#options;
    const { errors, cpuSeconds } = await this.#tested.types.check([this.#change(edit)], signal, this.#tree);
    time?.spend(cpuSeconds);
    return errors.length === 0;
  }

  #change(edit: FileEdit) {
    const before = readForeignText(this.#tree, edit.file);
    return { file: edit.file, before, after: withEdit(before, edit) };
  }
}
