/** Starts one program in a box of its own: bubblewrap where it is, and in it the restrictions of `launch.py`. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, lchownSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { BOX_FOLDER, bwrapCommand, findBwrap, type Mount, PYTHON_FOLDER, ROOT_LINKS, SYSTEM_FOLDERS } from "./bwrap.ts";
import { DEVICES, interpreterFolders } from "./layers.ts";
import type { Python } from "./python.ts";
import type { Layer } from "./types.ts";
import { Users } from "./users.ts";

/** What bounds each process of a program, and how many there may be. */
export interface ProcessLimits {
  /** Address space of one process. */
  memoryBytes: number;
  /** Processes and threads; null leaves what the user already has. */
  processes: number | null;
  fileBytes: number;
  openFiles: number;
  /** Of all processes together, where they are watched. Null: not bounded here. */
  cpuSeconds: number | null;
  /** Seconds in all in which none of them wants the processor, where they are watched. */
  idleSeconds: number;
}

export interface Program {
  command: readonly string[];
  /** A writable folder, or one with `sockets`, belongs to the box's user from here on: give what mend made itself. */
  mounts: readonly BoxMount[];
  cwd: string;
  environment: Readonly<Record<string, string>>;
  limits: ProcessLimits;
  mayFork: boolean;
  /** Address families; bubblewrap leaves nothing but the box itself to reach. */
  sockets: readonly ("unix" | "inet" | "inet6")[];
  /** File systems in memory, in a box of bubblewrap. */
  tmpfs: readonly { path: string; bytes: number; inodes: number }[];
  /** True: the box's own processes are to be seen in `/proc`, which cannot be written. */
  proc: boolean;
  /** True: descriptor 3 tells how it ended. */
  watch: boolean;
  /** Beside the mounts, what a program without a box may write. */
  writable?: readonly string[];
}

export interface BoxMount extends Mount {
  /** True where the folder holds a socket that the program may connect to. */
  sockets?: boolean;
}

const users = new Users();

/**
 * Starts the program; its process leads a group, whose end by SIGKILL is under bubblewrap the end of all it started.
 * Rejects nothing: what cannot be started exits with 126 and says why on stderr.
 */
export function launch(layer: Layer, python: Python, program: Program): ChildProcess {
  const uid = users.take();
  try {
    for (const { outside, writable, sockets } of program.mounts) {
      if (uid !== null && (writable || sockets)) handOver(outside, uid);
    }
    const child = spawn(...commandLine(layer, python, program, uid));
    child.once("close", () => users.giveBack(uid));
    return child;
  } catch (error) {
    users.giveBack(uid);
    throw error;
  }
}

function commandLine(layer: Layer, python: Python, program: Program, uid: number | null) {
  const { mounts, watch } = program;
  const inBwrap = layer === "bwrap";
  const userNamespace = inBwrap && uid === null;
  const folders = interpreterFolders(python);
  const readable = [...SYSTEM_FOLDERS, ...ROOT_LINKS, ...DEVICES, ...folders, ...mounts.map(({ outside }) => outside)];
  const settings = {
    ...program,
    layer,
    uid,
    userNamespace,
    readable: readable.filter((path) => existsSync(path)),
    writable: [...(program.writable ?? []), ...mounts.flatMap(({ outside, writable }) => (writable ? [outside] : []))],
  };
  const prefix = inBwrap
    ? bwrapCommand(findBwrap() ?? "bwrap", { userNamespace, environment: {}, readable: folders, mounts, proc: true })
    : [];
  const script = join(inBwrap ? BOX_FOLDER : PYTHON_FOLDER, "launch.py");
  const [command = "", ...args] = [
    ...prefix,
    python.executable,
    "-S",
    "-B",
    "-X",
    "utf8",
    script,
    JSON.stringify(settings),
  ];
  const stdio: ("pipe" | "ignore")[] = ["pipe", "pipe", "pipe", ...(watch ? (["pipe"] as const) : [])];
  return [command, args, { env: {}, detached: true, stdio }] as const;
}

/** Makes the box's user the owner of a folder that it may write or whose sockets it may use. Follows no links. */
function handOver(path: string, uid: number): void {
  lchownSync(path, uid, uid);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path)) handOver(join(path, name), uid);
}
