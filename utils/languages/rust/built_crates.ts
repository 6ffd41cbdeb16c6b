/** The crates that the system has as source, compiled once a machine and compiler: see `crates.ts` for which. */

import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { fillFromCache, versionOf } from "../../base/files/compiled_parts.ts";
import { makeTemporaryFolder } from "../../base/files/temporary.ts";
import { findProgram } from "../../base/host/host_programs.ts";
import { CRATES } from "./crates.ts";

const run = promisify(execFile);

/** Where Debian keeps the sources of crates. */
const REGISTRY = "/usr/share/cargo/registry";
const BUILDING_TIMEOUT_MS = 600_000;

/** Of the compiler that they are compiled by. */
interface Compiler {
  compiler: string;
  version: string;
  root: string;
}

export interface BuiltCrates {
  /** What tells the compiler of them. @param folder where it finds them; `without` these */
  words(folder: string, without?: readonly string[]): string[];
}

const versions = (): string[] => (existsSync(REGISTRY) ? readdirSync(REGISTRY) : []);
const isOf = (name: string) => (folder: string) =>
  folder.startsWith(`${name}-`) && /^\d/.test(folder.slice(name.length + 1));

/** Whether the system has the source of a crate. */
export const hasCrate = (name: string): boolean => versions().some(isOf(name));

/** Compiles those that are there, unless that was done before; puts them into `folder`. None where cargo fails. */
export async function buildCrates(toolchain: Compiler, folder: string): Promise<BuiltCrates> {
  const there = CRATES.filter(hasCrate);
  const madeOf = [toolchain.root, toolchain.version, versionOf(toolchain.compiler), versions()];
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (there.length > 0) await fillFromCache({ name: "crates", madeOf }, folder, () => build(toolchain, there, folder));
  const files = readdirSync(folder);
  return {
    words: (inside, without = []) => [
      ...there.flatMap((name) => {
        if (without.includes(name)) return [];
        const file = files.find((one) => new RegExp(`^lib${name}-\\w+\\.rlib$`).test(one));
        return file === undefined ? [] : ["--extern", `${name}=${join(inside, file)}`];
      }),
      ...["-L", `dependency=${inside}`],
    ],
  };
}

/** By cargo, offline, as their build scripts and features want it. */
async function build({ compiler, root }: Compiler, names: readonly string[], folder: string): Promise<void> {
  const own = join(root, "bin/cargo");
  const cargo = existsSync(own) ? own : findProgram("cargo");
  if (cargo === undefined) return;
  using work = makeTemporaryFolder("crates");
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(work.path, file)), { recursive: true });
    writeFileSync(join(work.path, file), text);
  };
  write("src/lib.rs", "");
  write(
    "Cargo.toml",
    `[package]\nname = "all"\nversion = "0.1.0"\nedition = "2021"\n[profile.dev]\ndebug = 0\ncodegen-units = 1\n` +
      `[dependencies]\n${names.map((name) => `${name} = "*"\n`).join("")}`,
  );
  write(
    "cargo/config.toml",
    `[source.crates-io]\nreplace-with = "system"\n[source.system]\ndirectory = ${JSON.stringify(REGISTRY)}\n`,
  );
  const env = {
    ...{ PATH: "/usr/local/bin:/usr/bin:/bin", HOME: work.path, LC_ALL: "C", RUSTC: compiler },
    ...{ CARGO_HOME: join(work.path, "cargo"), CARGO_TARGET_DIR: join(work.path, "target"), CARGO_NET_OFFLINE: "true" },
  };
  try {
    await run(cargo, ["build", "--offline", "--quiet"], { cwd: work.path, env, timeout: BUILDING_TIMEOUT_MS });
  } catch {
    // A dependency of a crate is missing: programs that use the crate get a compile error.
    return;
  }
  const built = join(work.path, "target/debug/deps");
  for (const file of readdirSync(built).filter((one) => one.endsWith(".rlib")))
    copyFileSync(join(built, file), join(folder, file));
}
