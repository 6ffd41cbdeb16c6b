/** The Rust compiler of the user: which one, what is prepared once, and the commands that build a program. */

import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { messageOf, UserError } from "../../base/data/errors.ts";
import { fillFromCache, textsIn, versionOf } from "../../base/files/compiled_parts.ts";
import { findProgram, isOfProject, programOf, programsNamed } from "../../base/host/host_programs.ts";
import { once, readableFolder } from "../prepared.ts";
import type { RuntimeCommands } from "../runtime.ts";
import { boxesMayRead, cachedByPlace, outputOf } from "../toolchains.ts";
import { type BuiltCrates, buildCrates, hasCrate } from "./built_crates.ts";
import {
  ENDS_BY_PANIC,
  MAIN,
  OWN_HARNESS,
  PROGRAM,
  SOLUTION,
  VERSIONS,
  WITH_CRATES,
  WITH_OLD_RAND,
} from "./sources.ts";

const run = promisify(execFile);

/** Sources of what answers and what judges, each after those that it is made of. */
const SOURCES = fileURLToPath(new URL("./runner", import.meta.url));
const OURS = ["wire", "candidate", "judge", "in_process"];
const CLONES = "clones";
const OLD_RAND = "rand";
/** Of the runner's folder. */
const CRATES = "crates";
const PREPARING_TIMEOUT_MS = 600_000;
const EDITION = ["--edition", "2021"];
/** One unit and no names for debuggers: it is run once. Overflow is found, as `cargo test` does. */
const QUICK = ["-C", "codegen-units=1", "-C", "debuginfo=0", "-C", "opt-level=0"];
/** Errors with what the compiler says at the place itself; in short they are half as long, and told alone. */
const TOLD = ["--error-format", "json", "--json", "diagnostic-short"];
const FAST = [...QUICK, "--cap-lints", "allow"];
/** Of a program that is one with its tests. What else the compiler would find fault with is none. */
const SAFE = [
  ...["-F", "unsafe_code", "-A", "warnings"],
  ...["overflowing_literals", "unconditional_panic", "arithmetic_overflow"].flatMap((lint) => ["-A", lint]),
];

/**
 * Of many versions, each run once: a fourth of the time is what goes on behind a panic, and what checks Rust's library.
 */
const QUICKLY_MADE = ["-C", "panic=abort", "-C", "debug-assertions=off", "-C", "overflow-checks=on"];

export interface Toolchain {
  compiler: string;
  version: string;
  /** What the compiler has to see of its installation. */
  root: string;
  /** What starts the system's linker, itself: a box does not show the links of /etc that lead to it. */
  linker: string;
  /** Links faster, where it is there. */
  hasMold: boolean;
}

/**
 * The toolchain that the user's shell takes: CARGO's, else the first on PATH that boxes may read.
 * @returns null if there is none
 * @throws UserError where rustup has not installed the one that the project names
 */
export const toolchain = cachedByPlace((place): Toolchain | null => {
  const cargo = programOf("CARGO");
  const beside = cargo === undefined ? [] : [join(dirname(cargo), "rustc")].filter((path) => existsSync(path));
  for (const program of new Set([...beside, ...programsNamed("rustc")])) {
    const found = toolchainAt(program, place.folder);
    if (found && boxesMayRead(found.root, place.shared)) return found;
  }
  return null;
});

function toolchainAt(program: string, folder: string | undefined): Toolchain | null {
  const linker = programOf("CC") ?? findProgram("cc") ?? findProgram("gcc");
  try {
    const chosen = chosenByRustup(program, folder);
    const root = chosen ? dirname(dirname(chosen)) : realpathSync(outputOf(program, ["--print", "sysroot"]));
    const compiler = join(root, "bin/rustc");
    if (isOfProject(compiler) || linker === undefined) return null;
    const version = /^rustc (\S+)/.exec(outputOf(compiler, ["--version"]))?.[1];
    if (version === undefined) return null;
    return { compiler, version, root, linker: realpathSync(linker), hasMold: findProgram("mold") !== undefined };
  } catch (error) {
    if (error instanceof UserError) throw error;
    return null;
  }
}

/** What rustup puts on PATH starts the compiler of a toolchain, which the project may name. */
function chosenByRustup(program: string, folder: string | undefined): string | null {
  const rustup = join(dirname(program), "rustup");
  if (!existsSync(rustup)) return null;
  try {
    return realpathSync(outputOf(rustup, ["which", "rustc"], folder));
  } catch (error) {
    if (folder === undefined) throw error;
    const said = /^error: (.*)$/m.exec(messageOf(error))?.[1] ?? "it does not say why";
    throw new UserError(`${rustup} has no Rust for ${folder}: ${said}.`);
  }
}

/** The compiler needs Rust in its box; compiled programs need nothing. */
export const commands = (): RuntimeCommands => {
  const found = toolchain();
  const isOfSystem = found?.root === "/usr";
  return { executable: "", candidate: [], judge: [], readable: found && !isOfSystem ? [found.root] : [] };
};

