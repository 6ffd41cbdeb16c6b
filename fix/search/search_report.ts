/** What the processes of a search tell, line by line, put together: at each moment what is known so far. */

import { z } from "zod";
import { smallest } from "../../utils/base/data/extremes.ts";
import { readJson } from "../../utils/base/data/record.ts";
import { plural } from "../../utils/base/text/format.ts";
import { changeIn, FileEdit, type FoundEdits, FunctionReport, likeliestFirst } from "./findings.ts";

/** A process that ended before its work did: where another one goes on, and what it had used for that function. */
const Stopped = z.object({
  stopped: z.enum(["hung", "memory"]),
  next: z.number(),
  tried: z.number(),
  cpu: z.number(),
  hungSeconds: z.number().default(0),
  /** Cost of the dearest edits that are still tried; null: any. */
  limit: z.number().nullable(),
});
const Done = z.object({ done: z.literal(true), why: z.string().optional() });
/** Of the last edits that passed in the function that is searched, in their order. */
const Behaviours = z.object({ behaviours: z.array(z.string().nullable()) });
/** Of the function that is searched, now and then. */
const Going = z.object({ going: z.literal(true), tried: z.number(), cpu: z.number() });
const SearchRow = z.union([Going, FileEdit, FunctionReport, Done, Stopped, Behaviours]);
type SearchRow = z.infer<typeof SearchRow>;

/** Where a process begins. */
export type Start = Pick<z.infer<typeof Stopped>, "tried" | "cpu" | "limit"> & { function: number; number: number };
export const FIRST: Start = { function: 0, number: 0, tried: 0, cpu: 0, limit: null };

type Place = Pick<FunctionReport, "file"> & { name: string };

interface ReportOptions {
  places: readonly Place[];
  /** Edits that cost this much more than a passing one are too unlikely to count as left out. */
  margin: number;
  /** Gets each edit that a process calls passed; it counts once it is `confirm`ed. */
  onEdit: (edit: FileEdit) => void;
  /** Turns a process's name of a file into the name in `places`. Default: they are the same. */
  named?: (file: string) => string;
  /** Cost of an edit that passes already: what costs far more is not tried. */
  passingCost?: number | undefined;
  /** Gets a line on how far the search of a function has come. */
  onGoing?: ((text: string) => void) | undefined;
}

export class SearchReport {
  readonly #options: ReportOptions;
  readonly #functions: FunctionReport[] = [];
  /** What hung in the present function, in processes that ended. */
  #hung: Hung = { hung: 0, hungSeconds: 0 };
  readonly #passed: FileEdit[] = [];
  readonly #confirmed = new Set<FileEdit>();
  readonly #left: FileEdit[] = [];
  /** Of `#passed`, those of the functions that are done. */
  #settled = 0;
  done: z.infer<typeof Done> | null = null;
  /** Why the last process ended early; null if it did not, or the reason is unknown. */
  stopped: z.infer<typeof Stopped> | null = null;
  renewed = 0;

  constructor(options: ReportOptions) {
    this.#options = options;
  }

  /** Takes a line of a process, which names files as its folder has them. */
  read(line: string): void {
    const row = readJson(line, SearchRow);
    const { named = (file: string) => file } = this.#options;
    if (row && "file" in row) row.file = named(row.file);
    if (row) this.#take(row);
  }

  /** Takes the same as a value. */
  add(row: z.input<typeof SearchRow>): void {
    this.#take(SearchRow.parse(row));
  }

  #take(row: SearchRow): void {
    const { places, onEdit, onGoing } = this.#options;
    if ("going" in row) {
      const place = places[this.#functions.length];
      const tried = `${plural(row.tried, "edit")} tried`;
      if (place) onGoing?.(`${place.file} ${place.name}: ${tried}, ${this.#bestSoFar()}`);
      return;
    }
    if ("text" in row) {
      // The tests run where the search does, and may say what they like: no other file is read or changed for them.
      if (!places.some(({ file }) => file === row.file)) return;
      // A function inside another one is searched with each of them.
      const isKnown = this.#passed.some((one) => isSameEdit(one, row));
      this.#passed.push(row);
      if (!isKnown) onEdit(row);
    } else if ("behaviours" in row) {
      const { behaviours } = row;
      const compared = this.#passed.slice(this.#settled).slice(-behaviours.length);
      for (const [i, edit] of compared.entries()) edit.behaviour = behaviours[i] ?? null;
    } else if ("function" in row) {
      this.#end(row);
    } else if ("done" in row) {
      this.done = row;
    } else {
      this.stopped = row;
      if (row.stopped === "hung") this.#hung = withHung(this.#hung, { hung: 1, hungSeconds: row.hungSeconds });
    }
  }

