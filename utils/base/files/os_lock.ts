/**
 * Locks of the operating system: the kernel gives one to a single process and takes it back when that process ends,
 * however it ends.
 */

import { spawnSync } from "node:child_process";
import { fstatSync, statSync } from "node:fs";
import { UserError } from "../data/errors.ts";
import { findProgram } from "../host/host_programs.ts";

/** `held`: by another process. `unsupported`: the file system has no such locks. */
type LockAttempt = "taken" | "held" | "unsupported";

/** Programs that lock descriptor 3: the first that is installed is asked. Exit code 0: taken, 1: held. */
const HELPERS: readonly [string, ...string[]][] = [
  ["flock", "-n", "3"],
  [
    "python3",
    "-ISc",
    "import fcntl, sys\ntry: fcntl.flock(3, fcntl.LOCK_EX | fcntl.LOCK_NB)\nexcept BlockingIOError: " +
      "sys.exit(1)\nexcept OSError: sys.exit(2)",
  ],
];

/**
 * Tries to lock what is open as `fd`, a file or a folder (flock(2)), until `fd` is closed. Node.js has no call for
 * that, so a helper makes it on a copy of the descriptor: such a lock belongs to what was opened, not to who locked it.
 * @throws UserError where no helper is installed
 */
export function tryLock(fd: number): LockAttempt {
  for (const [command, ...args] of HELPERS) {
    const program = findProgram(command);
    if (program === undefined) continue;
    const { status, error } = spawnSync(program, args, { stdio: ["ignore", "ignore", "ignore", fd] });
    if (error) throw error;
    return status === 0 ? "taken" : status === 1 ? "held" : "unsupported";
  }
  throw new UserError("Neither `flock` nor `python3` was found on the PATH; mend needs one of them to lock its files.");
}

/** Whether `path` still names the file open as `fd`: the last holder of the lock may have removed it. */
export function isStillAt(fd: number, path: string): boolean {
  const now = statSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(fd);
  return now?.dev === dev && now.ino === ino;
}
