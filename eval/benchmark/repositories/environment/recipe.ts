/** What an environment is made of, and how: each installer of packages has its own. */

import type { TemporaryFolder } from "../../../../utils/base/files/temporary.ts";
import type { CommandBox } from "../../../../utils/sandbox/command/command_box.ts";
import type { RepositoryTask } from "../rows.ts";

/** What is asked of a task to know its packages. */
export type PackageTask = Pick<RepositoryTask, "id" | "language" | "framework" | "build" | "command" | "createdAt"> &
  Partial<Pick<RepositoryTask, "repo" | "version" | "packagesAt" | "patch">>;

/** An environment in a folder of its own, which the caller disposes of. */
export interface Environment extends TemporaryFolder {
  /** What is not as it was when the row was made. */
  notes: string[];
}

export interface Recipe {
  /** Of all that it is made of. */
  key: string;
  /** The folder of packages, as it is called in a tree. */
  packages: "node_modules" | ".venv";
  /** What is installed of a package that tests ask for. */
  versionOf(name: string): string;
  /** @param added packages that tests asked for though nothing named them; @param folder where environments are kept */
  install(
    added: Readonly<Record<string, string>>,
    box: CommandBox,
    folder: string,
  ): Promise<Environment | { problem: string }>;
}

/** Null if it is not a time, or one that is yet to come. */
export function endOfDay(text: string): Date | null {
  const day = new Date(text);
  if (text === "" || Number.isNaN(day.getTime()) || day > new Date()) return null;
  return new Date(`${day.toISOString().slice(0, 10)}T23:59:59.999Z`);
}
