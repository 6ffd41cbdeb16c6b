/** What a killed process leaves in the folder of a self-edit run, which the next one makes anew. */

import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { removeFolder } from "../../../utils/base/files/trees/remove_folder.ts";

const FOLDERS = ["seed", "checkout", "workspace", "brief", "checked", "builds/node_modules"];
const DRAFT = /^builds\/[^/]+\.draft$/;

/** @param name a path from the run's folder */
export const isLeftover = (name: string): boolean => FOLDERS.includes(name) || DRAFT.test(name);

/** Call it only while holding the run's lock: no other process may work in these folders. */
export function removeLeftovers(folder: string): void {
  const builds = join(folder, "builds");
  const drafts = existsSync(builds) ? readdirSync(builds).map((name) => join("builds", name)) : [];
  const paths = [...FOLDERS, ...drafts.filter(isLeftover)].map((name) => join(folder, name));
  for (const path of paths) if (lstatSync(path, { throwIfNoEntry: false })) removeFolder(path);
}
