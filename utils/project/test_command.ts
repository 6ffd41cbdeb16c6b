/** A command that runs tests, and how its words name files where a box shows them. */

import { existsSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { tryForeignText } from "../base/files/foreign_file.ts";
import { within } from "../base/host/project_root.ts";
import { isOfSystem } from "../sandbox/bwrap.ts";
import { isHidden } from "../sandbox/hidden.ts";

/** A command that runs tests in the project's folder. */
export interface TestCommand {
  argv: string[];
  env: Record<string, string>;
  /** Files and folders outside of the project that it needs to read. */
  readable: string[];
  /** True where it keeps what it builds in `BUILD`: what the tree as it was gave is there in each later run. */
  builds?: true;
  /** The toolchain that runs it, with its version and path, for messages. */
  tool?: string;
}

/** Where commands find it, in words of this machine. */
export const BUILD = "/build";

/**
 * What a command reads that its box does not show yet, with its links followed; what is not there is left out.
 * @param showsSystem false where the box has a system of its own
 * @param shown folders in the box. Mend itself is hidden in them; a link to it is not what has to be shown, but where
 * it leads
 */
export function notShown(readable: readonly string[], shown: readonly string[], showsSystem = true): string[] {
  const wanted = readable.filter((path) => existsSync(path)).flatMap((path) => [path, realpathSync(path)]);
  const isShown = (path: string) =>
    (showsSystem && isOfSystem(path)) || shown.some((folder) => within(folder, inBox(path)));
  return [...new Set(wanted)].filter((path) => !isShown(path) || (isHidden(path) && realpathSync(path) === path));
}

const MOST_SHOWN = 60;

/** Files of a command that are shown. */
const MOST_FILES_SHOWN = 3;

/** A command as people are shown it: of a long list of paths, a class path say, the first ones and how many follow. */
export const shownCommand = (command: string): string =>
  command
    .replace(/\S+/g, (word) => {
      const [first = "", ...others] = word.split(":");
      const isList = others.length > 1 && others.every((one) => one.includes("/"));
      return isList && word.length > MOST_SHOWN ? `${first}:…(${others.length} more)` : word;
    })
    .replace(/(?:(?<=\s)[\w@./-]+\.\w+(?:\s+|$)){5,}/g, (list) => {
      const files = list.trim().split(/\s+/);
      const more = files.length - MOST_FILES_SHOWN;
      return `${files.slice(0, MOST_FILES_SHOWN).join(" ")} …(${more} more)${/\s*$/.exec(list)?.[0] ?? ""}`;
    });

/** Folders that a box has for itself: what lies there on this machine is shown elsewhere. */
const OWN_FOLDERS = ["/tmp", "/dev", "/proc", "/run"];
export const inBox = (path: string): string =>
  OWN_FOLDERS.some((folder) => within(folder, path)) ? `/outside${path}` : path;
/**
 * The text that a command of a box left in a file; null for none, for more than `most` bytes, and for a link or a pipe.
 */
export function reported(file: string, most: number): string | null {
  return tryForeignText(dirname(file), basename(file), most).text;
}

/** A word of a command with each path of this machine as the box has it: `--out=/home/…`, `A:B`, `file:///…` too. */
export function placed(word: string, folders: readonly string[], at: (inside: string) => string): string {
  const known = folders.toSorted((a, b) => b.length - a.length);
  return word.replace(/file:\/\/\/\S*|(?<=^|=|:(?!\/\/))\/[^:]*/g, (found) => {
    // URLs encode other characters than plain letters.
    const spelt = found.startsWith("/") ? (path: string) => path : (path: string) => pathToFileURL(path).href;
    const folder = known.find((one) => within(spelt(one), found));
    return folder === undefined ? found : spelt(at(folder)) + found.slice(spelt(folder).length);
  });
}
