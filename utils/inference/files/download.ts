/**
 * Downloads the files of a model into the cache: resumable, checked, and under its final name only when it is whole.
 */

import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { messageOf, UserError } from "../../base/data/errors.ts";
import type { Hub, Repo, RepoFile } from "../../base/data/hub.ts";
import { hubProblem } from "../../base/data/hub_problem.ts";
import { isTerminal } from "../../program/live_region.ts";

/** Told while files come in. Bytes are those of all files together. */
export type OnProgress = (progress: { path: string; doneBytes: number; totalBytes: number }) => void;

/** Attempts for one file; each goes on where the last one broke. */
const ATTEMPTS = 4;
const FIRST_WAIT_MS = 500;

/** @throws UserError where a file cannot be had; what has arrived stays in `.part` files for the next time */
export async function download(
  hub: Hub,
  repo: Repo,
  files: readonly RepoFile[],
  folder: string,
  onProgress: OnProgress,
): Promise<void> {
  const totalBytes = files.reduce((sum, f) => sum + f.size, 0);
  let before = 0;
  for (const file of files) {
    const target = join(folder, file.path);
    const report = (bytes: number): void => onProgress({ path: file.path, doneBytes: before + bytes, totalBytes });
    if (!isWhole(target, file)) await downloadFile(hub, repo, file, target, report);
    before += file.size;
    report(0);
  }
}

export const isWhole = (target: string, { size }: { size: number }): boolean =>
  existsSync(target) && statSync(target).size === size;

async function downloadFile(
  hub: Hub,
  repo: Repo,
  file: RepoFile,
  target: string,
  report: (bytes: number) => void,
): Promise<void> {
  const part = `${target}.${repo.revision.slice(0, 12)}.part`;
  mkdirSync(dirname(target), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      await fetchRest(hub, repo, file, part, report);
      break;
    } catch (error) {
      if (attempt === ATTEMPTS || isFinal(error)) throw explain(hubProblem(error, hub, repo.id), repo, file);
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)));
    }
  }
  await verify(file, part, repo);
  renameSync(part, target);
}

/** The disk is full or not writable: another attempt would fail in the same way. */
const isFinal = (error: unknown): boolean =>
  error instanceof Error && "code" in error && /^(?:ENOSPC|EACCES|EROFS|EDQUOT)$/.test(String(error.code));

function explain(error: unknown, repo: Repo, file: RepoFile): Error {
  if (error instanceof UserError) return error;
  const reason = messageOf(error);
  return new UserError(
    `${file.path} of ${repo.id} could not be downloaded (${reason}): run again to go on from there.`,
  );
}

async function fetchRest(
  hub: Hub,
  repo: Repo,
  file: RepoFile,
  part: string,
  report: (bytes: number) => void,
): Promise<void> {
  const have = existsSync(part) ? statSync(part).size : 0;
  if (have === file.size && have > 0) return;
  const { body, status } = await hub.open(repo, file.path, have < file.size ? have : 0);
  if (!body) throw new Error("the answer has no body");
  const partial = status === 206;
  let done = partial ? have : 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      done += chunk.length;
      report(done);
      next(null, chunk);
    },
  });
  const sink = createWriteStream(part, { flags: partial ? "a" : "w" });
  await pipeline(Readable.from(body), count, sink);
  if (statSync(part).size < file.size) throw new Error("the connection ended early");
}

/**
 * @throws UserError where the bytes are not those of the repository; they are deleted, as resuming could not mend them
 */
async function verify(file: RepoFile, part: string, repo: Repo): Promise<void> {
  const sizeFits = statSync(part).size === file.size;
  if (sizeFits && (!file.sha256 || (await hashOf(part)) === file.sha256)) return;
  rmSync(part, { force: true });
  throw new UserError(`${file.path} of ${repo.id} arrived damaged: run again to download it anew.`);
}

async function hashOf(path: string): Promise<string> {
  const hash: Hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

const BAR = 24;
const EVERY_MS = 100;

/**
 * Shows a download on stderr: a bar that moves on a terminal, elsewhere a line every tenth. @param log takes whole
 * lines
 */
export function downloadProgress(model: string, log: (line: string) => void): OnProgress {
  const { stderr } = process;
  let shown = Number.NEGATIVE_INFINITY;
  let tenth = -1;
  let finished = false;
  return ({ path, doneBytes, totalBytes }) => {
    const share = totalBytes === 0 ? 1 : doneBytes / totalBytes;
    if (finished) return;
    finished = share >= 1;
    const text = `${model}: ${Math.floor(share * 100)}% of ${(totalBytes / 1e6).toFixed(0)} MB`;
    if (!isTerminal(stderr)) {
      if (Math.floor(share * 10) > tenth) log(`downloading ${text}`);
      tenth = Math.max(tenth, Math.floor(share * 10));
      return;
    }
    if (!finished && performance.now() - shown < EVERY_MS) return;
    shown = performance.now();
    const bar = "█".repeat(Math.round(share * BAR)).padEnd(BAR, "░");
    stderr.write(`\r\u001b[2K${bar} ${text}, ${path}${finished ? "\n" : ""}`);
  };
}
