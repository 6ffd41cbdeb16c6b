/**
 * Runs commands in containers of one image, each in a container of its own: it costs no more than a command in one that
 * is kept, and nothing that one leaves behind meets the next.
 */

import { spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UserError } from "../../base/data/errors.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { atExit } from "../../base/host/at_exit.ts";
import { hostProgram } from "../../base/host/host_programs.ts";
import { Subprocess } from "../../base/host/subprocess.ts";
import { inLine } from "../../base/text/text.ts";
import {
  type Command,
  type CommandBox,
  type CommandLimits,
  type CommandResult,
  DEFAULT_COMMAND_LIMITS,
} from "../command/command_box.ts";
import { boxMount } from "../command/command_mounts.ts";
import { type BoxMount, handOver } from "../launcher.ts";
import { machineEnvironment } from "../machine.ts";
import { Users } from "../users.ts";
import { bytesBelow } from "./bytes_below.ts";
import { ask, demand, type Engine, endContainer, engineEnvironment, ownContainer } from "./engine.ts";

/** An image that is here, and how its commands are run. */
export interface Image {
  engine: Engine;
  name: string;
  /** The folder of the image that holds the project. */
  root: string;
  /** Files of the image that commands find empty. */
  hides?: readonly string[];
}

interface Place extends Image {
  /** Variables of the image's environment, once it is activated. */
  environment: Readonly<Record<string, string>>;
  /** False where only the image's own user can read its programs, or what these have downloaded. */
  isOrdinary: boolean;
  /** The home of its own user, where tools have left what they downloaded. */
  home?: string | undefined;
}

/** SWE-bench's images have their Python in this environment of conda. */
const ACTIVATE = "/opt/miniconda3/bin/activate";
const ENVIRONMENT = "testbed";
/** Prints the activated environment; what a shell sets for itself is not part of it. */
const PROBE = [
  `if [ -f ${ACTIVATE} ]; then . ${ACTIVATE} ${ENVIRONMENT}; fi`,
  "unset PWD OLDPWD SHLVL HOSTNAME HOME TERM container _",
  "for d in .m2 .gradle .cargo .rustup .nvm go; do if [ -r /root/$d ]; then export MEND_HOME=/root; fi; done",
  'MEND_PYTHON="$(command -v python || command -v python3)" exec env -0',
].join("\n");
const SHELLS = 'command -v bash >/dev/null && exec bash -c "$1"; exec sh -c "$1"';

/**
 * `[host[:port]/]path[:tag][@digest]`. Podman also takes files of this machine (`dir:PATH`), and as an option a name
 * that begins with `-`.
 */
