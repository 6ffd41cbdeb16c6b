/** Docker or Podman, by its command line: finds one that works, and asks it. */

import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { UserError } from "../../base/data/errors.ts";
import { hasProcess } from "../../base/host/has_process.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import { Subprocess, type SubprocessEnd } from "../../base/host/subprocess.ts";

/** In the order in which they are tried. */
export const ENGINES = ["docker", "podman"] as const;

export interface Engine {
  name: (typeof ENGINES)[number];
  /** Absolute path of its program. */
  program: string;
  /** True where a container's root is an ordinary user of this machine. */
  isRootless: boolean;
}

/** Told of itself: an engine that does not run cannot say. */
const ASKED: Record<Engine["name"], { format: string; rootless: RegExp }> = {
  docker: { format: "{{json .SecurityOptions}}", rootless: /name=rootless/ },
  podman: { format: "{{.Host.Security.Rootless}}", rootless: /true/ },
};

/** Containers of another machine that shares the engine are its own to remove. */
const LABEL = `mend.host=${hostname()}`;

/** A new container's name, which tells who started it, and its label. */
export function ownContainer(): { name: string; options: readonly string[] } {
  const name = `mend-${process.pid}-${randomBytes(6).toString("hex")}`;
  return { name, options: ["--name", name, "--label", LABEL] };
}

/** What the engine's program is given of this process's environment: no keys of models. */
const PASSED = /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|XDG_.*|DOCKER_.*|CONTAINERS?_.*|REGISTRY_.*|DBUS_.*|.*_proxy)$/i;
export const engineEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => PASSED.test(name)));

/**
 * The engine of that name, or the first that works; it is asked once in a process.
 * @throws UserError where none does
 */
export function findEngine(named?: Engine["name"], answersMs = ANSWERS_MS): Promise<Engine> {
  const key = named ?? "any";
  const found = known.get(key) ?? lookFor(named, answersMs);
  known.set(key, found);
  return found;
}

const known = new Map<string, Promise<Engine>>();

/** An engine that has hung, as Docker's does at times, would hold its caller for good. */
const ANSWERS_MS = 30_000;

async function lookFor(named: Engine["name"] | undefined, answersMs: number): Promise<Engine> {
  const reasons: string[] = [];
  for (const name of named === undefined ? ENGINES : [named]) {
    const program = findProgram(name);
    const { format, rootless } = ASKED[name];
    const inTime = AbortSignal.timeout(answersMs);
    const end =
      program && (await ask({ program }, ["info", "--format", format], inTime).catch(() => "silent" as const));
    if (!end) reasons.push(`${name} is not installed`);
    else if (end === "silent") reasons.push(`${name} does not answer within ${answersMs / 1000} s`);
    else if (end.exitCode !== 0) reasons.push(`${name} does not work: ${end.lastWords || end.death}`);
    else {
      const engine = { name, program, isRootless: rootless.test(end.stdout) };
      await sweep(engine);
      return engine;
    }
  }
  throw new UserError(`No container engine works here: ${reasons.join("; ")}.`);
}

/** Runs a command of the engine to its end. */
export function ask({ program }: Pick<Engine, "program">, args: readonly string[], signal?: AbortSignal) {
  const child = spawn(program, args, {
    env: engineEnvironment(),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Subprocess(child, { maxBytes: MOST_SAID, signal, endsWithUs: true }).wait();
}

const MOST_SAID = 16 * 1024 * 1024;

/** @throws UserError with what the engine said, where it failed */
export async function demand(engine: Engine, args: readonly string[], signal?: AbortSignal): Promise<string> {
  const end: SubprocessEnd = await ask(engine, args, signal);
  if (end.exitCode === 0) return end.stdout;
  throw new UserError(`${engine.name} ${args[0]} failed: ${end.lastWords || end.death}`);
}

/** Removes what is left of processes of mend that were killed. */
export async function sweep(engine: Engine): Promise<void> {
  const { stdout } = await ask(engine, ["ps", "--all", "--filter", `label=${LABEL}`, "--format", "{{.Names}}"]);
  const left = stdout.split("\n").filter((name) => {
    const [, pid] = /^mend-([1-9]\d*)-/.exec(name) ?? [];
    return pid !== undefined && !hasProcess(Number(pid));
  });
  if (left.length > 0) await ask(engine, ["rm", "--force", "--volumes", ...left]);
}

/**
 * Ends a container at once, with all that runs in it. One that runs is removed by the client that started it; of any
 * other its client is ended, and what that has made is removed.
 * @param client process id of the client, which leads a group of its own
 */
export function endContainer({ program }: Engine, name: string, client?: number): void {
  const isDone = (args: string[]) =>
    spawnSync(program, args, { env: engineEnvironment(), stdio: "ignore" }).status === 0;
  if (isDone(["kill", name])) return;
  if (client !== undefined && hasProcess(client)) process.kill(-client, "SIGKILL");
  isDone(["rm", "--force", "--volumes", name]);
}
