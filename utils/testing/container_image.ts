/** For tests: an image with a shell and Python, made of this machine's own files, since no registry may be in reach. */

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "../base/data/errors.ts";
import { makeTemporaryFolder } from "../base/files/temporary.ts";
import { hasProcess } from "../base/host/has_process.ts";
import { ask, demand, type Engine, findEngine } from "../sandbox/container/engine.ts";
import { writeFiles } from "./command.ts";
import { isQuick, testMode } from "./repeats.ts";

const PROGRAMS = ["sh", "bash", "env", "cat", "tail", "ls", "id", "sleep", "touch", "mkdir", "rm", "python3", "git"];
const PYTHON = "/usr/lib/python3.11";
const PACKAGES = /^(?:_?pytest|pluggy|iniconfig|packaging|attrs?|py|tomli|exceptiongroup)(?:[-.].*)?$/;

/** Settings with which Podman runs on machines that refuse cgroups. mend itself sets all limits. */
const SETTINGS = '[engine]\nruntime = "runc"\n';

/**
 * Podman, for all that this process starts; null where it does not work, which a line on stderr says, and in `npm test`
 * and `npm run test:ci`. @param mode `ci`: for a file with tests of `npm run test:ci`
 */
export async function podmanForTests(mode?: "ci"): Promise<Engine | null> {
  if (isQuick && testMode !== mode) return null;
  if (process.env.CONTAINERS_CONF === undefined && existsSync("/usr/sbin/runc")) {
    const file = join(makeTemporaryFolder("containers").path, "containers.conf");
    writeFileSync(file, SETTINGS);
    process.env.CONTAINERS_CONF = file;
  }
  try {
    if (!existsSync(PYTHON)) throw new Error(`there is no ${PYTHON}`);
    const engine = await findEngine("podman");
    await removeStaleImages(engine);
    return engine;
  } catch (error) {
    console.warn(`skipped: ${messageOf(error)} (sudo apt install podman runc)`);
    return null;
  }
}

const NAME = "localhost/mend-test";

/** Vitest ends no file whose tests were all filtered out: its image stays until the next start. */
async function removeStaleImages(engine: Engine): Promise<void> {
  const names = await demand(engine, ["images", "--format", "{{.Repository}}:{{.Tag}}", NAME]);
  const stale = names.split("\n").filter((name) => {
    const [, pid] = /:(\d+)-/.exec(name) ?? [];
    return pid !== undefined && !hasProcess(Number(pid));
  });
  if (stale.length > 0) await ask(engine, ["rmi", "--force", ...stale]);
}

/**
 * @param files by their paths in the image
 * @param name of the image, @param more is done in its root before it is made, @param settings lines of a Containerfile
 * @returns its name, and its end
 */
export async function makeImage(
  engine: Engine,
  files: Readonly<Record<string, string>>,
  { name: wanted, more, settings = [] }: { name?: string; more?: (root: string) => void; settings?: string[] } = {},
) {
  using folder = makeTemporaryFolder("image");
  const root = join(folder.path, "root");
  for (const path of ["tmp", "proc", "dev", "sys", "run", "var/tmp", "etc", "usr/bin", "bin"])
    mkdirSync(join(root, path), { recursive: true });
  // runc gives a file system in memory the mode of its folder.
  for (const path of ["tmp", "run", "var/tmp"]) chmodSync(join(root, path), 0o1777);
  const copied = [...PROGRAMS.map((name) => `/usr/bin/${name}`), PYTHON, ...packages()].filter((path) =>
    existsSync(path),
  );
  const libraries = new Set(copied.flatMap(librariesOf));
  execFileSync("cp", ["-rL", "--parents", ...copied, ...libraries, root], { stdio: "ignore" });
  execFileSync("cp", ["-L", "/usr/bin/sh", join(root, "bin")]);
  writeFiles(root, files, 0o755);
  more?.(root);
  const name = wanted ?? `${NAME}:${process.pid}-${basename(folder.path).toLowerCase()}`;
  const archive = join(folder.path, "image.tar");
  execFileSync("tar", ["-C", root, "-cf", archive, "."]);
  await demand(engine, ["import", ...settings.flatMap((line) => ["--change", line]), archive, name]);
  return { name, [Symbol.asyncDispose]: async () => void (await ask(engine, ["rmi", "--force", name])) };
}

const packages = (): string[] => {
  const folder = "/usr/lib/python3/dist-packages";
  return existsSync(folder)
    ? readdirSync(folder).flatMap((name) => (PACKAGES.test(name) ? join(folder, name) : []))
    : [];
};

/** Paths of the libraries that a program or library loads. */
export function librariesOf(program: string): string[] {
  try {
    const told = execFileSync("ldd", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return [...told.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, path]) => path ?? []);
  } catch {
    return [];
  }
}
