/** Which isolation layers work here, and how each starts the fork server: its command, users, readable folders. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../base/data/errors.ts";
import { appendTo } from "../base/data/extremes.ts";
import { findPython, findSharedPython, lockedFolder, type Python } from "../base/host/python.ts";
import { LANGUAGES } from "../languages/registry.ts";
import type { Runtime, RuntimeCommands } from "../languages/runtime.ts";
import {
  BOX_FOLDER,
  bwrapCommand,
  findBwrap,
  isOfSystem,
  PYTHON_FOLDER,
  pythonCommand,
  ROOT_LINKS,
  SYSTEM_FOLDERS,
} from "./bwrap.ts";
import { hiddenFromServer } from "./hidden.ts";
import { LAYERS, type Layer } from "./types.ts";
import { MAX_SLOTS, reserveUsers } from "./users.ts";

const PREFIX_PARTS = ["bin", "lib", "lib64", "include", "pyvenv.cfg"];
/** Devices that a program may read. */
export const DEVICES = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"];
const SECCOMP_MACHINES = ["x86_64", "aarch64"];
/** Environment of supervisor, fork server and jobs. */
export const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LANG: "C.UTF-8",
  PYTHONHASHSEED: "0",
  OPENBLAS_NUM_THREADS: "1",
  // The fork server resolves every symbol at its start, so that no job has to.
  LD_BIND_NOW: "1",
};

/** Settings of the supervisor for its layer. */
export interface LayerPlan {
  layer: Layer;
  /** Words that start a command of the plan in a container, and what ends that. Absent: it is started here. */
  inContainer?: (argv: readonly string[]) => { argv: string[]; end: (client: number) => void };
  /** Of the supervisor. */
  python: string;
  /** The fork server's command line, and the environment of both, which jobs inherit. */
  command: string[];
  environment: Readonly<Record<string, string>>;
  slots: number;
  /** True where a job's processes are the only ones of their user, as RLIMIT_NPROC counts. */
  ownUser: boolean;
  settings: {
    layer: Layer;
    uidBase: number | null;
    userNamespace: boolean;
    readable: string[];
    /** Hidden real paths inside them. */
    hidden: string[];
    memoryBytes: number;
    /** By language: the program that replaces a confined process of another language than Python. */
    runtimes: Record<string, string[]>;
    /** By language: the same for a process that runs a program for its output. */
    runs: Record<string, string[]>;
    /** By language: the same for the process that judges. */
    judges: Record<string, string[]>;
    /** By language: the same for the process of a program that is one with its tests. */
    inProcess: Record<string, string[]>;
    /** Folders of installed packages, which the servers and their jobs may import from. */
    packages: string[];
  };
}

export interface PlannedLayer {
  plan: LayerPlan;
  warnings: string[];
}

/**
 * Opens the best layer that works here, or the named one.
 * @param open tries a layer, with the interpreter for it; answers why it does not work
 * @throws UserError where there is no Python 3.9, or no such layer works
 */
export async function openLayer<T>(
  { layer: wanted, python: chosen }: { layer: Layer | "auto"; python: string | undefined },
  open: (layer: Layer, python: Python) => Promise<{ opened: T } | { reason: string }>,
): Promise<{ opened: T; layer: Layer; python: Python; warnings: string[] }> {
  const warnings: string[] = [];
  let reason = "";
  for (const layer of wanted === "auto" ? LAYERS : [wanted]) {
    const python = await pythonFor(layer, chosen);
    const tried = await open(layer, python);
    if ("opened" in tried) return { ...tried, layer, python, warnings };
    ({ reason } = tried);
    warnings.push(`The ${layer} layer is not used: ${reason}.`);
  }
  throw new UserError(
    wanted === "auto"
      ? `No way to run Python works here. ${warnings.join(" ")}`
      : `The sandbox layer ${wanted} does not work here: ${reason}. Choose another, or auto.`,
  );
}

/** The interpreter for a layer: bubblewrap shows it wherever it lies, else the jobs' users must be able to read it. */
export async function pythonFor(layer: Layer, chosen: string | undefined): Promise<Python> {
  const found = await findPython(chosen);
  return layer === "bwrap" || chosen !== undefined || process.getuid?.() !== 0 ? found : findSharedPython(found);
}

const forkServer = ({ executable }: Python, folder: string) =>
  pythonCommand(executable, join(folder, "fork_server.py"));

