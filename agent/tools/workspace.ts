/** The folder an editor works in: which paths it may read and change, and what it changed. */

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../../utils/base/data/errors.ts";
import { ForeignFileError, readForeign } from "../../utils/base/files/foreign_file.ts";
import { statOf } from "../../utils/base/files/stat.ts";
import { writeOwnFile } from "../../utils/base/files/trees/copy_tree.ts";
import { unifiedDiff } from "../../utils/base/text/diff.ts";
import { likeOriginal, plainText, utf8Text } from "../../utils/base/text/line_ends.ts";
import { nameProblem, refusedName } from "../../utils/git/changes/names.ts";

/** Folder for outputs that are too long to be shown. It is part of no patch. */
const OUTPUTS = ".mend-output";
/** Folders without source of the project. */
const NOT_SOURCE = /(^|\/)(node_modules|__pycache__|\.git|\.venv|venv|\.mend-output)(\/|$)/;
/** Folders an agent may change: its own code and prompts. */
const EDITABLE = ["agent", "prompts"];
const MAX_FILE_BYTES = 1024 * 1024;

/** A file before it was changed; null where there was none. */
interface Before {
  name: string;
  bytes: Buffer | null;
}

/** A path inside the folder, or a sentence that says why it is not inside. */
export type LocatedFile = { path: string; name: string } | { problem: string };

export class Workspace {
  readonly root: string;
  /** What the editor expects of its changes. It must be stated before anything may be changed. */
  hypothesis: string | null = null;

  readonly #editable: readonly string[] | null;
  /** Steps that can be taken back, oldest first: each has the files that it changed. */
  readonly #history: Before[][] = [];
  #outputs = 0;

  /** A copy of the agent's own code. @param editable folders that may be changed; null for all */
  constructor(root: string, editable: readonly string[] | null = EDITABLE) {
    this.root = realpathSync(root);
    this.#editable = editable;
  }

  /** A folder of any files: all of them may be changed, and no hypothesis is asked for. */
  static ofAnyFiles = (root: string): Workspace => new Workspace(root, null);

