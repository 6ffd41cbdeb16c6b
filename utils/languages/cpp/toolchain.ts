/** The C++ compiler of the user: which one, what is prepared once, and the commands that build a program. */

import { execFile } from "node:child_process";
import { copyFileSync, cpSync, existsSync, readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fillFromCache, textsIn, versionOf } from "../../base/files/compiled_parts.ts";
import { findProgram, programOf, programsNamed } from "../../base/host/host_programs.ts";
import { once, readableFolder } from "../prepared.ts";
import { cachedByPlace, isOfSystem, outputOf } from "../toolchains.ts";
import { IN_PROCESS, TOGETHER } from "./in_process.ts";
import { ENTRY, MAIN, PROGRAM } from "./sources.ts";

const run = promisify(execFile);

/** Sources of what answers and what judges. */
const SOURCES = fileURLToPath(new URL("./runner", import.meta.url));
const PREPARING_TIMEOUT_MS = 600_000;
const STANDARD = "-std=gnu++17";
/** Of what is compiled once. */
const OURS = [STANDARD, "-w", "-pthread"];
const UNIT = [...OURS, "-fno-gnu-unique", "-ffunction-sections", "-fdata-sections"];
const HEADER = "mend.hpp";
/** Of every program. */
const SHARED = ["channel", "values"];
const UNITS = [...SHARED, "ending", "messages", "candidate", "judge", "in_process"];
/** Errors as lines, few of them, in English. */
const TOLD = ["-w", "-fmax-errors=5", "-fdiagnostics-plain-output", "-fno-diagnostics-show-caret"];
const EVERY = ["-fmax-errors=0"];
/** Else the linker would hand sections of a program to another compiler, which trusts what it reads. */
const NO_PLUGIN = "-fno-lto";
const LIBRARIES = ["/usr/lib", "/usr/local/lib", "/usr/lib64"];

export interface Toolchain {
  compiler: string;
  version: string;
  /** Links faster, where it is there. */
  hasMold: boolean;
}

/** The compiler that the user's shell takes: CXX where that is GNU's, else g++ on PATH. Null if there is none. */
export const toolchain = cachedByPlace((): Toolchain | null => {
  const named = programOf("CXX");
  for (const compiler of [...(named === undefined ? [] : [named]), ...programsNamed("g++")]) {
    try {
      if (!outputOf(compiler, ["--version"]).includes("Free Software Foundation")) continue;
      const version = outputOf(compiler, ["-dumpfullversion", "-dumpversion"]);
      return { compiler, version, hasMold: findProgram("mold") !== undefined };
    } catch {
      // It does not start: the next one may.
    }
  }
  return null;
});

/** What a box must show of a compiler that does not belong to the system. */
export function compilerFolders({ compiler }: Pick<Toolchain, "compiler">): string[] {
  const real = realpathSync(compiler);
  return isOfSystem(compiler) && isOfSystem(real) ? [] : [dirname(dirname(real))];
}

/** Whether a header of the system is there, by its name in `#include <...>`. */
export const hasHeader = (name: string): boolean =>
  ["/usr/include", "/usr/local/include"].some((folder) => existsSync(join(folder, name)));

/** Folders that the compiler reads besides the system's programs and libraries. */
export const headerFolders = (): string[] => {
  const found = toolchain();
  const own = found ? compilerFolders(found) : [];
  return ["/usr/include", "/usr/local/include", ...own].filter((path) => existsSync(path));
};

let hasCrypto: boolean | undefined;

/** `-lcrypto` where OpenSSL can be linked: some programs use its hashes. */
function libraries(): string[] {
  hasCrypto ??= LIBRARIES.some(
    (folder) =>
      existsSync(join(folder, "libcrypto.so")) ||
      readdirSync(existsSync(folder) ? folder : "/", { withFileTypes: true }).some(
        (one) => one.isDirectory() && existsSync(join(folder, one.name, "libcrypto.so")),
      ),
  );
  return hasCrypto ? ["-Wl,--as-needed", "-lcrypto"] : [];
}

/** The commands for the sources of `sources.ts`, told apart by their names. */
export function steps(files: readonly string[], folder: string, everyProblem: boolean): string[][] {
  const { compiler, hasMold } = toolchain() ?? { compiler: "g++", hasMold: false };
  const [first = MAIN] = files;
  if (first.startsWith(IN_PROCESS) || first.startsWith(TOGETHER)) return inProcessSteps(first, folder);
  const isRun = first === MAIN;
  const own = first === ENTRY ? ["ending", "candidate"] : ["judge", "messages"];
  const units = [...(isRun ? ["ending"] : own), ...SHARED];
  const asserts = isRun || first === ENTRY ? [] : ["-I", join(folder, "asserting")];
  return [
    [
      ...["LC_ALL=C", compiler, STANDARD, ...TOLD, ...(everyProblem ? EVERY : []), ...asserts],
      ...["-pthread", "-include", join(folder, HEADER)],
      ...[first, ...units.map((name) => join(folder, `${name}.o`)), ...(isRun ? [] : ["-Wl,--wrap=main"])],
      ...["-Wl,--gc-sections", ...linking(hasMold)],
    ],
  ];
}

