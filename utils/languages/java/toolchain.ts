/** The Java of the user: where it is, and how its processes are started. */

import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fillFromCache, textsIn, versionOf } from "../../base/files/compiled_parts.ts";
import { isOfProject, programsNamed } from "../../base/host/host_programs.ts";
import { once, readableFolder } from "../prepared.ts";
import type { RuntimeCommands } from "../runtime.ts";
import { boxesMayRead, cachedByPlace, outputOf } from "../toolchains.ts";

const run = promisify(execFile);

/** Sources of the processes that compile, run and judge. */
const SOURCES = fileURLToPath(new URL("./runner", import.meta.url));
const PREPARING_TIMEOUT_MS = 600_000;
const ASKING_TIMEOUT_MS = 60_000;
/** Few threads, small reservations: address space counts, too. No files of statistics. */
const FLAGS = [
  ...["-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-XX:-UseContainerSupport", "-Xshare:auto"],
  ...["-XX:CompressedClassSpaceSize=64m", "-XX:ReservedCodeCacheSize=32m"],
];
const ONE_THREAD = "-XX:+UseSerialGC";
/** Java's archive of its own classes is mapped where it was made for: moved, all its pages are written at a start. */
const UNMOVED = ["-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0"];
/** Only this collector takes the archive's objects as they are, so that they need not be made anew. */
const STARTS_SOON = ["-XX:+UseG1GC", "-XX:ParallelGCThreads=1", "-XX:ConcGCThreads=1", "-Xms16m", ...UNMOVED];
/** A process lives for one program: what is called a few hundred times costs less interpreted than compiled. */
const SELDOM_COMPILED = [
  ...["-XX:Tier3InvocationThreshold=2000", "-XX:Tier3MinInvocationThreshold=1000"],
  "-XX:Tier3CompileThreshold=4000",
];
/**
 * Has the C library keep one heap instead of one for each thread, says where Java's libraries are, which no /proc tells
 * it, and puts sockets where Java can use them.
 */
const shell = (home: string, redirections: string) =>
  `MALLOC_ARENA_MAX=1 LD_LIBRARY_PATH='${join(home, "lib")}' exec "$@" ${redirections}`;
const SHELL = existsSync("/bin/sh") ? realpathSync("/bin/sh") : "/bin/sh";
/** Texts are put together by plain code: what Java would make for it at run time costs each start. */
const INLINE = "-XDstringConcat=inline";
const OPTIONS = ["-J-XX:TieredStopAtLevel=1", `-J${ONE_THREAD}`, "-proc:none", "-nowarn", "-g:source,lines", INLINE];
/** Share of a process's memory that its objects may have. */
const HEAP = 0.5;
const COMPILER_HEAP_MB = 384;

interface Toolchain {
  /** Folder of the development kit. */
  home: string;
  version: string;
}

/**
 * The development kit that the user's shell takes: JAVA_HOME, else the first compiler on PATH that boxes may read. Null
 * where there is none.
 */
export const toolchain = cachedByPlace(({ shared }): Toolchain | null => {
  const named = process.env.JAVA_HOME?.trim();
  const own = named && isAbsolute(named) && !isOfProject(named) ? [join(named, "bin/javac")] : [];
  for (const compiler of [...own.filter((path) => existsSync(path)), ...programsNamed("javac")]) {
    const home = homeOf(realpathSync(compiler));
    if (home === null || isOfProject(home) || !boxesMayRead(home, shared)) continue;
    const release = join(home, "release");
    const text = existsSync(release) ? readFileSync(release, "utf8") : "";
    return { home, version: /^JAVA_VERSION="(.*)"$/m.exec(text)?.[1] ?? "of unknown version" };
  }
  return null;
});

/** A manager of versions puts a script on PATH in place of the compiler, which says itself where it is. */
function homeOf(compiler: string): string | null {
  const beside = dirname(dirname(compiler));
  const words = ["-J-XshowSettings:properties", "-version"];
  const isHome = (home: string) => existsSync(join(home, "bin/java")) && existsSync(join(home, "lib/modules"));
  if (isHome(beside)) return beside;
  const { stderr } = spawnSync(compiler, words, { cwd: homedir(), encoding: "utf8", timeout: ASKING_TIMEOUT_MS });
  const told = /^\s*java\.home = (.+)$/m.exec(stderr ?? "")?.[1];
  return told !== undefined && isHome(told) ? told : null;
}