  /** Names of changed files, in the order of their first change. */
  get changed(): ReadonlySet<string> {
    return new Set(this.#history.flat().map(({ name }) => name));
  }

  /** A file or folder to read. Links that lead out are refused. */
  locate(name: string): LocatedFile {
    const inside = withoutLinks(resolve(this.root, name));
    if (inside !== this.root && !inside.startsWith(this.root + sep))
      return { problem: `${name} is outside of the workspace.` };
    return { path: inside, name: relative(this.root, inside) || "." };
  }

  /** A file to change. */
  locateToEdit(name: string): LocatedFile {
    if (this.#editable && this.hypothesis === null)
      return { problem: "State your hypothesis first, with the tool `hypothesis`." };
    const located = this.locate(name);
    if ("problem" in located) return located;
    const isEditable = this.#editable?.some((folder) => located.name.startsWith(folder + sep)) ?? true;
    if (!isEditable) return { problem: `Only files under ${this.#editable?.join("/ and ")}/ may be changed.` };
    const problem = nameProblem(located.name) ?? placeProblem(located.path);
    return problem === null ? located : { problem: refusedName(name, problem) };
  }

  /** The text of a file with `\n` at the end of its lines, or why it cannot be shown. */
  read(name: string): { text: string; name: string } | { problem: string } {
    const located = this.locate(name);
    if ("problem" in located) return located;
    const found = statOf(located.path);
    if (!found) return { problem: this.missing(name) };
    if (found.isDirectory()) return { problem: `${name} is a folder: name a file in it.` };
    if (found.size > MAX_FILE_BYTES) return { problem: `${name} is too large to show.` };
    const bytes = this.#bytes(located.name);
    if (bytes === null) return { problem: `${name} is not a plain file: it can be neither shown nor changed.` };
    const text = utf8Text(bytes);
    if (text === null) return { problem: `${name} is not UTF-8 text: it can be neither shown nor changed.` };
    return { text: plainText(text), name: located.name };
  }

  /** Lines that stay keep their ends, and new ones get those of the file. @param located from `locateToEdit` */
  write({ path, name }: { path: string; name: string }, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    const bytes = this.#bytes(name);
    const before = bytes?.toString("utf8") ?? "";
    writeOwnFile(path, before === plainText(before) ? text : likeOriginal(before, text));
    this.#history.push([{ name, bytes }]);
  }

  /**
   * Takes over files that a command changed in a copy of the folder, as one step.
   * @param names files that may differ
   * @returns `changed` are those that did. `refused` differ and stay as they were: files that may not be changed,
   * links, special files, hidden new files and installed packages
   */
  takeOver(copy: string, names: readonly string[]): { changed: string[]; refused: string[] } {
    const step: Before[] = [];
    const refused: string[] = [];
    for (const name of names) {
      const [bytes, now] = [this.#bytes(name), bytesIn(copy, name)];
      const isGone = foundAt(join(copy, name)) === null;
      if (now === null ? isGone && bytes === null : bytes?.equals(now)) continue;
      const located = this.locateToEdit(name);
      const isElsewhere = "problem" in located || located.name !== name || NOT_SOURCE.test(name);
      const isHidden = bytes === null && /(^|\/)\./.test(name);
      const isSpecial = [this.root, copy].some(
        (folder) => bytesIn(folder, name) === null && foundAt(join(folder, name)),
      );
      if (isElsewhere || isHidden || isSpecial) {
        refused.push(name);
        continue;
      }
      if (now === null) rmSync(located.path);
      else {
        mkdirSync(dirname(located.path), { recursive: true });
        writeOwnFile(located.path, now);
      }
      step.push({ name, bytes });
    }
    if (step.length > 0) this.#history.push(step);
    return { changed: step.map(({ name }) => name), refused };
  }

  /** Takes back the last step. @returns the names of its files */
  undo(): string[] {
    const last = this.#history.pop() ?? [];
    for (const { name, bytes } of last) {
      const path = join(this.root, name);
      if (bytes === null) rmSync(path, { force: true });
      else writeOwnFile(path, bytes);
    }
    return last.map(({ name }) => name);
  }

  /** What was changed so far, as a unified diff. */
  diff(): string {
    const textOf = (bytes: Buffer | null | undefined) => plainText(bytes?.toString("utf8") ?? "");
    const changes = this.#history.flat();
    const diffs = [...this.changed].map((name) => {
      const first = changes.find((change) => change.name === name);
      return unifiedDiff(name, textOf(first?.bytes), textOf(this.#bytes(name)));
    });
    return diffs.join("");
  }

  /** Writes a long output to a file of its own. @returns its name; null where a new file would be a part of the work */
  keepOutput(text: string): string | null {
    if (this.#editable) return null;
    const folder = join(this.root, OUTPUTS);
    mkdirSync(folder, { recursive: true });
    if (this.#outputs === 0) writeFileSync(join(folder, ".gitignore"), "*\n");
    this.#outputs += 1;
    const name = `${OUTPUTS}/${this.#outputs}.txt`;
    writeFileSync(join(this.root, name), text.slice(0, MAX_FILE_BYTES / 4));
    return name;
  }

  isFolder(name: string): boolean {
    const located = this.locate(name);
    return "path" in located && statOf(located.path)?.isDirectory() === true;
  }

  /** Says that there is no such file, and names those that are likely meant. */
  missing(name: string): string {
    const near = nearestNames(name, this.files());
    const advice = near.length > 0 ? `There is ${near.join(", ")}.` : "View a folder to see its files.";
    return `There is no file ${name}. ${advice}`;
  }

  #bytes = (name: string): Buffer | null => bytesIn(this.root, name);

  /** Files under a folder, sorted, as names relative to the root. */
  files(folder = "."): string[] {
    const located = this.locate(folder);
    if ("problem" in located || !existsSync(located.path)) return [];
    if (statOf(located.path)?.isFile()) return [located.name];
    const entries = readdirSync(located.path, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !NOT_SOURCE.test(entry.parentPath))
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .sort();
  }
}

/** Null unless it is a plain file: programs that ran in the folder may have put anything there. */
function bytesIn(folder: string, name: string): Buffer | null {
  try {
    return readForeign(folder, name, MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof ForeignFileError) return null;
    throw error;
  }
}

const MOST_NEAR = 3;
const WORDS = /[\p{L}\p{N}]+/gu;

/** Files with the same name in another folder, else those whose path has most words in common. */
function nearestNames(wanted: string, files: readonly string[]): string[] {
  const same = files.filter((file) => basename(file) === basename(wanted));
  if (same.length > 0) return same.slice(0, MOST_NEAR);
  const own = new Set(wanted.toLowerCase().match(WORDS));
  const wordsIn = (file: string) => [...new Set(file.toLowerCase().match(WORDS))];
  const common = (file: string) => wordsIn(file).filter((word) => own.has(word)).length;
  const near = files.filter((file) => common(file) >= 2);
  return near.sort((a, b) => common(b) - common(a)).slice(0, MOST_NEAR);
}

/** Why no file can be written there, or only in the place of something else; null where one can. */
function placeProblem(path: string): string | null {
  const found = foundAt(path);
  if (found?.isSymbolicLink()) return "it is a link that leads nowhere";
  if (found && !found.isFile()) return "something that is not a file has its name";
  if (found) return null;
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    const folder = foundAt(above);
    if (folder?.isDirectory()) return null;
    if (folder?.isSymbolicLink()) return "a folder of its path is a link that leads nowhere";
    if (folder) return "a folder of its path is a file";
  }
  return null;
}

/** Null where nothing is, or can be: below a file, in a circle of links, by a name that no file has. */
function foundAt(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (typeof errorCode(error) === "string") return null;
    throw error;
  }
}

/** The same place with its links followed, be it there or not; a link that leads nowhere stays as it is. */
function withoutLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(withoutLinks(above), basename(path));
}
