/** Starts one program in its own box: bubblewrap if available, and in it the restrictions of `launch.py`. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hostProgram } from "../base/host/host_programs.ts";
import type { Python } from "../base/host/python.ts";
import {
  BOX_FOLDER,
  bwrapCommand,
  findBwrap,
  type Mount,
  PYTHON_FOLDER,
  pythonCommand,
  ROOT_LINKS,
  SYSTEM_FOLDERS,
} from "./bwrap.ts";
import { hiddenAt, hiddenIn } from "./hidden.ts";
import { DEVICES, interpreterFolders } from "./layers.ts";
import { COMMAND_FOLDERS, etcFor, readableFiles } from "./machine.ts";
import type { Layer } from "./types.ts";
import { Users } from "./users.ts";

/** Limits of each process of a program, and of their number. */
interface ProcessLimits {
  /** Address space of one process. */
  memoryBytes: number;
  /** Processes and threads. */
  processes: number;
  fileBytes: number;
  openFiles: number;
  /** Memory that all processes together may hold; checked twenty times a second. */
  totalMemoryBytes: number;
  /** What they may add to writable folders, in bytes and in files; checked five times a second. */
  diskBytes: number;
  diskEntries: number;
  /** Processor time of all processes together. Null: neither this nor idle time is bounded. */
  cpuSeconds: number | null;
  /** Total seconds in which no process wants the processor. */
  idleSeconds: number;
}

export interface Program {
  command: readonly string[];
  /** A writable folder, or one with `sockets`, belongs to the box's user afterwards: pass only folders made by mend. */
  mounts: readonly BoxMount[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  limits: ProcessLimits;
  mayFork: boolean;
  /** Address families of sockets that may be made. Under bubblewrap they reach nothing outside the box. */
  sockets: readonly ("unix" | "inet" | "inet6" | "netlink")[];
  /** What honest test suites need: the small machine of `machine.ts`, pipes as standard streams. */
  everyday?: true;
  /** Folders that exist when the program starts, and belong to it. */
  folders?: readonly string[];
  /** File systems in memory, in a box of bubblewrap. */
  tmpfs: readonly { path: string; bytes: number; inodes: number }[];
}

export interface BoxMount extends Mount {
  /** True where the folder holds a socket that the program may connect to. */
  sockets?: boolean;
  /**
   * With bubblewrap the program may write into the read-only folder, in memory of its own. Names the folders in it that
   * tools write to.
   */
  caches?: readonly string[];
  /** Called before the program starts, once the writable folder is as the program will find it. */
  onReady?: () => void;
}

/** Makes the program the first process of its namespace, which no other process in it can end or stop. */
const AS_INIT = "--as-pid-1";
const users = new Users();

/**
 * Starts the program as leader of a process group; with bubblewrap, SIGKILL to the group ends everything it started.
 * Descriptor 3 reports how it ended (see `watch.py`). The exit code is the program's own, or 125 if a limit ended it,
 * 126 if it cannot be started, both with a reason on stderr.
 */
export function launch(layer: Layer, python: Python, program: Program): ChildProcess {
  const uid = users.take();
  try {
    const own = program.mounts.filter(({ writable, sockets }) => writable || sockets);
    if (uid !== null && own.length > 0) {
      handOver(
        own.map(({ outside }) => outside),
        uid,
      );
    }
    for (const { onReady } of own) onReady?.();
    const child = spawn(...commandLine(layer, python, program, uid));
    for (const end of ["close", "error"]) child.once(end, () => users.giveBack(uid));
    return child;
  } catch (error) {
    users.giveBack(uid);
    throw error;
  }
}

function commandLine(layer: Layer, python: Python, program: Program, uid: number | null) {
  const inBwrap = layer === "bwrap";
  const userNamespace = inBwrap && uid === null;
  const { everyday } = program;
  const etc = everyday && inBwrap ? etcFor(uid ?? process.getuid?.() ?? 0) : [];
  const mounts = [...etc, ...program.mounts];
  const folders = [
    ...interpreterFolders(python),
    ...(everyday ? COMMAND_FOLDERS.filter((path) => existsSync(path)) : []),
  ];
  // Bubblewrap's mounts show what may be read, and hide what is hidden.
  const readable = layer === "landlock" ? landlocked(folders, mounts, program) : [];
  const settings = {
    ...program,
    everyday: everyday !== undefined,
    folders: program.folders ?? [],
    layer,
    uid,
    userNamespace,
    readable,
    hidden: readable.flatMap(hiddenIn),
    memoryOver: inBwrap ? memoryOver(mounts) : [],
    writable: mounts.flatMap(({ inside, outside, writable }) => (writable ? [inBwrap ? inside : outside] : [])),
  };
  const prefix = inBwrap
    ? [
        ...bwrapCommand(findBwrap() ?? "bwrap", {
          userNamespace,
          environment: {},
          readable: folders,
          mounts,
          folders: program.tmpfs.map(({ path }) => path),
          proc: true,
        }),
        AS_INIT,
      ]
    : [];
  const script = join(inBwrap ? BOX_FOLDER : PYTHON_FOLDER, "launch.py");
  const launched = pythonCommand(python.executable, script, JSON.stringify(settings));
  const [command = "", ...args] = [...prefix, ...launched];
  const stdio: "pipe"[] = ["pipe", "pipe", "pipe", "pipe"];
  return [command, args, { env: {}, detached: true, stdio }] as const;
}

/** Folders with memory mounted over them, and what else the box mounts or hides in each. */
const memoryOver = (mounts: readonly BoxMount[]) =>
  mounts.flatMap(({ inside, outside, caches }) => {
    if (!caches) return [];
    const others = mounts.filter((one) => one.inside.startsWith(`${inside}/`)).map((one) => one.inside);
    return [{ path: inside, caches, inner: [...hiddenAt(outside, inside).map(({ path }) => path), ...others] }];
  });

/** What Landlock lets a program read. */
function landlocked(folders: readonly string[], mounts: readonly BoxMount[], { everyday }: Program): string[] {
  const outside = [...(everyday ? readableFiles() : []), ...mounts.map((mount) => mount.outside)];
  const readable = [...SYSTEM_FOLDERS, ...ROOT_LINKS, ...DEVICES, ...folders, ...outside];
  return readable.filter((path) => existsSync(path));
}

/** Makes the box's user the owner of folders that it may write or whose sockets it may use. Follows no links. */
export function handOver(paths: readonly string[], uid: number): void {
  const filled = paths.filter((path) => !isEmptyFolder(path));
  for (const path of paths) if (!filled.includes(path)) lchownSync(path, uid, uid);
  // `chown` handles names that Node cannot write.
  if (filled.length > 0) execFileSync(hostProgram("chown"), ["-hR", `${uid}:${uid}`, "--", ...filled]);
}

function isEmptyFolder(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0;
}
