/**
 * Installs packages of npm's registry: in a box that reaches the registry and nothing else, with settings of ours.
 * Neither scripts of packages nor git are started, and nothing is read of a project but names and versions.
 */

import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../base/data/errors.ts";
import { makeTemporaryFolder, type TemporaryFolder } from "../../base/files/temporary.ts";
import { hostProgram } from "../../base/host/host_programs.ts";
import { PLAIN_NODE_ENVIRONMENT } from "../../base/host/node_environment.ts";
import { isOfSystem } from "../../sandbox/bwrap.ts";
import type { CommandBox } from "../../sandbox/command/command_box.ts";
import type { CommandMount } from "../../sandbox/command/command_mounts.ts";
import { npmSettings } from "./npm_settings.ts";
import { SOCKET } from "./proxy.ts";
import { openRegistryProxy, type ProxyOptions, REGISTRY } from "./registry_proxy.ts";

/** Versions by name. */
export interface Packages {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** Of an installation. */
export const LIMITS = {
  cpuSeconds: 900,
  idleSeconds: 300,
  memoryMb: 4096,
  processes: 128,
  diskMb: 4096,
  fileMb: 1024,
  outputBytes: 4 * 1024 * 1024,
};

const NO_GIT = "/nonexistent/git";
const OPTIONS = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--loglevel=error",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
  `--registry=${REGISTRY}`,
  // A package of a package may come from git, and there name the program that is started as git.
  `--git=${NO_GIT}`,
  "--userconfig=/nonexistent/user",
  "--globalconfig=/nonexistent/global",
];

const NAME = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/;
/** A range of versions, a tag, or one of these of another package. */
const OF_REGISTRY = /^(?:npm:(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:@|$))?[\w.~^<>=|*+\s-]*$/;

/** Why one of the packages is not installed: it is not the registry's. Null where all are. */
export function notOfRegistry({ dependencies, devDependencies }: Packages): string | null {
  const all = Object.entries({ ...devDependencies, ...dependencies });
  const found = all.find(
    ([name, version]) => !NAME.test(name) || !OF_REGISTRY.test(version) || /^[.~]*\//.test(version),
  );
  return found === undefined
    ? null
    : `it needs ${found[0]} from "${found[1]}", and only packages of npm's registry are installed`;
}

const [NODE, NPM, PROXY, PACKAGES, CACHE, SCRIPT] = [
  "/opt/node",
  "/opt/npm",
  "/opt/proxy",
  "/packages",
  "/cache",
  fileURLToPath(new URL("./through_proxy.cjs", import.meta.url)),
];

export interface InstallOptions extends ProxyOptions {
  /** Does not install peer dependencies, like npm before version 7. */
  withoutPeers?: boolean;
  signal?: AbortSignal | undefined;
}

/** With its `node_modules`. */
export interface NodeModules extends TemporaryFolder {
  /**
   * Packages that are there in the version of today, though another time was asked for: the registry tells no times of
   * them.
   */
  undated: string[];
}

/**
 * Installs packages into a new folder, as its `node_modules`. The caller disposes of it.
 * @returns npm's own words where it failed
 * @throws UserError where this machine has no npm; the reason of `signal`
 */
export async function installPackages(
  box: CommandBox,
  wanted: Packages,
  { wish, kept, withoutPeers = false, signal }: InstallOptions = {},
): Promise<NodeModules | { problem: string }> {
  const foreign = notOfRegistry(wanted);
  if (foreign !== null) return { problem: foreign };
  const settings = npmSettings();
  const folder = makeTemporaryFolder("packages");
  let isDone = false;
  try {
    writeFileSync(
      join(folder.path, "package.json"),
      JSON.stringify({ name: "environment", version: "1.0.0", private: true, ...wanted }),
    );
    await using proxy = await openRegistryProxy(settings, { wish, kept });
    const node = dirname(process.execPath);
    const mounts: CommandMount[] = [
      { kind: "read", inside: NPM, outside: dirname(dirname(settings.program)) },
      { kind: "read", inside: `${NPM}-proxy.cjs`, outside: SCRIPT },
      ...(isOfSystem(process.execPath) ? [] : [{ kind: "read", inside: NODE, outside: node } as const]),
      { kind: "sockets", inside: PROXY, outside: proxy.folder },
      { kind: "scratch", inside: CACHE },
      { kind: "write", inside: PACKAGES, outside: folder.path },
    ];
    const { ending, exitCode, explanation, stdout, stderr } = await box.run({
      mounts,
      start: (at) => ({
        argv: [
          isOfSystem(process.execPath) ? process.execPath : at(`${NODE}/node`),
          ...["--require", at(`${NPM}-proxy.cjs`), at(`${NPM}/bin/npm-cli.js`), "install"],
          ...OPTIONS,
          ...(wish?.before ? [`--before=${wish.before.toISOString()}`] : []),
          ...(withoutPeers ? ["--legacy-peer-deps"] : []),
          `--cache=${at(CACHE)}`,
        ],
        cwd: at(PACKAGES),
        environment: { ...PLAIN_NODE_ENVIRONMENT, MEND_REGISTRY: at(`${PROXY}/${SOCKET}`) },
      }),
      limits: LIMITS,
      ...(signal ? { signal } : {}),
    });
    if (exitCode !== 0) return { problem: ending === "exited" ? lastWords(stderr || stdout) : explanation };
    takeBack(folder.path, "node_modules");
    isDone = true;
    return { ...folder, undated: [...proxy.undated].sort() };
  } finally {
    if (!isDone) folder[Symbol.dispose]();
  }
}

/**
 * What the box's user wrote is this user's again: another program of that user is to change nothing of it.
 * @param name of the folder of packages in it, which is made where there is none
 */
export function takeBack(folder: string, name: string): void {
  const owner = `${process.getuid?.() ?? ""}:${process.getgid?.() ?? ""}`;
  if (process.getuid?.() === 0) execFileSync(hostProgram("chown"), ["-hR", owner, "--", folder]);
  const packages = join(folder, name);
  const found = lstatSync(packages, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(packages);
  else if (!found.isDirectory()) throw new UserError(`what was installed made ${name} no folder`);
}

const OF_GIT = "one of these packages needs one from git, and only packages of npm's registry are installed";

const lastWords = (text: string): string =>
  (text.includes(`spawn ${NO_GIT}`) ? OF_GIT : text)
    .split("\n")
    .filter((line) => !/A complete log of this run|^npm error\s*$/.test(line))
    .slice(0, 3)
    .join("; ")
    .replaceAll(REGISTRY, "")
    .slice(0, 300);
