/** Takes a note about a sample, only from a page of this server. */

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { readJson } from "../../../utils/base/data/record.ts";
import { loadRun } from "../../run/load_run.ts";
import { LONGEST_NOTE, writeNote } from "../../run/notes.ts";
import { sampleKey } from "../../run/results.ts";

const Note = z.object({ task: z.string(), attempt: z.number().int(), text: z.string().max(LONGEST_NOTE) });

/** Bytes of a request: a character is four at most, and JSON may write it as twelve. */
const LARGEST_BODY = 12 * LONGEST_NOTE + 2000;

/**
 * Whether a request that changes something comes from a page of this server. Another site's page can send one, but
 * neither with this type of content nor without its own name.
 */
export const isFromOwnPage = ({ headers }: IncomingMessage, hosts: readonly string[]): boolean =>
  headers["content-type"] === "application/json" && hosts.some((host) => headers.origin === `http://${host}`);

/** @returns what the caller replies */
export async function takeNote(folder: string, request: IncomingMessage): Promise<{ status: number; body: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // The rest is read all the same: a connection closed within a request could not carry the reason.
    if (bytes <= LARGEST_BODY) chunks.push(chunk);
  }
  if (bytes > LARGEST_BODY) return { status: 413, body: `A note has at most ${LONGEST_NOTE} characters.` };
  const note = readJson(Buffer.concat(chunks).toString("utf8"), Note);
  if (!note) return { status: 400, body: `A note names its task and has at most ${LONGEST_NOTE} characters.` };
  const sample = loadRun(folder).results.find(
    ({ task_id, attempt }) => task_id.toWellFormed() === note.task && attempt === note.attempt,
  );
  if (!sample) return { status: 404, body: "There is no such sample." };
  writeNote(folder, sampleKey(sample), note.text);
  return { status: 200, body: "kept" };
}
