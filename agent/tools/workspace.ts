/** The folder an editor works in: which paths it may read and change, and what it changed. */

import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../../utils/base/data/errors.ts";
import { ForeignFileError, readForeign } from "../../utils/base/files/foreign_file.ts";
import { statOf } from "../../utils/base/files/look.ts";
import { writeOwnFile } from "../../utils/base/files/trees/copy_tree.ts";
import { likeOriginal, plainText, utf8Text } from "../../utils/base/text/line_ends.ts";
import { nameProblem, refusedName } from "../../utils/git/changes/names.ts";

/** Folders an agent may change: its own code and prompts. */
const EDITABLE = ["agent", "prompts"];
const MAX_FILE_BYTES = 1024 * 1024;

/** A path inside the folder, or a sentence that says why it is not inside. */
export type LocatedFile = { path: string; name: string } | { problem: string };

export class Workspace {
  readonly root: string;
  /** Names of changed files, in the order of their first change. */
  readonly changed = new Set<string>();
  /** What the editor expects of its changes. It must be stated before anything may be changed. */
  hypothesis: string | null = null;

  readonly #editable: readonly string[] | null;

  /** A copy of the agent's own code. @param editable folders that may be changed; null for all */
  constructor(root: string, editable: readonly string[] | null = EDITABLE) {
    this.root = realpathSync(root);
    this.#editable = editable;
  }

  /** A folder of any files: all of them may be changed, and no hypothesis is asked for. */
  static ofAnyFiles(root: string): Workspace {
    const workspace = new Workspace(root, null);
    workspace.hypothesis = "";
    return workspace;
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
    if (this.hypothesis === null) return { problem: "State your hypothesis first, with the tool `hypothesis`." };
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
    if (!found) return { problem: `There is no file ${name}. Use \`list\` to see what there is.` };
    if (found.isDirectory()) return { problem: `${name} is a folder. Use \`list\` to see what is in it.` };
    if (found.size > MAX_FILE_BYTES) return { problem: `${name} is too large to show.` };
    const bytes = this.#bytes(located.name);
    if (bytes === null) return { problem: `${name} is no plain file: it can be neither shown nor changed.` };
    const text = utf8Text(bytes);
    if (text === null) return { problem: `${name} is not UTF-8 text: it can be neither shown nor changed.` };
    return { text: plainText(text), name: located.name };
  }

  /** Lines that stay keep their ends, and new ones get those of the file. @param located from `locateToEdit` */
  write({ path, name }: { path: string; name: string }, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    const before = this.#bytes(name)?.toString("utf8") ?? "";
    writeOwnFile(path, before === plainText(before) ? text : likeOriginal(before, text));
    this.changed.add(name);
  }

  /** Null for what is no plain file: programs that ran in the folder may have put anything there. */
  #bytes(name: string): Buffer | null {
    try {
      return readForeign(this.root, name, MAX_FILE_BYTES);
    } catch (error) {
      if (error instanceof ForeignFileError) return null;
      throw error;
    }
  }

  /** Files under a folder, sorted, as names relative to the root. */
  files(folder = "."): string[] {
    const located = this.locate(folder);
    if ("problem" in located || !existsSync(located.path)) return [];
    if (statSync(located.path).isFile()) return [located.name];
    const entries = readdirSync(located.path, { recursive: true, withFileTypes: true });
    return entries
      .filter(
        (entry) => entry.isFile() && !/(^|\/)(node_modules|__pycache__|\.git|\.venv|venv)(\/|$)/.test(entry.parentPath),
      )
      .map((entry) => relative(this.root, join(entry.parentPath, entry.name)))
      .sort();
  }
}

/** Why no file can be written there, or only in the place of something else; null where one can. */
function placeProblem(path: string): string | null {
  const found = foundAt(path);
  if (found?.isSymbolicLink()) return "it is a link that leads nowhere";
  if (found && !found.isFile()) return "something that is no file has its name";
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
function foundAt(path: string): Stats | null {
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
