/** What models write at this moment (`--live`): `live.json` in a run's folder, for the page that follows the run. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Progress } from "../../../agent/run/progress.ts";
import { readForeignJson } from "../../../utils/base/files/foreign_file.ts";
import { replaceInside } from "../../../utils/base/files/write_inside.ts";
import { type SampleId, sampleKey } from "../results.ts";

const FILE = "live.json";
const WRITE_MS = 250;
/** How many characters of the end of a reply are shown. */
const SHOWN_CHARS = 2000;

const Replies = z.array(z.object({ task: z.string(), attempt: z.number(), text: z.string() }));
/** A reply that is being written; empty while the model is waited for. */
export type LiveReply = z.infer<typeof Replies>[number];

/** Replies in the order in which their samples began; none if no model is writing. */
export function readLive(folder: string): LiveReply[] {
  return readForeignJson(folder, FILE, Replies) ?? [];
}

interface Live extends Disposable {
  heard(sample: SampleId, progress: Progress): void;
  finished(sample: SampleId): void;
}

/** Keeps `live.json` up to date. If it cannot be written nothing is lost: the results will tell the same later. */
export function startLive(folder: string): Live {
  const replies = new Map<string, LiveReply>();
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    timer = undefined;
    try {
      replaceInside(folder, FILE, JSON.stringify([...replies.values()]));
    } catch {
      // The next piece of a reply tries it again.
    }
  };
  const soon = () => {
    timer ??= setTimeout(write, WRITE_MS).unref();
  };
  return {
    heard: (sample, progress) => {
      if (progress.type === "replied") return;
      const key = sampleKey(sample);
      const before = progress.type === "asked" ? "" : (replies.get(key)?.text ?? "");
      const text = before + (progress.type === "wrote" ? progress.text : "");
      replies.set(key, { task: sample.task_id, attempt: sample.attempt, text: text.slice(-SHOWN_CHARS) });
      soon();
    },
    finished: (sample) => {
      replies.delete(sampleKey(sample));
      soon();
    },
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      rmSync(join(folder, FILE), { force: true });
    },
  };
}
