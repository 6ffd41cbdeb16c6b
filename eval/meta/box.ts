/** Where code that a model wrote runs: no network, no keys, nothing of this machine but what is mounted. */

import { execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { dirname, sep } from "node:path";
import { UserError } from "../../utils/errors.ts";

/** A folder or socket of the host and where the box shows it. */
export interface Mount {
  inside: string;
  outside: string;
  writable?: boolean;
}

export interface Box {
  /** False: programs run as this user, with this user's rights (`--unsafe`). */
  readonly isolated: boolean;
  /** The path under which a program in the box finds a mount. */
  path(mount: Mount): string;
  /** Starts a program; `command[0]` is `node` or a path inside. Killing the process kills all it started. */
  start(command: readonly string[], mounts: readonly Mount[], cwd: string): ReturnType<typeof spawn>;
}

const SYSTEM_FOLDERS = ["/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store"];
const ROOT_LINKS = ["/bin", "/lib", "/lib32", "/lib64"];
const TMP_BYTES = 256 * 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const HEAP_MB = 1024;

const ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  LANG: "C.UTF-8",
  NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  LANGSMITH_TRACING: "false",
  LANGCHAIN_TRACING_V2: "false",
};

/**
 * The box of this machine.
 * @throws UserError where bubblewrap does not work here and `unsafe` is not given
 */
export function openBox({ unsafe }: { unsafe: boolean }): Box {
  const problem = whyNoBubblewrap();
  if (problem === null) return bubblewrap;
  if (unsafe) return unboxed;
  throw new UserError(
    `The self-edit loop runs code that a model wrote, and ${problem}: install bubblewrap, or give --unsafe to run that code with your own rights.`,
  );
}

/** The box that protects nothing. Tests use it to show what the other one is for. */
export const unboxed: Box = {
  isolated: false,
  path: ({ outside }) => outside,
  start: ([command = "node", ...args], _mounts, cwd) =>
    spawn(command === "node" ? process.execPath : command, args, { cwd, env: ENVIRONMENT, detached: true }),
};

const bubblewrap: Box = {
  isolated: true,
  path: ({ inside }) => inside,
  start: ([command = "node", ...args], mounts, cwd) =>
    spawn(
      "bwrap",
      [
        ...isolation(),
        ...mounts.flatMap(({ inside, outside, writable }) => [writable ? "--bind" : "--ro-bind", outside, inside]),
        ...["--chdir", cwd, "--", ...limits(), command === "node" ? process.execPath : command, ...args],
      ],
      { env: { PATH: process.env.PATH }, detached: true },
    ),
};

function whyNoBubblewrap(): string | null {
  try {
    execFileSync("bwrap", [...isolation(), "--", process.execPath, "-e", "0"], { stdio: "pipe" });
    return null;
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    return missing ? "bubblewrap is not installed here" : "bubblewrap does not work here";
  }
}

function isolation(): string[] {
  const bind = (path: string) => ["--ro-bind", path, path];
  const node = dirname(dirname(process.execPath));
  const inSystem = SYSTEM_FOLDERS.some((folder) => process.execPath.startsWith(folder + sep));
  return [
    ...[
      "--unshare-all",
      "--die-with-parent",
      "--new-session",
      "--cap-drop",
      "ALL",
      "--hostname",
      "agent",
      "--clearenv",
    ],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ["--setenv", name, value]),
    ...SYSTEM_FOLDERS.filter((path) => existsSync(path)).flatMap(bind),
    ...ROOT_LINKS.filter((path) => existsSync(path)).flatMap((path) =>
      lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : bind(path),
    ),
    ...(inSystem ? [] : bind(node)),
    ...["--proc", "/proc", "--dev", "/dev", "--size", String(TMP_BYTES), "--tmpfs", "/tmp"],
  ];
}

/** No file larger than the agent's whole surface could be, no core dumps. */
const limits = (): string[] =>
  ["/usr/bin/prlimit"]
    .filter((path) => existsSync(path))
    .flatMap((path) => [path, `--fsize=${MAX_FILE_BYTES}`, "--core=0"]);
