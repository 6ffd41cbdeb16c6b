/**
 * Runs the hostile programs under one layer and reports what came of them. Also a command, so that tests can run it as
 * another user: `hostile/run.ts LAYER [javascript]` prints the report as JSON.
 */

import { randomBytes, randomInt } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openSandbox } from "../sandbox.ts";
import { LAYERS, type Layer, type Outcome, type Sandbox, type SandboxInfo } from "../types.ts";
import { HOSTILE_JAVASCRIPT } from "./javascript.ts";
import type { HostileProgram } from "./program.ts";
import { HOSTILE_PROGRAMS } from "./programs.ts";

export interface HostileReport {
  info: SandboxInfo;
  programs: {
    name: string;
    /** `skipped`: the plain layer cannot stop it, and running it would do harm. */
    outcome: Outcome | "skipped";
    explanation: string;
    /** Outcome of the honest program judged right after it. */
    next: Outcome;
  }[];
  /** What changed among the files that nobody was to touch. */
  damage: string[];
  /** Command lines of processes that outlived the sandbox. */
  leftovers: string[];
}

/** In the environment, from the start where whoever started this process put it there. */
const SECRET = process.env.MEND_HOSTILE_SECRET ?? newSecret();
process.env.MEND_HOSTILE_SECRET = SECRET;
const TIMEOUT_MS = 200;
const CONCURRENCY = 6;
/** By language: a test for the secret, and an honest program with its test. */
const LANGUAGES = {
  python: {
    test: (secret: string) => `def check(f):\n    assert f(1) == "${secret}"\ncheck(f)`,
    honest: { program: "def f(x):\n    return x + 1\n", entryPoint: "f", test: "assert f(1) == 2" },
  },
  javascript: {
    test: (secret: string) => `const check = () => {\n  console.assert(f(1) === "${secret}")\n}\ncheck()`,
    honest: { program: "const f = (x) => x + 1;\n", entryPoint: "f", test: "console.assert(f(1) === 2)" },
  },
};

export function newSecret(): string {
  return `secret-${randomBytes(16).toString("hex")}`;
}

/** Run the programs, by default all. Rejects where the layer does not work here. */
export async function runHostilePrograms(
  layer: Layer,
  hostilePrograms: HostileProgram[] = HOSTILE_PROGRAMS,
): Promise<HostileReport> {
  const secret = SECRET;
  await using canary = await plantCanary(secret);
  await using port = await serveSecret(secret);
  // Shows in the command line of every process of this sandbox, and seldom in another's.
  const memoryMb = 400 + randomInt(600);
  const mark = `86${randomBytes(4).readUInt32BE()}`;
  const sandbox = await openSandbox({ layer, concurrency: CONCURRENCY, memoryMb });
  const fill = (program: string) =>
    program
      .replaceAll("@FILE@", canary.file)
      .replaceAll("@PORT@", String(port.number))
      .replaceAll("@PARENT@", String(process.pid))
      .replaceAll("@MARK@", mark);
  const programs = await Promise.all(hostilePrograms.map((hostile) => judge(sandbox, hostile, fill, secret)));
  await sandbox.close();
  return {
    info: sandbox.info,
    programs,
    damage: await canary.damage(),
    leftovers: await lastingProcesses([`"memoryBytes": ${memoryMb * 1024 * 1024}`, mark]),
  };
}

async function judge(
  sandbox: Sandbox,
  hostile: HostileProgram,
  fill: (program: string) => string,
  secret: string,
): Promise<HostileReport["programs"][number]> {
  const { name, language = "python" } = hostile;
  const { test, honest } = LANGUAGES[language];
  if (sandbox.info.layer === "plain" && unstoppable(hostile, sandbox.info)) {
    return { name, outcome: "skipped", explanation: hostile.plainCannotStop?.why ?? "", next: "passed" };
  }
  const verdict = await sandbox.judge({
    program: fill(hostile.program),
    entryPoint: "f",
    language,
    test: test(secret),
    timeoutMs: hostile.timeoutMs ?? TIMEOUT_MS,
  });
  const next = await sandbox.judge({ ...honest, language, timeoutMs: 10_000 });
  return { name, outcome: verdict.outcome, explanation: verdict.explanation, next: next.outcome };
}

const unstoppable = (hostile: HostileProgram, info: SandboxInfo) =>
  hostile.plainCannotStop !== undefined && !(hostile.plainCannotStop.unless === "separate users" && info.separateUsers);

/** A file that everybody may read and write, in a folder whose content is compared afterwards. */
async function plantCanary(secret: string) {
  const folder = await mkdtemp(join(tmpdir(), "mend-canary-"));
  const file = join(folder, "canary.txt");
  await writeFile(file, secret);
  // Whatever the umask says: only the sandbox is to stand in the way.
  await chmod(file, 0o666);
  await chmod(folder, 0o777);
  const look = async () => {
    const status = await stat(file).catch(() => undefined);
    const names = (await readdir(folder)).join(" ");
    const content = await readFile(file, "utf8").catch(() => "");
    return [`names ${names}`, `content ${content}`, `mode ${status?.mode}`, `changed ${status?.mtimeMs}`];
  };
  const before = await look();
  return {
    file,
    damage: async () => (await look()).filter((line, index) => line !== before[index]),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function serveSecret(secret: string) {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end(secret);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP port");
  return {
    number: address.port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** As `processesWith`, without those that end within a while: another sandbox may have the same marks. */
async function lastingProcesses(marks: string[]): Promise<string[]> {
  for (let attempt = 0; ; attempt++) {
    const found = await processesWith(marks);
    if (found.length === 0 || attempt === 40) return found;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Command lines of the processes that mention one of `marks`. None where there is no /proc. */
async function processesWith(marks: string[]): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return lines.filter((line) => marks.some((mark) => line.includes(mark)));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const layer = LAYERS.find((name) => name === process.argv[2]);
  if (!layer) throw new Error(`usage: hostile/run.ts ${LAYERS.join("|")} [javascript]`);
  const programs = process.argv[3] === "javascript" ? HOSTILE_JAVASCRIPT : HOSTILE_PROGRAMS;
  process.stdout.write(`${JSON.stringify(await runHostilePrograms(layer, programs))}\n`);
}