/** What Debian's Maven is linked to. */
export const SYSTEM_MAVEN = ["/usr/share/maven", "/usr/share/maven-repo", "/usr/share/java", "/etc/maven"];

/** The folder of Maven; a manager of versions puts a script of its own on PATH, which says it. */
export function mavenInstallation(program: string): string {
  const beside = dirname(dirname(realpathSync(program)));
  if (existsSync(join(beside, "boot"))) return beside;
  return /^Maven home: (.+)$/m.exec(outputOf(program, ["--version"]))?.[1] ?? beside;
}

const java = (home: string): string => join(home, "bin", "java");

export function commands(memoryMb: number, folder: string): RuntimeCommands {
  const { home } = toolchain() ?? { home: "" };
  const start = (name: string, redirections: string, ...more: string[]) => [
    ...[SHELL, "-c", shell(home, redirections), SHELL, java(home)],
    ...[...FLAGS, ...more, ...SELDOM_COMPILED, `-Xmx${Math.floor(memoryMb * HEAP)}m`],
    ...["-cp", folder, `mendjudge.${name}`],
  ];
  return {
    executable: SHELL,
    candidate: start("Candidate", "0<&3 3<&-", ...STARTS_SOON),
    // It may have few threads, its own and those of its machine.
    run: start("Candidate", "0<&3 3<&-", ONE_THREAD, ...UNMOVED),
    judge: start("Judge", "0<&3 1>&4 3<&- 4<&-", ...STARTS_SOON),
    // Without what reads or writes memory, dumps it or attaches to a machine; and where things lie stays unknown.
    inProcess: start("InProcess", "0<&3 3<&-", ONE_THREAD, "--limit-modules", "java.base"),
    readable: [home, ...settingsFolders(home)],
  };
}

export function compiler(folder: string, cpuSeconds: number): string[] {
  const { home } = toolchain() ?? { home: "" };
  return [
    ...[SHELL, "-c", shell(home, ""), SHELL, java(home)],
    ...[ONE_THREAD, ...UNMOVED, ...FLAGS.filter((flag) => !flag.includes("CodeCache")), `-Xmx${COMPILER_HEAP_MB}m`],
    ...["-cp", folder, "mendjudge.Compiler", String(cpuSeconds)],
  ];
}

/** Systems keep its settings elsewhere and have links lead there. */
export function settingsFolders(home: string): string[] {
  const files = ["lib/jvm.cfg", "conf/security/java.security", "conf/logging.properties"].map((name) =>
    join(home, name),
  );
  return [...new Set(files.filter((file) => existsSync(file)).map((file) => dirname(realpathSync(file))))].filter(
    (path) => !path.startsWith(`${home}/`),
  );
}

/** Of this process; it goes with it. */
export const runnerFolder = readableFolder("java");

export const prepare = once(() =>
  compileRunner(toolchain()?.home ?? "", { name: "java", sources: SOURCES, runnerFolder }),
);

interface Runner {
  /** Of what is kept. */
  name: string;
  /** Folder of its sources. */
  sources: string;
  /** Gets its classes. */
  runnerFolder(): string;
}

/** Compiles a runner, which is ours, or takes what was kept of it. @throws Error where Java's own compiler fails */
export async function compileRunner(home: string, { name, sources, runnerFolder }: Runner): Promise<void> {
  const compiler = join(home, "bin", "javac");
  const files = readdirSync(sources).filter((file) => file.endsWith(".java"));
  const words = [...OPTIONS, "-d", runnerFolder(), ...files.map((file) => join(sources, file))];
  const options = { timeout: PREPARING_TIMEOUT_MS, env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" } };
  const madeOf = [versionOf(compiler), OPTIONS, textsIn(sources)];
  await fillFromCache({ name, madeOf }, runnerFolder(), async () => void (await run(compiler, words, options)));
}
