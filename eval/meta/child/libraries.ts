/**
 * The libraries of this installation, as agents in a box find them: npm, pnpm and global installs differ in where they
 * lie.
 */

import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { UserError } from "../../../utils/base/data/errors.ts";
import { readJsonFile } from "../../../utils/base/data/record.ts";
import { installCommand, ownDependencies, ownPackageFolders, placeOf } from "../../../utils/base/host/own_packages.ts";
import { within } from "../../../utils/base/host/project_root.ts";
import type { AgentBox, Mount } from "./box.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

export const isInstalled = (name: string): boolean => placeOf(name) !== undefined;

const Manifest = z.object({ version: z.string() });

/** The first number of its version; NaN where it is not installed. */
export const majorVersion = (name: string): number =>
  Number.parseInt(readJsonFile(join(placeOf(name) ?? "", name, "package.json"), Manifest)?.version ?? "", 10);

/** The folder with the agent's libraries. */
export const LIBRARIES = placeOf("@langchain/langgraph") ?? join(ROOT, "node_modules");
/** Where all of the installation lies, and what the links in `LIBRARIES` lead to: the outermost `node_modules`. */
const STORE = LIBRARIES.slice(0, LIBRARIES.indexOf("/node_modules") + "/node_modules".length);

/** A folder of a library where the box has it: below the root, where Node looks last from any folder. */
function mountOf(folder: string): Mount {
  const path = within(STORE, folder)
    ? relative(STORE, folder)
    : folder.slice(folder.lastIndexOf("/node_modules/") + 14);
  return { inside: join("/node_modules", path), outside: folder };
}

let needed: Mount[] | undefined;
/**
 * What every agent needs beside its own code, one by one: mend itself lies in the same folder where it is installed.
 */
export function agentLibraries(): readonly Mount[] {
  needed ??= ownPackageFolders(ownDependencies().needed).map(mountOf);
  return needed;
}

let all: Mount[] | undefined;
/** With those whose types the compiler reads, and the compilers. */
export function allLibraries(): readonly Mount[] {
  const { needed: always, optional } = ownDependencies();
  all ??= ownPackageFolders([...always, ...optional]).map(mountOf);
  return all;
}

/** Where a program in the box finds `LIBRARIES`. */
export const librariesIn = (box: AgentBox): string => box.path(mountOf(LIBRARIES));

/**
 * Where a program in the box finds a file of a library, or of one that another library `of` brings.
 * @throws UserError with the command that installs the library
 */
export function libraryFile(box: AgentBox, library: string, file: string, of?: string): string {
  const owner = of === undefined ? undefined : realFolder(of);
  const folder = realFolder(library, owner);
  if (folder !== undefined) return join(box.path(mountOf(folder)), file);
  throw new UserError(`The self-edit loop needs ${library}: run ${installCommand([library])}.`);
}

/** What the loop needs of packages that a user may lack, as far as it is not there. */
export const missingForLoop = (): string[] => ["typescript", "@types/node"].filter((name) => !isInstalled(name));

/** @throws UserError with the command that installs what the loop lacks, before anything of a run is made */
export function requireForLoop(): void {
  const missing = missingForLoop();
  if (missing.length > 0)
    throw new UserError(`The self-edit loop needs ${missing.join(" and ")}: run ${installCommand(missing)}.`);
}

/** Links to it need not be there in the box. */
function realFolder(library: string, from?: string): string | undefined {
  const place = placeOf(library, from);
  return place === undefined ? undefined : realpathSync(join(place, library));
}
