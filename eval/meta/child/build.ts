/** From an agent's sources to a program that Node runs as it is: type-checked and compiled in the box, once per tree. */

import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Countdown } from "../../../agent/limits/countdown.ts";
import { Subprocess } from "../../../utils/child/subprocess.ts";
import { removeFolder } from "../../../utils/files/remove_folder.ts";
import { SURFACE } from "../archive/archive.ts";
import type { AgentBox, Mount } from "./box.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NODE_MODULES = join(ROOT, "node_modules");
const TSC_TIMEOUT_MS = 180_000;
/** `tsc` starts the compiler proper, which has threads. */
const COMPILER_PROCESSES = 32;
const SHOWN_CHARS = 6000;

/** What every agent needs beside its own code. At the root, where Node looks last from any folder. */
export const nodeModules: Mount = { inside: "/node_modules", outside: NODE_MODULES };

export type Built = { program: string } | { problem: string };

const COMPILER = {
  extends: "./tsconfig.json",
  compilerOptions: {
    noEmit: false,
    noEmitOnError: true,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    rootDir: ".",
    outDir: "../out",
  },
  include: ["agent", "missing.d.ts"],
  exclude: ["**/*.test.ts"],
};

export interface Builder {
  /** The program of this tree, where it was built before. */
  find(tree: string): { program: string } | null;
  /**
   * Builds the surface in `folder`. Tests are neither checked nor built.
   * @param tree names the result; built before, it is not built again
   */
  build(folder: string, tree: string, signal: AbortSignal): Promise<Built>;
}

/** @param folder where programs are kept; it can be removed at any time */
export function openBuilder(box: AgentBox, folder: string): Builder {
  mkdirSync(folder, { recursive: true });
  const modules = join(folder, "node_modules");
  if (!existsSync(modules)) symlinkSync(NODE_MODULES, modules);
  const find = (tree: string) => {
    const program = join(folder, tree);
    return existsSync(program) ? { program } : null;
  };
  return {
    find,
    build: async (source, tree, signal) => {
      const built = find(tree);
      if (built) return built;
      const program = join(folder, tree);
      const draft = `${program}.${randomUUID()}.draft`;
      try {
        prepare(source, draft);
        const problem = await compile(box, draft, signal);
        if (problem !== null) return { problem };
        addOtherFiles(draft);
        // Built twice at a time, the results are the same: the first one stays.
        if (!find(tree)) renameSync(join(draft, "out"), program);
        return { program };
      } finally {
        removeFolder(draft);
      }
    },
  };
}

/** `src/` with the agent's surface and the host's `utils/`, and an empty `out/`. */
function prepare(source: string, draft: string): void {
  const src = join(draft, "src");
  mkdirSync(join(draft, "out"), { recursive: true });
  for (const name of SURFACE) cpSync(join(source, name), join(src, name), { recursive: true });
  const isUsed = (path: string) => !/\.test\.ts$|[/\\]testing$/.test(path.slice(ROOT.length));
  cpSync(join(ROOT, "utils"), join(src, "utils"), { recursive: true, filter: isUsed });
  for (const name of ["package.json", "tsconfig.json"]) cpSync(join(ROOT, name), join(src, name));
  writeFileSync(join(src, "tsconfig.build.json"), JSON.stringify(COMPILER));
  writeFileSync(join(src, "missing.d.ts"), missingModules().join(""));
}

const Package = z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) });

/** Libraries that this machine does without are anything to the compiler; who needs them says so when it runs. */
function missingModules(): string[] {
  const { optionalDependencies } = Package.parse(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")));
  const missing = Object.keys(optionalDependencies).filter((name) => !existsSync(join(NODE_MODULES, name)));
  return missing.map((name) => `declare module "${name}";\n`);
}

/** The compiler runs in the box too: its messages quote sources, and a hostile import could name any file. */
async function compile(box: AgentBox, draft: string, signal: AbortSignal): Promise<string | null> {
  const mount: Mount = { inside: "/build", outside: draft, writable: true };
  const src = `${box.path(mount)}/src`;
  const tsc = `${box.path(nodeModules)}/typescript/bin/tsc`;
  const command = ["node", tsc, "--project", `${src}/tsconfig.build.json`];
  const processes = COMPILER_PROCESSES;
  const compiler = new Subprocess(box.start(command, [mount, nodeModules], src, { processes }), {
    maxBytes: 10 * SHOWN_CHARS,
    signal,
  });
  compiler.endInput();
  using _deadline = new Countdown(TSC_TIMEOUT_MS).start(() => compiler.stop());
  const { exitCode, stdout, stderr } = await compiler.wait();
  if (exitCode === 0) return null;
  return (stdout + stderr).trim().slice(0, SHOWN_CHARS) || "the compiler was stopped: it took too long or was killed";
}

/** Prompts, priors, Python: whatever the compiler does not carry over. */
function addOtherFiles(draft: string): void {
  const [src, out] = [join(draft, "src"), join(draft, "out")];
  for (const name of [...SURFACE, "utils"]) {
    const notCompiled = (path: string) => !/(?<!\.d)\.ts$/.test(path) && !path.includes("__pycache__");
    // A file never takes the place of a compiled module of the same name.
    cpSync(join(src, name), join(out, name), { recursive: true, filter: notCompiled, force: false });
  }
  cpSync(join(src, "package.json"), join(out, "package.json"));
}
