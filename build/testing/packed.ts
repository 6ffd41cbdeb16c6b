/** For tests: the project as a package, and programs that have it installed. */

import { execFile, execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const Kept = z.object({ archive: z.string(), paths: z.array(z.string()) });
const Packed = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })).length(1);

interface Pack {
  archive: string;
  /** Paths in it. */
  paths: string[];
}

const CACHE = join(ROOT, "node_modules", ".cache", "mend-packed");

/**
 * Packs the project into `folder` as people do: what is packed is built by it. The test files of one run share what the
 * first of them packed: they would build in each other's `dist`.
 */
export function pack(folder: string): Pack {
  mkdirSync(CACHE, { recursive: true });
  const lock = openSync(join(CACHE, "lock"), "a");
  try {
    execFileSync("flock", ["3"], { stdio: ["ignore", "ignore", "inherit", lock] });
    const kept = keptOfThisRun();
    const archive = join(folder, basename(kept.archive));
    copyFileSync(kept.archive, archive);
    return { ...kept, archive };
  } finally {
    closeSync(lock);
  }
}

function keptOfThisRun(): Pack {
  // Workers of one run have one parent; that a number comes again is seen by the hash of the sources.
  const run = `${basename(process.env.MEND_TEST_PROGRAMS ?? "")}-${process.ppid}`;
  const list = join(CACHE, `${run}.json`);
  if (existsSync(list)) return Kept.parse(JSON.parse(readFileSync(list, "utf8")));
  for (const name of readdirSync(CACHE).filter((one) => one !== "lock")) rmSync(join(CACHE, name));
  const packed = packInto(CACHE);
  writeFileSync(list, JSON.stringify(packed));
  return packed;
}

function packInto(folder: string): Pack {
  rmSync(join(ROOT, "dist"), { recursive: true, force: true });
  const output = execFileSync("npm", ["pack", "--silent", "--json", "--pack-destination", folder], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [packed] = Packed.parse(JSON.parse(output.slice(output.indexOf("["))));
  if (!packed) throw new Error("npm pack packed nothing");
  return { archive: join(folder, basename(packed.filename)), paths: packed.files.map(({ path }) => path) };
}

/**
 * What `npm install ARCHIVE` makes, without a network: the package unpacked, with this project's libraries beside it.
 * @param left out of the libraries, as optional ones are
 */
export function installOffline(archive: string, project: string, left: readonly string[] = []): void {
  const modules = join(project, "node_modules");
  // Links to the same files, where they lie on one disk: a box that shows the project shows them, too.
  const copied = ["-al", "-a"].some((how) => spawnSync("cp", [how, join(ROOT, "node_modules"), modules]).status === 0);
  if (!copied) throw new Error("the libraries cannot be copied");
  for (const name of left) rmSync(join(modules, name), { recursive: true, force: true });
  // Workspaces are links into a clone, which no package has.
  rmSync(join(modules, "@mend"), { recursive: true, force: true });
  mkdirSync(join(modules, "mend"));
  execFileSync("tar", ["xzf", archive, "--strip-components=1", "-C", join(modules, "mend")]);
}

/** Whether packages can be installed here. Warns if not, as tests that install some are then skipped. */
export function isRegistryReachable(): boolean {
  const { status } = spawnSync("npm", ["view", "node", "version"], { stdio: "ignore", timeout: 60_000 });
  if (status !== 0) console.warn("skipped: the npm registry is out of reach");
  return status === 0;
}

export interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const Failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() });

/** Runs a program to its end; what it exits with is in the result. */
export async function execute(
  [program = "", ...args]: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const options = { cwd, env: { ...cleanEnvironment(), ...env }, maxBuffer: 2 ** 26 };
  try {
    return { exitCode: 0, ...(await promisify(execFile)(program, args, options)) };
  } catch (error) {
    const failed = Failed.safeParse(error);
    if (!failed.success) throw error;
    return { exitCode: failed.data.code, stdout: failed.data.stdout, stderr: failed.data.stderr };
  }
}

/** Without what npm and vitest set, and what would choose another model. */
const cleanEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_|MODEL_NAME|OPENAI_|HF_TOKEN)/.test(name)),
  );
