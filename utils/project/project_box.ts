/** Commands in a project, confined: the project's folder read-only, another text in the place of one file. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { TestCommand } from "../frameworks/framework.ts";
import { copyProject } from "./copy.ts";
import { type Project, within } from "./project.ts";

/** Where a run finds things. */
export interface Place {
  project: Project;
  /** Absolute path of the file for the framework's report. */
  results: string;
  /** Where a path of the project is found by the command. */
  inBox: (path: string) => string;
}

export interface BoxRequest {
  command: (place: Place) => Promise<TestCommand>;
  /** Of the target; null: the file as it is. */
  text: string | null;
  /** Limit in milliseconds by the clock. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface BoxResult {
  exitCode: number | null;
  timedOut: boolean;
  stdout: string;
  stderr: string;
  /** Text of the report; null where none was written. */
  results: string | null;
}

export interface ProjectBox extends AsyncDisposable {
  run(request: BoxRequest): Promise<BoxResult>;
}

export async function openProjectBox(project: Project): Promise<ProjectBox> {
  const folder = mkdtempSync(join(tmpdir(), "mend-own-"));
  const copy = join(folder, "project");
  copyProject(project.root, copy);
  const inBox = (path: string) => (within(project.root, path) ? join(copy, relative(project.root, path)) : path);
  const place = { root: copy, folder: inBox(project.folder), target: inBox(project.target) };
  const original = readFileSync(project.target, "utf8");
  let runs = 0;
  return {
    run: async ({ command, text, timeoutMs, signal }) => {
      const out = join(folder, `out${runs++}`);
      mkdirSync(out);
      writeFileSync(place.target, text ?? original);
      const results = join(out, "results");
      const { argv, env } = await command({ project: place, results, inBox });
      const [program = "", ...args] = argv;
      const child = spawn(program, args, { cwd: place.folder, env: { PATH: process.env.PATH ?? "", HOME: out, TMPDIR: out, ...env }, stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs, ...(signal ? { signal } : {}) });
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (d) => { stdout += d; });
      child.stderr.on("data", (d) => { stderr += d; });
      const [exitCode, killed] = await new Promise<[number | null, string | null]>((resolve) => { child.on("error", () => resolve([null, null])); child.on("close", (c, s) => resolve([c, s])); });
      let text2: string | null = null;
      try { text2 = readFileSync(results, "utf8"); } catch {}
      return { exitCode, timedOut: killed !== null, stdout, stderr, results: text2 };
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
