/**
 * From an agent's sources to a program that Node runs as it is: type-checked and compiled in the box, once per tree.
 */

import { randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UserError } from "../../../utils/base/data/errors.ts";
import { removeFolder } from "../../../utils/base/files/trees/remove_folder.ts";
import { addressModule, IMPORT_META, REQUIRE, withOwnAddress } from "../../../utils/base/host/own_address.ts";
import { ownDependencies } from "../../../utils/base/host/own_packages.ts";
import { Subprocess } from "../../../utils/base/host/subprocess.ts";
import { Countdown } from "../../../utils/sandbox/countdown.ts";
import { SURFACE } from "../archive/archive.ts";
import type { AgentBox, Mount } from "./box.ts";
import { allLibraries, isInstalled, LIBRARIES, librariesIn, libraryFile, majorVersion } from "./libraries.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSC_TIMEOUT_MS = 180_000;
/** Compilers have a thread for each file that they wait for: some dozen where the machine is busy. */
const COMPILER_PROCESSES = 256;
/** What `tsc`, esbuild and Node.js write where the system gives them no further thread or process. */
const NO_THREAD =
  /^(?:runtime: failed to create new OS thread|\S+\[\d+\]: pthread_create: |.*\bspawn\S* \S+ EAGAIN).*/m;
/** Until what took the threads has ended. */
const AGAIN_AFTER_MS = 2_000;
const SHOWN_CHARS = 6000;

/** In an agent's program: the bundle, which starts in half the time of its modules. */
export const STARTED = "start/main.js";

export type BuildResult = { program: string } | { problem: string };

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
  exclude: ["**/*.test.ts", "**/testing"],
};

export interface Builder {
  /** The program of this tree, where it was built before. */
  find(tree: string): { program: string } | null;
  /**
   * Builds the surface in `folder`. Tests and their helpers are neither checked nor built.
   * @param tree names the result; built before, it is not built again
   * @throws UserError where this machine twice had no threads for a compiler: that says nothing of the agent
   */
  build(folder: string, tree: string, signal: AbortSignal): Promise<BuildResult>;
}

/** @param folder where programs are kept; it can be removed at any time */
export function openBuilder(box: AgentBox, folder: string): Builder {
  mkdirSync(folder, { recursive: true });
  const modules = join(folder, "node_modules");
  if (!existsSync(modules)) symlinkSync(LIBRARIES, modules);
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
        prepare(source, draft, box);
        const mount: Mount = { inside: "/build", outside: draft, writable: true };
        const run = (command: string[]) => compile(box, command, mount, signal);
        const project = `${box.path(mount)}/src/tsconfig.build.json`;
        const compiler = libraryFile(box, "typescript", "bin/tsc");
        const problem = await run(["node", compiler, "--project", project, ...oneChecker()]);
        if (problem !== null) return { problem };
        addOtherFiles(draft);
        addAddresses(join(draft, "out"));
        const unbundled = await run(bundler(box, `${box.path(mount)}/out`));
        if (unbundled !== null) return { problem: unbundled };
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
function prepare(source: string, draft: string, box: AgentBox): void {
  const src = join(draft, "src");
  mkdirSync(join(draft, "out"), { recursive: true });
  for (const name of SURFACE) cpSync(join(source, name), join(src, name), { recursive: true });
  const isUsed = (path: string) => !/\.test\.ts$|[/\\]testing$/.test(path.slice(ROOT.length));
  cpSync(join(ROOT, "utils"), join(src, "utils"), { recursive: true, filter: isUsed });
  for (const name of ["package.json", "tsconfig.json"]) cpSync(join(ROOT, name), join(src, name));
  writeFileSync(join(src, "tsconfig.build.json"), JSON.stringify(COMPILER));
  writeFileSync(join(src, "missing.d.ts"), missingModules().join(""));
  symlinkSync(librariesIn(box), join(draft, "node_modules"));
}

/** Those that this machine does without are anything to the compiler; who needs them says so when it runs. */
const missingModules = (): string[] =>
  ownDependencies()
    .optional.filter((name) => !isInstalled(name))
    .map((name) => `declare module "${name}";\n`);

/**
 * TypeScript 7 has four checkers, which all read the libraries' types: one takes two thirds of their processor time.
 */
const oneChecker = (): string[] => (majorVersion("typescript") >= 7 ? ["--checkers", "1"] : []);

async function compile(box: AgentBox, command: string[], mount: Mount, signal: AbortSignal): Promise<string | null> {
  const first = await compileOnce(box, command, mount, signal);
  if (first === null || typeof first === "string") return first;
  await sleep(AGAIN_AFTER_MS, undefined, { signal });
  const second = await compileOnce(box, command, mount, signal);
  if (second === null || typeof second === "string") return second;
  throw new UserError(
    `The agent could not be compiled, which says nothing of it: this machine has no thread left for a compiler ` +
      `(${second.noThread}). End some other programs, or raise the limit of processes, and run again to go on.`,
  );
}

/** Compilers run in the box too: their messages quote sources, and a hostile import could name any file. */
async function compileOnce(
  box: AgentBox,
  command: string[],
  mount: Mount,
  signal: AbortSignal,
): Promise<string | null | { noThread: string }> {
  const processes = COMPILER_PROCESSES;
  const folder = `${box.path(mount)}/src`;
  const compiler = new Subprocess(box.start(command, [mount, ...allLibraries()], folder, { processes }), {
    maxBytes: 10 * SHOWN_CHARS,
    signal,
  });
  compiler.endInput();
  using _deadline = new Countdown(TSC_TIMEOUT_MS).start(() => compiler.stop());
  const { exitCode, stdout, stderr } = await compiler.wait();
  if (exitCode === 0) return null;
  // Sources are quoted on stdout, or behind spaces.
  const [noThread] = NO_THREAD.exec(stderr) ?? [];
  if (noThread !== undefined) return { noThread };
  return (stdout + stderr).trim().slice(0, SHOWN_CHARS) || "the compiler was stopped: it took too long or was killed";
}

/** Makes one file of `agent/main.js` and all it imports, and further ones of what it imports later. */
const bundler = (box: AgentBox, out: string): string[] => [
  libraryFile(box, `@esbuild/${process.platform}-${process.arch}`, "bin/esbuild", "esbuild"),
  `${out}/agent/main.js`,
  `--outdir=${out}/${dirname(STARTED)}`,
  "--bundle",
  "--splitting",
  "--format=esm",
  "--platform=node",
  "--log-level=error",
  `--banner:js=${REQUIRE}`,
  ...[...ownDependencies().optional, "esbuild", "tsx"].map((name) => `--external:${name}`),
];

/** Bundled, a module still finds its prompts and Python where they lie in the program. */
function addAddresses(out: string): void {
  const addresses = join(out, dirname(STARTED), "addresses.js");
  mkdirSync(dirname(addresses), { recursive: true });
  writeFileSync(addresses, addressModule(`new URL("../", ${IMPORT_META}.url)`));
  for (const path of readdirSync(out, { recursive: true, encoding: "utf8" })) {
    const file = join(out, path);
    if (!path.endsWith(".js") || file === addresses) continue;
    const text = withOwnAddress(readFileSync(file, "utf8"), path, `.//${relative(dirname(file), addresses)}`);
    if (text !== null) writeFileSync(file, text);
  }
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
