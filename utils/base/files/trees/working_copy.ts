/** A copy of a folder that programs write into, one after the other. Each finds it as if it were new. */

import {
  chmodSync,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder, type TemporaryFolder } from "../temporary.ts";
import { copyTree } from "./copy_tree.ts";
import { removeFolder } from "./remove_folder.ts";

/** What identifies the entry of each path under the root. */
type Stamps = ReadonlyMap<string, string>;

const INODE = /^(\d+ \d+) \d+/;

/** More than this is copied faster as a whole. */
const MOST_CHANGED = 1000;

export class WorkingCopy implements Disposable {
  readonly #folder: TemporaryFolder;
  #made = 0;
  /** The original folder, and the copy before a program got it; null if nothing is known. */
  #source: Stamps | null = null;
  #copy: Stamps | null = null;

  get path(): string {
    return join(this.#folder.path, String(this.#made));
  }

  constructor() {
    this.#folder = makeTemporaryFolder("copy");
    // Another user goes through it to what is its own.
    chmodSync(this.#folder.path, 0o711);
  }

  /**
   * Makes it a copy of `tree`, into which no foreign program writes. Change times of its entries, which no program can
   * set, show what has changed since.
   */
  update(tree: string): void {
    const source = stampsOf(tree, "mtimeMs");
    if (!this.#restored(tree, source)) {
      if (this.#made > 0) removeFolder(this.path);
      this.#made += 1;
      mkdirSync(this.path);
      copyTree(tree, this.path);
    }
    this.#source = source;
    this.#copy = null;
  }

  /** Size and time of what the original folder has, by path: the same in copies of it. */
  get state(): ReadonlyMap<string, string> {
    return new Map([...(this.#source ?? [])].map(([name, stamp]) => [name, stamp.replace(INODE, "$1")]));
  }

  /** Makes files that are not as in `before` newer than anything: builds that go by times take them for changed. */
  renew(before: ReadonlyMap<string, string>): void {
    const now = new Date();
    for (const [name, stamp] of this.state)
      if (before.get(name) !== stamp && !isFolder(stamp)) lutimesSync(join(this.path, name), now, now);
  }

  /** Records its state for the next `update`. Call it right before a program gets the copy. */
  remember(): void {
    this.#copy = stampsOf(this.path, "ctimeMs");
  }

  /** Files that a program wrote, made or removed since `remember`; null if unknown. */
  changed(): string[] | null {
    const copy = this.#copy;
    if (!copy) return null;
    try {
      const there = stampsOf(this.path, "ctimeMs");
      const names = [...new Set([...copy.keys(), ...there.keys()])];
      return names
        .sort()
        .filter((name) => copy.get(name) !== there.get(name) && !isFolder(there.get(name) ?? copy.get(name)));
    } catch {
      // Its writer may have locked folders, or given names that Node cannot read.
      return null;
    }
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }

  #restored(tree: string, now: Stamps): boolean {
    const [source, copy] = [this.#source, this.#copy];
    if (!source || !copy) return false;
    try {
      const there = stampsOf(this.path, "ctimeMs");
      const names = new Set([...source.keys(), ...now.keys(), ...copy.keys(), ...there.keys()]);
      const changed = [...names].filter(
        (name) => source.get(name) !== now.get(name) || copy.get(name) !== there.get(name),
      );
      // Folders come before what is in them.
      return changed.length <= MOST_CHANGED && changed.sort().every((name) => replaced(tree, this.path, name, now));
    } catch {
      // Its writer may have locked folders, or given names that Node cannot read.
      return false;
    }
  }
}

/** @returns false where a folder of the copy is another one than it was */
function replaced(tree: string, copy: string, name: string, wanted: Stamps): boolean {
  const [from, to] = [join(tree, name), join(copy, name)];
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (isFolder(wanted.get(name)) && there) return false;
  rmSync(to, { recursive: true, force: true });
  if (!wanted.has(name)) return true;
  const { mode, atime, mtime } = lstatSync(from);
  if (isFolder(wanted.get(name))) mkdirSync(to, { mode });
  else if ((mode & 0o170000) === 0o120000) symlinkSync(readlinkSync(from), to);
  else {
    copyFileSync(from, to);
    chmodSync(to, mode);
    utimesSync(to, atime, mtime);
  }
  return true;
}

const FOLDER = "folder";
const isFolder = (stamp: string | undefined): boolean => stamp?.startsWith(FOLDER) === true;

function stampsOf(root: string, time: "mtimeMs" | "ctimeMs"): Stamps {
  const stamps = new Map<string, string>();
  // If a file system keeps whole seconds, equal times do not prove that nothing was written.
  let unknown = 0;
  const timeOf = (ms: number) => (ms % 1000 === 0 && time === "ctimeMs" ? `? ${performance.now()} ${unknown++}` : ms);
  const visit = (name: string, path: string) => {
    const stat = lstatSync(path);
    if (!stat.isDirectory()) {
      stamps.set(name, `${stat.mode} ${stat.size} ${stat.ino} ${timeOf(stat[time])}`);
      return;
    }
    stamps.set(name, `${FOLDER} ${stat.mode}`);
    for (const entry of readdirSync(path)) visit(name === "" ? entry : `${name}/${entry}`, `${path}/${entry}`);
  };
  visit("", root);
  return stamps;
}
