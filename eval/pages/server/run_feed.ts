/** What has changed in a run that grows, for all pages that follow it: it is read once, however many they are. */

import { loadRun } from "../../run/load_run.ts";
import { isRunning } from "../../run/lock.ts";
import { sampleKey } from "../../run/results.ts";
import { type LiveUpdate, type Overview, overview, rowsOf, type SampleRow } from "../report/page_data.ts";
import { runSignature } from "../runs/run_list.ts";

/** Rows in one message: what a page has not read yet is no more than a few hundred kilobytes. */
const ROWS_AT_ONCE = 1000;

/** Returns the changes that a page has not got yet, from the first row on; null if there are none. */
type Changes = () => LiveUpdate | null;

/** The runs of a server. A run is forgotten once no page follows it. */
export function createRunFeeds(): { changes(folder: string): Changes } {
  const feeds = new Map<string, WeakRef<RunFeed>>();
  return {
    changes: (folder) => {
      const feed = feeds.get(folder)?.deref() ?? new RunFeed(folder);
      feeds.set(folder, new WeakRef(feed));
      for (const [name, other] of feeds) if (!other.deref()) feeds.delete(name);
      return feed.changes();
    },
  };
}

class RunFeed {
  readonly #folder: string;
  #signature = "";
  #overview: Overview | null = null;
  /** Counts changes of what is not a row. */
  #version = 0;
  /** Each row as it is now, and all of them in the order in which they came or became others. */
  readonly #rows = new Map<string, SampleRow>();
  readonly #log: SampleRow[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** For one page. */
  changes(): Changes {
    let [told, version] = [0, 0];
    return () => {
      this.#look();
      if (told === this.#log.length && version === this.#version) return null;
      const rows = this.#log.slice(told, told + ROWS_AT_ONCE);
      told += rows.length;
      const isSame = version === this.#version;
      version = this.#version;
      return { overview: isSame ? null : this.#overview, rows };
    };
  }

  /** Reads what has changed. @throws UserError where the run cannot be read at this moment */
  #look(): void {
    const signature = runSignature(this.#folder);
    // Its process may be killed, which changes no file.
    const isSame = signature === this.#signature && this.#overview?.running === isRunning(this.#folder);
    if (isSame) return;
    const run = loadRun(this.#folder);
    this.#overview = overview(run);
    for (const sample of rowsOf(run)) this.#note(sample);
    this.#signature = signature;
    this.#version += 1;
  }

  #note(own: SampleRow): void {
    const key = sampleKey({ task_id: own.task, attempt: own.attempt });
    const known = this.#rows.get(key);
    if (known && JSON.stringify(known) === JSON.stringify(own)) return;
    this.#rows.set(key, own);
    this.#log.push(own);
  }
}