const IMAGE_NAME = new RegExp(
  [
    /^(?:(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?\/)?/,
    /[a-z0-9][\w.-]*(?:\/[a-z0-9][\w.-]*)*(?::\w[\w.-]*)?(?:@\w+:[a-f0-9]+)?$/,
  ]
    .map(({ source }) => source)
    .join(""),
);
/** Source: the manual `containers-transports`. */
const TRANSPORT = /^(?:atomic|containers-storage|dir|docker(?:-archive|-daemon)?|oci(?:-archive)?|ostree|sif|tarball):/;

/** Pulls the image unless it is here. @throws UserError where it cannot be had */
export async function pullImage(
  engine: Engine,
  name: string,
  { say, signal }: { say: (line: string) => void; signal?: AbortSignal | undefined },
): Promise<void> {
  if (!IMAGE_NAME.test(name) || TRANSPORT.test(name))
    throw new UserError(`"${inLine(name)}" is not the name of an image.`);
  if ((await ask(engine, ["image", "inspect", "--format", "{{.Id}}", name], signal)).exitCode === 0) return;
  say(`pulling ${name}`);
  await demand(engine, ["pull", "--quiet", fullName(name)], signal);
}

/** Adds Docker's default registry to a name without one: Podman may have no default. */
const fullName = (name: string): string => (/^(?:localhost|[^/]*[.:][^/]*)\//.test(name) ? name : `docker.io/${name}`);

/**
 * Opens containers of an image as the boxes of commands: without network and capabilities, as an ordinary user where
 * the image allows it. The time of a command is the clock's, since engines do not tell its processor time.
 * @throws UserError where nothing can be started in it
 */
export const openContainerBox = async (image: Image): Promise<CommandBox> => (await openImage(image)).box;

/** The same, and how its containers are started. */
export async function openImage(image: Image): Promise<{ box: CommandBox; place: Place }> {
  const raw: Place = { ...image, environment: {}, isOrdinary: true };
  const [own, ordinary] = await Promise.all([probe({ ...raw, isOrdinary: false }), probe(raw)]);
  if (!own) throw new UserError(`${image.name} has no shell.`);
  const { MEND_PYTHON: python, MEND_HOME: home, ...environment } = own;
  const isOrdinary = ordinary?.PATH === own.PATH && ordinary?.MEND_PYTHON === python && home === undefined;
  const place = { ...raw, environment, isOrdinary, home };
  const box: CommandBox = {
    layer: "container",
    warnings: isOrdinary ? [] : [`Commands in ${image.name} run as its own user: others cannot read all of it.`],
    inside: { root: image.root, image: image.name },
    run: (command) => runInContainer(place, command),
  };
  return { box, place };
}

async function probe(place: Place): Promise<Record<string, string> | null> {
  const start = () => ({ argv: ["sh", "-c", SHELLS, "sh", PROBE], cwd: "/" });
  const { exitCode, ending, explanation, stdout } = await runInContainer(place, { start });
  if (ending === "box_error") throw new UserError(`${place.engine.name} cannot run ${place.name}: ${explanation}`);
  const pairs = stdout.split("\0").flatMap((line) => {
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(line) ?? [];
    return name === "" ? [] : [[name, value] as const];
  });
  return exitCode === 0 ? Object.fromEntries(pairs) : null;
}

/** Of the project of an image, with its history. */
const MOST_PROJECT_BYTES = 8_000_000_000;

/**
 * Writes the project of an image to an empty folder, without the history of its repository.
 * @throws UserError where it cannot be read or is larger than `mostBytes`
 */
export async function copyFromImage(
  { engine, name, root }: Image,
  folder: string,
  mostBytes = MOST_PROJECT_BYTES,
): Promise<void> {
  const container = ownContainer();
  const created = demand(engine, ["create", "--pull", "never", ...container.options, "--entrypoint", "sh", name]);
  // Behind `demand`: when this process ends, the client ends before what it made is removed.
  const forget = atExit(() => endContainer(engine, container.name));
  try {
    await created;
    const from = spawn(engine.program, ["cp", `${container.name}:${root}`, "-"], {
      env: engineEnvironment(),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const strip = ["--strip-components=1", "--exclude=*/.git", "--no-same-owner", "--no-same-permissions"];
    const into = spawn(hostProgram("tar"), ["-x", "-C", folder, ...strip, "-f", "-"], {
      detached: true,
      stdio: ["pipe", "ignore", "pipe"],
    });
    const ended = new Subprocess(into, { endsWithUs: true }).wait();
    let bytes = 0;
    const meter = new Transform({
      transform: (piece: Buffer, _, done) => {
        bytes += piece.length;
        done(bytes > mostBytes ? new Error("too large") : null, piece);
      },
    });
    await pipeline(from.stdout, meter, into.stdin).catch(() => {});
    const { exitCode, lastWords } = await ended;
    if (bytes > mostBytes) throw new UserError(`${root} of ${name} is larger than ${mostBytes / 1e9} GB.`);
    if (exitCode !== 0) throw new UserError(`${root} of ${name} cannot be copied: ${lastWords}`);
  } finally {
    await ask(engine, ["rm", "--force", "--volumes", container.name]);
    forget();
  }
}

const users = new Users();

async function runInContainer(place: Place, command: Command): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  using folder = makeTemporaryFolder("container");
  chmodSync(folder.path, 0o711);
  const own = (name: string) => {
    const path = join(folder.path, name);
    mkdirSync(path);
    return path;
  };
  // Everything is mounted where it is wanted, as in a box of bubblewrap.
  const mounts = (command.mounts ?? []).map((mount, i) => boxMount(mount, "bwrap", () => own(String(i))));
  const uid = place.isOrdinary ? users.take() : null;
  try {
    const writable = mounts.filter((mount) => mount.writable);
    if (uid !== null)
      handOver(
        writable.map(({ outside }) => outside),
        uid,
      );
    for (const { onReady } of writable) onReady?.();
    return await watched(place, command, { mounts, uid, folder: folder.path });
  } finally {
    users.giveBack(uid);
  }
}

interface RunParts {
  mounts: BoxMount[];
  uid: number | null;
  container: ReturnType<typeof ownContainer>;
  limits: CommandLimits;
}

export function containerArguments(
  place: Place,
  command: Command,
  { mounts, uid, container, limits }: RunParts,
): string[] {
  const { argv, cwd = TMP, environment } = command.start((path) => path);
  const { XDG_RUNTIME_DIR: _, ...machine } = { ...machineEnvironment(TMP), ...(place.home && { HOME: place.home }) };
  const variables = { LANG: "C.UTF-8", ...place.environment, ...machine, SHELL: "/bin/sh", ...environment };
  const megabytes = `${limits.memoryMb}m`;
  return [
    ...["run", "--rm", "--interactive", "--pull", "never", ...container.options, "--init", "--no-healthcheck"],
    ...["--network", "none", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--read-only"],
    ...["--memory", megabytes, "--memory-swap", megabytes, "--pids-limit", String(limits.processes)],
    ...["nofile", "nproc"].flatMap((kind) => ["--ulimit", `${kind}=${MOST_HELD}:${MOST_HELD}`]),
    ...["--tmpfs", `${TMP}:rw,exec,mode=1777,size=${limits.diskMb}m`],
    ...["/run", "/var/tmp"].flatMap((path) => ["--tmpfs", `${path}:rw,mode=1777,size=${SMALL_MB}m`]),
    ...userOptions(place, uid),
    ...(place.hides ?? []).flatMap((path) => ["--volume", `/dev/null:${path}:ro`]),
    ...mounts.flatMap(({ inside, outside, writable }) => ["--volume", `${outside}:${inside}${writable ? "" : ":ro"}`]),
    ...Object.entries(variables).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...["--workdir", cwd, "--entrypoint", "sh", place.name],
    ...["-c", LIMITED, "sh", `${limits.cpuSeconds}`, `${(limits.fileMb * MIB) / SHELL_BLOCK}`, ...argv],
  ];
}

/** @param uid of the container's user, where this process is root */
function userOptions({ engine, isOrdinary }: Place, uid: number | null): string[] {
  if (!isOrdinary) return [];
  if (uid !== null) return ["--user", `${uid}:${uid}`];
  const ours = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  if (!engine.isRootless) return ["--user", ours];
  // Docker has no other name for the user that started it.
  return engine.name === "podman" ? ["--userns", "keep-id", "--user", ours] : ["--user", "0:0"];
}

/** Limits of each process; what is given to the engine for these replaces its own settings. */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t "$(($1 + 5))"; ulimit -f "$2"; shift 2; exec "$@"';
/** Bytes; in these a shell counts the size of a file. */
const SHELL_BLOCK = 512;
/** Open files of a process, and processes of a user. By default Podman asks for more than some machines allow. */
const MOST_HELD = 1000;
const TMP = "/tmp";
const SMALL_MB = 64;
const MIB = 1024 * 1024;
/** On the clock, beyond the processor time of a program that has a whole processor. */
const SLOWNESS = 3;
const PATIENCE_SECONDS = 30;
const LOOKS_EACH_MS = 2000;

async function watched(
  place: Place,
  command: Command,
  { mounts, uid, folder }: Pick<RunParts, "mounts" | "uid"> & { folder: string },
): Promise<CommandResult> {
  const { engine } = place;
  const limits = { ...DEFAULT_COMMAND_LIMITS, ...command.limits };
  const container = ownContainer();
  const started = performance.now();
  const args = containerArguments(place, command, { mounts, uid, container, limits });
  const child = spawn(engine.program, args, {
    env: engineEnvironment(),
    // Podman's monitor may write there.
    cwd: folder,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const stop = (pid: number) => endContainer(engine, container.name, pid);
  const { outputBytes, signal } = { ...limits, signal: command.signal };
  const running = new Subprocess(child, { maxBytes: outputBytes, signal, stop, endsWithUs: true });
  running.endInput(command.stdin);
  const seconds = SLOWNESS * limits.cpuSeconds + limits.idleSeconds + PATIENCE_SECONDS;
  const late = setTimeout(() => running.stop("silent"), seconds * 1000);
  const writable = mounts.flatMap((mount) => (mount.writable ? mount.outside : []));
  const most = bytesBelow(writable) + limits.diskMb * MIB;
  let isFull = false;
  const looks = setInterval(() => {
    isFull ||= bytesBelow(writable) > most;
    if (isFull) running.stop();
  }, LOOKS_EACH_MS);
  const end = await running.wait().finally(() => {
    clearTimeout(late);
    clearInterval(looks);
  });
  const durationMs = performance.now() - started;
  const [ending, explanation] = isFull
    ? (["disk", `it wrote more than ${limits.diskMb} MB`] as const)
    : endingOf(end, limits, seconds);
  const { stdout, stderr, exitCode } = end;
  return {
    ...{ ending, explanation, stdout, stderr, durationMs, cpuSeconds: durationMs / 1000, layer: "container" },
    exitCode: ending === "exited" ? exitCode : null,
  };
}

/** Exit codes of engines. Source: the manuals of `docker run` and `podman run`, "Exit Status". */
const EXIT_OF = { engine: 125, notStarted: [126, 127], killed: 137, cpu: 152 };
/** What engines say of themselves, and a shell of what it cannot start. */
const ENGINE_SAYS = /^(?:Error\b|docker: )/m;
const NOT_STARTED =
  /^sh: (?:\d+: )?(?:line \d+: )?exec: (?:line \d+: )?(.*(?:not found|denied|No such file or directory))$/;

function endingOf(
  { exitCode, stopped, stdout, stderr, lastWords, death }: Awaited<ReturnType<Subprocess["wait"]>>,
  limits: CommandLimits,
  seconds: number,
): [CommandResult["ending"], string] {
  const isSilent = stdout === "" && ENGINE_SAYS.test(stderr);
  if (stopped === "flooded") return ["output", `it printed more than ${limits.outputBytes} bytes`];
  if (stopped === "silent") return ["blocked", `it did not come to its end in ${seconds} s`];
  if (exitCode === EXIT_OF.cpu) return ["cpu", "it used up its processor time"];
  if (exitCode === EXIT_OF.killed)
    return ["memory", `it was ended, as if for more than ${limits.memoryMb} MB of memory`];
  const isFailure = exitCode === EXIT_OF.engine || EXIT_OF.notStarted.includes(exitCode ?? 0);
  if (exitCode === null || (isFailure && isSilent)) return ["box_error", lastWords || death];
  const [, why] = NOT_STARTED.exec(lastWords) ?? [];
  if (isFailure && stdout === "" && why !== undefined) return ["not_started", why];
  return ["exited", ""];
}
