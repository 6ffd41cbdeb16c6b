/** For tests: the shell scripts in the pages of documentation, and a folder in which they run as a reader would run them. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { compiledModule } from "../../utils/testing/command.ts";
import { ROOT } from "../options.ts";
import { blocksOf } from "./page_blocks.ts";

/** What is built or written by a run holds copies of them. */
const SKIPPED = /(?:^|\/)(?:node_modules|\.git|runs|dist)\//;

/** Paths of all pages from the project's root. */
export const PAGES: readonly string[] = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".md") && !SKIPPED.test(path),
);

/** What stands in a fence of a page: of a shell, or of a language that it does not name. */
export interface Fence {
  page: string;
  code: string;
}

export const fencesOf = (page: string): Fence[] =>
  blocksOf(page)
    .filter(({ language, title }) => ["", "sh"].includes(language) && title === "")
    .map(({ text }) => ({ page, code: asInstalled(text.replace(/\\\n\s*/g, "")) }));

/** Commands of a clone as those of an installed mend, which are the same programs. */
const asInstalled = (code: string): string =>
  code
    .replaceAll("npx tsx eval/cli/main.ts", "mend")
    .replaceAll("npx tsx eval/pass1.ts", "mend eval")
    .replaceAll("npx tsx eval/meta_loop.ts", "mend improve");

export interface ScriptEnd {
  exitCode: number | null;
  /** stdout and stderr as they came. */
  output: string;
}

/**
 * A folder with `mend` and `npx tsx FILE` on its path, which are this project's programs, and the project's `eval`.
 * `mend view` and a worker go on after the script until `stop`.
 */
export class Reader {
  readonly path: string;
  private readonly env: NodeJS.ProcessEnv;

  constructor(path: string) {
    this.path = path;
    mkdirSync(join(path, "bin"));
    const starter = compiledModule("start.ts");
    mkdirSync(join(path, "lasting"));
    // A command that lasts runs behind the script, until `stop`.
    const body = `this="${path}/lasting/$$"
case " $* " in
*" view "*|*" worker "*" --concurrency "*)
  ( "${process.execPath}" "${starter}" "$@" & echo $! > "$this.pid"; wait $!; echo $? > "$this.code" ) > "$this.out" 2>&1 &
  until [ -s "$this.out" ]; do sleep 0.1; done ;;
*) exec "${process.execPath}" "${starter}" "$@" ;;
esac`;
    this.program("mend", `set -- "${ROOT}eval/cli/main.ts" "$@"\n${body}`);
    this.program("npx", `[ "$1" = tsx ] || exit 99\nshift\nfile=$1\nshift\nset -- "${ROOT}$file" "$@"\n${body}`);
    symlinkSync(join(ROOT, "eval"), join(path, "eval"));
    const kept = Object.entries(process.env).filter(([name]) => !/^(?:npm_|VITEST|OPENAI_|MODEL_NAME|HF_)/.test(name));
    this.env = { ...Object.fromEntries(kept), PATH: `${join(path, "bin")}:${process.env.PATH}`, HF_HUB_OFFLINE: "1" };
  }

  private program(name: string, lines: string): void {
    writeFileSync(join(this.path, "bin", name), `#!/bin/bash\n${lines}\n`);
    chmodSync(join(this.path, "bin", name), 0o755);
  }

  /** Runs a script as `bash -e` does. */
  async run(script: string, more: Record<string, string>): Promise<ScriptEnd> {
    const shell = spawn("bash", ["-e", "-o", "pipefail", "-c", `{ ${script}\n} 2>&1`], {
      cwd: this.path,
      env: { ...this.env, ...more },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [output] = await Promise.all([text(shell.stdout), once(shell, "close")]);
    return { exitCode: shell.exitCode, output };
  }

  /** Ctrl-C for each command that lasts. @returns what each wrote, and what it then ended with */
  async stop(): Promise<ScriptEnd[]> {
    const names = readdirSync(join(this.path, "lasting")).filter((name) => name.endsWith(".pid"));
    return Promise.all(names.map((name) => this.stopOne(join(this.path, "lasting", name.slice(0, -4)))));
  }

  private async stopOne(file: string): Promise<ScriptEnd> {
    const isOver = () => existsSync(`${file}.code`) && readFileSync(`${file}.code`, "utf8") !== "";
    if (!isOver()) process.kill(Number(readFileSync(`${file}.pid`, "utf8")), "SIGINT");
    while (!isOver()) await sleep(50);
    return { exitCode: Number(readFileSync(`${file}.code`, "utf8")), output: readFileSync(`${file}.out`, "utf8") };
  }
}
