/** A command of the user's own, and the programs that it finds. */

import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeModules, type Project } from "../project/project.ts";
import { projectPython, pythonFolders } from "../project/python_environment.ts";
import type { TestCommand } from "../project/test_command.ts";
import { NODE_ENVIRONMENT, RUNNERS } from "./javascript/command.ts";

/** With the programs of the project and the interpreters on its path; in a container, those of the container. */
export async function shellCommand(project: Project, argv: string[]): Promise<TestCommand> {
  if (project.inside !== undefined) return { argv, env: { PYTHONDONTWRITEBYTECODE: "1" }, readable: [RUNNERS] };
  const python = await projectPython(project);
  const modules = nodeModules(project.folder);
  const node = dirname(realpathSync(process.execPath));
  const programs = [...modules.map((folder) => join(folder, ".bin")), dirname(python.executable), node];
  return {
    argv,
    env: {
      ...NODE_ENVIRONMENT,
      PYTHONDONTWRITEBYTECODE: "1",
      PATH: [...programs, "/usr/local/bin:/usr/bin:/bin"].join(":"),
    },
    readable: [RUNNERS, ...modules, ...pythonFolders(python), node, join(node, "../lib/node_modules")],
  };
}