const linking = (hasMold: boolean): string[] => [
  ...["-Wl,-s", NO_PLUGIN, ...(hasMold ? ["-fuse-ld=mold"] : []), ...libraries()],
  ...["-o", "program"],
];

/** Mangled names, behind `_Z`, of what a program could put in the place of a library's: it keeps it to itself. */
const LIBRARYS_OWN = ["St*", "NSt*", "NKSt*", "NS*", "N9__gnu*", "nw*", "na*", "dl*", "da*", "N9mendjudge*"];

/**
 * The program, its tests and what runs them as one executable. Of the program only functions of C++ can be linked to,
 * of the tests nothing.
 */
function inProcessSteps(first: string, folder: string): string[][] {
  const { compiler, hasMold } = toolchain() ?? { compiler: "g++", hasMold: false };
  const compile = (source: string, made: string, more: string[] = []) => [
    ...["LC_ALL=C", compiler, STANDARD, ...TOLD, "-pthread", "-fno-gnu-unique", ...more],
    ...["-include", join(folder, HEADER), "-c", source, "-o", made],
  ];
  const merged = (made: string, ...objects: string[]) => [
    ...["ld", "-r", "--force-group-allocation", "-o", made],
    ...objects,
  ];
  const hidden = (kept: string[], object: string) => [
    ...["objcopy", "-w", ...kept.flatMap((name) => ["-L", `!${name}`]), "-L", "*", object],
  ];
  const ours = ["in_process", "messages", "channel"].map((name) => join(folder, `${name}.o`));
  const asserting = ["-I", join(folder, "asserting")];
  const isLinked = first.startsWith(IN_PROCESS);
  const own = LIBRARYS_OWN.flatMap((name) => ["-L", `_Z${name}`]);
  const program = [
    compile(PROGRAM, "program.o"),
    merged("linked.o", "program.o"),
    hidden(["_Z*"], "linked.o"),
    ["objcopy", "-w", ...own, "linked.o"],
  ];
  return [
    ...(isLinked ? program : []),
    compile(first, "tests.o", asserting),
    ...(isLinked
      ? [merged("both.o", ...ours, "tests.o"), hidden(["main", "__wrap_main"], "both.o")]
      : [merged("both.o", "tests.o"), hidden(["_Z*", "main"], "both.o")]),
    [
      ...["LC_ALL=C", compiler, "-pthread", ...(isLinked ? ["both.o", "linked.o"] : [...ours, "both.o"])],
      ...[join(folder, "values.o"), "-Wl,--wrap=main", ...linking(hasMold)],
    ],
  ];
}

/** Of this process; it goes with it. */
export const runnerFolder = readableFolder("cpp");

/**
 * Compiles the runner, which is ours, and the headers, or takes what was kept of them.
 * @throws Error where the compiler fails
 */
export const prepare = once(() => {
  const { compiler, version } = toolchain() ?? { compiler: "", version: "" };
  // Of the C library and of Boost, whose headers are compiled, too.
  const system = ["stdlib.h", "features.h", "boost/version.hpp"].map((name) => join("/usr/include", name));
  const madeOf = [version, [realpathSync(compiler), ...system].map(versionOf), [UNIT, UNITS], textsIn(SOURCES)];
  return fillFromCache({ name: "cpp", madeOf }, runnerFolder(), compileRunner);
});

async function compileRunner(): Promise<void> {
  const { compiler } = toolchain() ?? { compiler: "g++" };
  const made = runnerFolder();
  const header = join(made, HEADER);
  copyFileSync(join(SOURCES, HEADER), header);
  cpSync(join(SOURCES, "asserting"), join(made, "asserting"), { recursive: true });
  const options = { timeout: PREPARING_TIMEOUT_MS, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  // First the headers, by which the units are compiled faster, too.
  await run(compiler, [...OURS, "-x", "c++-header", header, "-o", `${header}.gch`], options);
  const unit = (name: string) => [
    ...[...UNIT, "-include", header],
    ...["-c", join(SOURCES, `${name}.cpp`), "-o", join(made, `${name}.o`)],
  ];
  await Promise.all(UNITS.map((name) => run(compiler, unit(name), options)));
}
