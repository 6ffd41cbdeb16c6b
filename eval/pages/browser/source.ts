/** Where a page's data comes from: the page itself, or the server that follows a run. */

import type { Detail } from "../report/detail.ts";
import { encoded } from "./address.ts";

/** The parts of a sample's identity. */
export const keyOf = ({ task, attempt }: { task: string; attempt: number }): string => `${task}#${attempt}`;

export const island = (id: string): string => document.getElementById(id)?.textContent ?? "";

/** A sample, and on a page of several runs the name of its run. */
interface DetailOf {
  task: string;
  attempt: number;
  run?: string;
}

/** What is known at first, and the details of samples. The data of a file are deflated, those of a server are not. */
export async function openSource<Data>(): Promise<{
  data: Data;
  isServed: boolean;
  detail(sample: DetailOf): Promise<Detail>;
}> {
  const text = island("data");
  if (text.startsWith("{")) return { data: JSON.parse(text), isServed: true, detail: (sample) => ask(pathOf(sample)) };
  const open = packedDetails();
  const detail = async (sample: DetailOf) => read(await open(), packedKey(sample));
  return { data: JSON.parse(await inflated(text)), isServed: false, detail };
}

const packedKey = ({ run, ...sample }: DetailOf): string =>
  run === undefined ? keyOf(sample) : `${run}\n${keyOf(sample)}`;

const pathOf = ({ run, task, attempt }: DetailOf): string =>
  `${run === undefined ? "" : `runs/${encoded(run)}/`}detail?task=${encoded(task)}&attempt=${attempt}`;

/** See pack.ts. */
interface PackedDetails {
  blocks: string[];
  /** JSON of each detail, its long texts as blocks. */
  values: Record<string, string>;
}

/** The details of a file, once they are asked for. */
function packedDetails(): () => Promise<PackedDetails> {
  let unpacked: Promise<PackedDetails> | undefined;
  const open = () => {
    unpacked ??= inflated(island("details")).then(JSON.parse);
    return unpacked;
  };
  // Ready before the first task is opened, and after the page is drawn.
  setTimeout(open, 50);
  return open;
}

async function ask(path: string) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function inflated(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

/** Puts a detail and its texts together. */
const read = ({ blocks, values }: PackedDetails, key: string): Detail =>
  JSON.parse(values[key] ?? "null", (_, value: unknown) => {
    if (typeof value !== "object" || value === null || !("=" in value) || !Array.isArray(value["="])) return value;
    const ranges: number[] = value["="];
    let text = "";
    for (let i = 0; i < ranges.length; i += 2) {
      const first = ranges[i] ?? 0;
      text += blocks.slice(first, first + (ranges[i + 1] ?? 0)).join("");
    }
    return text;
  });

/**
 * Follows a page's own server while the page is looked at: a browser has six connections to a server, and with as many
 * pages in the background the next one would never load.
 * @param onTrouble told why nothing more comes, and "" once it does
 * @returns ends it
 */
export function follow<T>(onMessage: (message: T) => void, onTrouble: (why: string) => void): () => void {
  let events: EventSource | undefined;
  const connect = () => {
    events?.close();
    if (document.hidden) return;
    events = new EventSource("events");
    events.onopen = () => onTrouble("");
    events.onerror = () => onTrouble("Not connected: the server does not answer, or the run is gone.");
    events.onmessage = ({ data }: MessageEvent<string>) => onMessage(JSON.parse(data));
    events.addEventListener("trouble", ({ data }: MessageEvent<string>) => onTrouble(JSON.parse(data)));
  };
  document.addEventListener("visibilitychange", connect);
  connect();
  return () => {
    document.removeEventListener("visibilitychange", connect);
    events?.close();
  };
}
