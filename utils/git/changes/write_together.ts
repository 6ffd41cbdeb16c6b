/**
 * Changes several of the user's files: all of them or none, never over somebody else's change, with copies kept of what
 * git lacks.
 */

import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { errorCode, messageOf, UserError, writeError } from "../../base/data/errors.ts";
import { requireWritable } from "../../base/files/users_file.ts";
import { hasProcess } from "../../base/host/has_process.ts";
import { inLine } from "../../base/text/text.ts";
import { git } from "../git.ts";

export interface UsersChange {
  /** Whole, without links. */
  path: string;
  /** The text that the change was made from; null where there was no file. */
  before: string | null;
  /** Null where the file goes. */
  after: string | null;
  /** Whether it may be executed. Default: as it was; a new one may not. */
  executable?: boolean | undefined;
}

/**
 * Each text is written beside its file first and put into its place when all are there; what fails then takes back what
 * was done. A signal that comes meanwhile is heard afterwards.
 * @returns where originals were copied to that git does not have
 * @throws UserError where a file changed since it was read, or the system refuses one; then all are as they were
 */
export async function writeTogether(changes: readonly UsersChange[]): Promise<string[]> {
  // A signal that nothing else handles must still end the process: it is sent again below.
  const unheard = SIGNALS.filter((signal) => process.listenerCount(signal) === 0);
  const heard = new Set<NodeJS.Signals>();
  const hear = (signal: NodeJS.Signals) => heard.add(signal);
  for (const signal of SIGNALS) process.on(signal, hear);
  try {
    return changeAll(changes);
  } finally {
    // Signals arrive between two turns of the event loop.
    await setImmediate();
    await setImmediate();
    for (const signal of SIGNALS) process.off(signal, hear);
    for (const signal of unheard) if (heard.has(signal)) process.kill(process.pid, signal);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

interface Work {
  /** Names of what is in the way meanwhile, without a number and an ending. */
  name: string;
  /** What takes back what was done, in the order in which it was. */
  undo: (() => void)[];
  /** What is in the way once all is done. */
  drafts: string[];
  backups: string[];
}

function changeAll(changes: readonly UsersChange[]): string[] {
  const work: Work = { name: `.mend-${process.pid}-${randomUUID().slice(0, 8)}`, undo: [], drafts: [], backups: [] };
  let path = "";
  try {
    for (const change of changes) {
      path = change.path;
      requireUnchanged(change);
    }
    const staged = changes.map((change, i) => {
      path = change.path;
      return { change, ...stage(change, i, work) };
    });
    for (const { change, draft, kept } of staged) {
      path = change.path;
      put(change, draft, kept, work);
    }
  } catch (error) {
    const left = takenBack(work);
    throw new UserError([problemOf(error, path), ...(left.length > 0 ? left : ["Nothing was written."])].join(" "));
  }
  for (const draft of work.drafts) rmSync(draft, { force: true });
  return work.backups;
}

function requireUnchanged({ path, before }: UsersChange): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const isAsRead = before === null ? !found : found?.isFile() && holds(path, before);
  if (!isAsRead) throw new UserError(`${inLine(path)} changed while it was being repaired.`);
  if (before !== null) requireWritable(path);
}

const holds = (path: string, text: string): boolean => readFileSync(path).equals(Buffer.from(text));

/** Makes what is needed beside the file. */
function stage({ path, before, after, executable }: UsersChange, n: number, { name, undo, drafts, backups }: Work) {
  const folder = dirname(path);
  const first = mkdirSync(folder, { recursive: true });
  if (first !== undefined) undo.push(() => removeFolders(folder, first));
  removeLeft(folder);
  const [draft, kept] = [`${folder}/${name}-${n}.new`, `${folder}/${name}-${n}.old`];
  drafts.push(draft, kept);
  if (after !== null) {
    undo.push(() => rmSync(draft, { force: true }));
    writeFileSync(draft, after, { flag: "wx", mode: executable ? 0o777 : 0o666, flush: true });
  }
  if (before === null) return { draft, kept };
  const { mode, uid, gid } = statSync(path);
  if (after !== null) {
    chownSync(draft, uid, gid);
    const bits = executable === undefined ? mode : executable ? mode | 0o111 : mode & ~0o111;
    chmodSync(draft, bits & 0o7777);
  }
  if (!isCleanInGit(path)) {
    const backup = freeName(`${path}.orig`);
    undo.push(() => rmSync(backup, { force: true }));
    copyFileSync(path, backup, constants.COPYFILE_EXCL);
    backups.push(backup);
  }
  return { draft, kept };
}

const LEFT = /^\.mend-(\d+)-[0-9a-f]{8}-\d+\.(?:new|old)$/;

/** Removes what a killed process left; an original that has lost its own name stays. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = Number(LEFT.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || hasProcess(pid)) continue;
    const path = join(folder, name);
    if (name.endsWith(".new") || statSync(path).nlink > 1) rmSync(path, { force: true });
  }
}

function put({ path, before, after }: UsersChange, draft: string, kept: string, { undo }: Work): void {
  if (before === null) {
    secondName(draft, path);
    undo.push(() => rmSync(path));
    return;
  }
  secondName(path, kept);
  if (!holds(kept, before)) {
    rmSync(kept);
    throw new UserError(`${inLine(path)} changed while it was being repaired.`);
  }
  if (after === null) rmSync(path);
  else renameSync(draft, path);
  undo.push(() => renameSync(kept, path));
}

/** Of one file, which is not there yet: another program's file is never replaced. */
function secondName(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error))) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** Of file systems where a file has one name. */
const NO_LINKS: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** @returns what could not be taken back, a sentence each */
function takenBack({ name, undo, drafts }: Work): string[] {
  const left = undo.toReversed().flatMap((one) => {
    try {
      one();
      return [];
    } catch (error) {
      return [`It could not all be taken back (${messageOf(error)}): look for files called ${name}-*.old.`];
    }
  });
  if (left.length === 0) for (const draft of drafts) rmSync(draft, { force: true });
  return left;
}

function removeFolders(folder: string, first: string): void {
  try {
    for (let one = folder; one.length >= first.length; one = dirname(one)) rmdirSync(one);
  } catch {
    // Somebody else has put something there.
  }
}

function problemOf(error: unknown, path: string): string {
  const said = writeError(error, inLine(path));
  if (said instanceof UserError) return said.message;
  const reason = REFUSED[String(errorCode(error))] ?? messageOf(error);
  return `${inLine(path)} cannot be written: ${reason}.`;
}

const REFUSED: Record<string, string> = {
  EEXIST: "something of this name, or of a folder on the way to it, is there already",
  EISDIR: "it is a folder",
  ENOENT: "a folder on the way to it is gone, or a link that leads nowhere",
};

const freeName = (path: string, n = 0): string => {
  const name = n === 0 ? path : `${path}.${n}`;
  return existsSync(name) ? freeName(path, n + 1) : name;
};

/**
 * Whether the file is committed as it is, byte for byte: then git has it. `git status` would start the repository's
 * filters.
 */
function isCleanInGit(path: string): boolean {
  const ask = (...words: string[]) => git(dirname(path), words).trim();
  try {
    return ask("rev-parse", `HEAD:./${basename(path)}`) === ask("hash-object", "--no-filters", "--", basename(path));
  } catch {
    return false;
  }
}