/** The plan for one layer, or why it cannot work here. Starting it may still fail. */
export function planLayer(layer: Layer, python: Python, memoryMb: number): PlannedLayer | { unavailable: string } {
  const root = process.getuid?.() === 0;
  if (layer !== "plain") {
    if (process.platform !== "linux") return { unavailable: `the ${layer} layer needs Linux` };
    if (!SECCOMP_MACHINES.includes(python.machine)) {
      return { unavailable: `the ${layer} layer has no system call table for ${python.machine}` };
    }
  }
  // The program and the judge of a job each get a user id of their own, where there are enough.
  const uidBase = reserveUsers(2 * MAX_SLOTS);
  // Compilers are looked for only when needed: some must be started to find out.
  const others = Object.values(LANGUAGES).flatMap(({ name, runtime }): Started[] => {
    if (runtime?.compiled && "steps" in runtime.compiled.build) return [{ name, ...EXECUTABLE }];
    return runtime?.version ? [started(runtime, name, layer, memoryMb)] : [];
  });
  const folders = interpreterFolders(python, others);
  if (layer !== "bwrap")
    appendTo(
      folders,
      others.flatMap(({ outside }) => outside ?? []),
    );
  const readable = [...SYSTEM_FOLDERS, ...ROOT_LINKS, ...folders, ...DEVICES].filter((path) => existsSync(path));
  const plan: LayerPlan = {
    layer,
    python: python.executable,
    command: forkServer(python, PYTHON_FOLDER),
    environment: ENVIRONMENT,
    slots: MAX_SLOTS,
    ownUser: uidBase !== null,
    settings: {
      layer,
      uidBase,
      userNamespace: false,
      readable,
      hidden: hiddenFromServer(readable),
      memoryBytes: memoryMb * 1024 * 1024,
      runtimes: Object.fromEntries(others.map(({ name, candidate }) => [name, candidate])),
      runs: Object.fromEntries(others.map(({ name, candidate, run = candidate }) => [name, run])),
      judges: Object.fromEntries(others.map(({ name, judge }) => [name, judge])),
      inProcess: Object.fromEntries(others.map(({ name, inProcess = [] }) => [name, inProcess])),
      packages: python.packages,
    },
  };
  const warnings: string[] = [];
  if (root && uidBase === null) warnings.push("This container has no user ids to give to jobs: all run as its root.");
  if (layer === "bwrap") {
    const bwrap = findBwrap();
    if (!bwrap) return { unavailable: "bubblewrap is not installed (`bwrap` is not on the PATH)" };
    const userNamespace = uidBase === null;
    // The process file system only maps users; each job hides it again.
    const mounts = others.flatMap(({ inside, outside }) => (outside === undefined ? [] : [{ inside, outside }]));
    const box = { userNamespace, environment: ENVIRONMENT, readable: folders, mounts, proc: userNamespace };
    plan.command = [...bwrapCommand(bwrap, box), ...forkServer(python, BOX_FOLDER)];
    plan.settings.userNamespace = userNamespace;
    plan.ownUser ||= countsTasksPerNamespace(python.release);
  } else if (uidBase !== null) {
    const locked = lockedFolder(python);
    if (locked) {
      warnings.push(
        `Jobs run as users that cannot read ${locked}: modules not loaded at the start cannot be imported.`,
      );
    }
  }
  if (layer === "plain") {
    warnings.push(
      "The plain layer keeps no secrets from the programs it runs: they can read your files and use the network.",
    );
  }
  return { plan, warnings };
}

/** Where a box of bubblewrap shows the compiler's files. */
export const runtimeFolder = (layer: Layer, name: string, outside: string): string =>
  layer === "bwrap" ? `/runtimes/${name}` : outside;

/** How the processes of a language are started. */
interface Started extends RuntimeCommands {
  name: string;
  /** Its files of ours, and where a box shows them. */
  outside: string | undefined;
  inside: string;
}

/** A process that becomes the executable of its job needs no files of the compiler. */
const EXECUTABLE = { outside: undefined, inside: "", executable: "", candidate: [], judge: [] };

function started(runtime: Runtime, name: string, layer: Layer, memoryMb: number): Started {
  const outside = runtime.compiled?.folder();
  const inside = runtimeFolder(layer, name, outside ?? "");
  return { name, outside, inside, ...runtime.commands(memoryMb, inside) };
}

/** What jobs must read of interpreters outside of the system's folders. */
export function interpreterFolders(
  python: Python,
  others: readonly Pick<RuntimeCommands, "executable" | "readable">[] = [],
): string[] {
  const parts = python.prefixes.flatMap((prefix) => PREFIX_PARTS.map((part) => join(prefix, part)));
  appendTo(parts, [
    ...python.packages,
    ...others.flatMap(({ executable, readable = [] }) => [executable, ...readable]),
  ]);
  return [...new Set(parts)].filter((path) => existsSync(path) && !isOfSystem(path));
}

/** Kernels from 5.14 on count processes per user namespace. */
function countsTasksPerNamespace(release: string): boolean {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