  confirm(edit: FileEdit): void {
    this.#confirmed.add(edit);
  }

  #bestSoFar(): string {
    const [best] = likeliestFirst(this.#passed.filter((edit) => this.#confirmed.has(edit)));
    if (best) return `${this.#confirmed.size} pass, best: ${changeIn(best)}`;
    return this.#passed.length > 0 ? `${this.#passed.length} passed once, not yet confirmed` : "none passes yet";
  }

  /** There was no time to confirm it: it counts as one that was not tried. */
  leaveOut(edit: FileEdit): void {
    this.#left.push(edit);
  }

  /** Whether any process got as far as a function's edits. */
  get hasBegun(): boolean {
    return this.#functions.length > 0 || this.#passed.length > 0;
  }

  /** Where the next process goes on. */
  next(): Start {
    const at = { ...FIRST, function: this.#functions.length };
    const { stopped } = this;
    this.stopped = null;
    if (stopped) return { ...at, number: stopped.next, tried: stopped.tried, cpu: stopped.cpu, limit: stopped.limit };
    const limit = this.#limitOf(this.#passed);
    return { ...at, limit: Number.isFinite(limit) ? limit : null };
  }

  /** Gives up the function that is searched. @returns whether there is another one */
  leave(): boolean {
    const { places } = this.#options;
    const place = places[this.#functions.length];
    if (place) this.#end({ ...unsearched(place), tried: this.stopped?.tried ?? 0, cpu: this.stopped?.cpu ?? 0 });
    return this.#functions.length < places.length;
  }

  #limitOf(edits: readonly FileEdit[]): number {
    const { margin, passingCost = Number.POSITIVE_INFINITY } = this.#options;
    return smallest([passingCost, ...edits.map(({ cost }) => cost)]) + margin;
  }

  #end(row: FunctionReport): void {
    this.#functions.push({ ...row, ...withHung(row, this.#hung) });
    this.#hung = { hung: 0, hungSeconds: 0 };
    this.#settled = this.#passed.length;
  }

  /**
   * Functions without a report have edits that were not tried. What a function left out before any edit passed counts
   * only if it is about as likely as what passed since.
   */
  findings(): FoundEdits {
    const edits = this.#passed.filter((edit) => this.#confirmed.has(edit));
    const limit = this.#limitOf(edits);
    const [now, ...others] = this.#options.places.slice(this.#functions.length).map(unsearched);
    const functions = [...this.#functions, ...(now ? [{ ...now, ...withHung(now, this.#hung) }] : []), ...others];
    const at = (edit: FileEdit) => functions.findIndex(({ file }) => file === edit.file);
    return {
      edits,
      functions: functions.map((one, i) => ({
        ...one,
        untried:
          (one.next !== null && one.next > limit ? 0 : one.untried) +
          this.#left.filter((edit) => at(edit) === i).length,
      })),
      renewed: this.renewed,
    };
  }
}

type Hung = Pick<FunctionReport, "hung" | "hungSeconds">;
const withHung = (one: Hung, other: Hung): Hung => ({
  hung: one.hung + other.hung,
  hungSeconds: Math.max(one.hungSeconds, other.hungSeconds),
});

const isSameEdit = (a: FileEdit, b: FileEdit): boolean =>
  a.file === b.file && a.from === b.from && a.old === b.old && a.text === b.text;

const unsearched = ({ name, file }: Place): FunctionReport =>
  FunctionReport.parse({ function: name, file, tried: 0, untried: 1, why: "its search did not come to its end" });
