/** The outline of Python source, made by the project's own Python: syntax depends on its version. */

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Project } from "./project.ts";
import { projectPython } from "./python_environment.ts";

const SCRIPT = fileURLToPath(new URL("./outline.py", import.meta.url));

export async function outlinePython(text: string, project: Project): Promise<unknown> {
  const { executable } = await projectPython(project);
  return new Promise((resolve, reject) => {
    const child = execFile(executable, ["-I", "-S", SCRIPT], { timeout: 60_000 }, (error, stdout) => {
      if (error) return reject(error);
      resolve(JSON.parse(stdout));
    });
    child.stdin?.on("error", () => {}).end(text);
  });
}