/** The command for the sources of `sources.ts`, told apart by their names. */
export function steps(files: readonly string[], folder: string, everyProblem: boolean): string[][] {
  const { compiler } = toolchain() ?? { compiler: "rustc" };
  const [first = MAIN] = files;
  if (first === SOLUTION) return inProcessSteps(files, folder);
  const externs = Object.entries(crateNames(first)).flatMap(([crate, name]) => [
    "--extern",
    `mend_${crate}=${join(folder, libraryOf(name))}`,
  ]);
  return [
    [
      ...[
        "LC_ALL=C",
        compiler,
        first,
        ...EDITION,
        ...FAST,
        ...(everyProblem ? ["--error-format", "short"] : TOLD),
        "--crate-name",
        "program",
      ],
      ...(files.includes(OWN_HARNESS) ? ["--test"] : ["--crate-type", "bin"]),
      ...(files.includes(ENDS_BY_PANIC) ? QUICKLY_MADE : []),
      ...[...externs, "-L", `dependency=${folder}`],
      ...(usesCrates(files) ? crates.words(join(folder, CRATES), files.includes(WITH_OLD_RAND) ? [OLD_RAND] : []) : []),
      ...(files.includes(WITH_OLD_RAND) ? ["--extern", `${OLD_RAND}=${join(folder, libraryOf(OLD_RAND))}`] : []),
      ...linking(),
    ],
  ];
}

/** The program as a crate, then its tests with it. */
function inProcessSteps(files: readonly string[], folder: string): string[][] {
  const { compiler } = toolchain() ?? { compiler: "rustc" };
  const tests = files.find((file) => file.startsWith("Tests_")) ?? "";
  const start = (file: string) => ["LC_ALL=C", compiler, file, ...EDITION, ...TOLD];
  const used = usesCrates(files) ? crates.words(join(folder, CRATES), []) : [];
  const externs = ["wire", "in_process"].map((name) => join(folder, libraryOf(name)));
  return [
    [
      ...[...start(SOLUTION), ...QUICK, ...SAFE, ...used, "--crate-name", "solution", "--crate-type", "rlib"],
      ...["-o", "libsolution.rlib"],
    ],
    [
      ...[...start(tests), ...FAST, ...used, "--crate-name", "program", "--crate-type", "bin"],
      ...["--extern", "solution=libsolution.rlib", "--extern", `mend_judge=${externs[1]}`],
      ...["--extern", `mend_wire=${externs[0]}`, "-L", `dependency=${folder}`, ...linking()],
    ],
  ];
}

/** Else the linker would hand sections of a program to another compiler, which trusts what it reads. */
const NO_PLUGIN = ["-C", "link-arg=-fno-lto"];

/** What makes an executable `program` of what is compiled. */
function linking(): string[] {
  const { linker, hasMold } = toolchain() ?? { linker: "cc", hasMold: false };
  const mold = hasMold ? ["-C", "link-arg=-fuse-ld=mold"] : [];
  return ["-C", "strip=symbols", "-C", `linker=${linker}`, ...NO_PLUGIN, ...mold, "-o", "program"];
}

/** Crates of ours that a source is linked with: the names by which it knows them. */
function crateNames(source: string): Record<string, string> {
  if (source === MAIN) return {};
  if (source === PROGRAM) return { wire: "wire", candidate: "candidate" };
  return { wire: "wire", judge: source === VERSIONS ? CLONES : "judge" };
}

const usesCrates = (files: readonly string[]): boolean => files.includes(WITH_CRATES) || files.includes(WITH_OLD_RAND);

const libraryOf = (name: string): string => `libmend_${name}.rlib`;

/** Of this process; it goes with it. */
export const runnerFolder = readableFolder("rust");

const prepareOurs = once(() => {
  const { compiler, version } = toolchain() ?? { compiler: "", version: "" };
  const madeOf = [version, versionOf(compiler), EDITION, FAST, textsIn(SOURCES)];
  return fillFromCache({ name: "rust", madeOf }, runnerFolder(), compileRunner);
});
const prepareClones = once(() => compileLibrary(CLONES, `mend_${CLONES}`));
const prepareOldRand = once(async () => {
  const now = crates.words(join(runnerFolder(), CRATES)).map((word) => word.replace(/^rand=/, "rand_now="));
  if (hasCrate(OLD_RAND)) await compileLibrary(OLD_RAND, "old_rand", now);
});
const prepareCrates = once(async () => {
  const found = toolchain();
  if (found) crates = await buildCrates(found, join(runnerFolder(), CRATES));
});
let crates: BuiltCrates = { words: () => [] };

/** Compiles what the sources are linked with, once, or takes what was kept. @throws Error where the compiler fails */
export async function prepare(files: readonly string[]): Promise<void> {
  await prepareOurs();
  if (files.includes(VERSIONS)) await prepareClones();
  if (usesCrates(files)) await prepareCrates();
  if (files.includes(WITH_OLD_RAND)) await prepareOldRand();
}

async function compileRunner(): Promise<void> {
  await compileLibrary("wire", "mend_wire");
  await Promise.all(OURS.slice(1).map((name) => compileLibrary(name, `mend_${name}`)));
}

async function compileLibrary(name: string, crate: string, words: readonly string[] = []): Promise<void> {
  const { compiler } = toolchain() ?? { compiler: "rustc" };
  const made = runnerFolder();
  const wire = name === "wire" ? [] : ["--extern", `mend_wire=${join(made, libraryOf("wire"))}`];
  const out = ["--crate-name", crate, "--crate-type", "rlib", "-o", join(made, libraryOf(name))];
  const options = { timeout: PREPARING_TIMEOUT_MS, env: { PATH: "/usr/bin:/bin", LC_ALL: "C" } };
  const source = join(SOURCES, name, "lib.rs");
  await run(compiler, [source, ...EDITION, ...FAST, ...words, ...wire, "-L", made, ...out], options);
}
