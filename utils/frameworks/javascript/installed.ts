/** Frameworks that a project installs with npm. */

import { UserError } from "../../errors.ts";
import { nodeModules, type Project, packageProgram } from "../../project/project.ts";
import type { TestCommand } from "../../project/project_box.ts";
import { NODE_ENVIRONMENT } from "./command.ts";

/** @throws UserError where the package is not installed in the project or above it */
export function installedCommand(project: Project, name: string, args: readonly string[]): TestCommand {
  const program = packageProgram(project.folder, name);
  if (!program) {
    throw new UserError(
      `The tests need ${name}, which is not installed for ${project.folder}: run npm install there, or name another runner with --test-command.`,
    );
  }
  return {
    argv: [process.execPath, program, ...args],
    env: NODE_ENVIRONMENT,
    readable: nodeModules(project.folder),
  };
}
