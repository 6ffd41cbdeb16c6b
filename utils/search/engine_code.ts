/**
 * Python's bytecode of the engine, kept beside its sources: to compile them takes each search as long as a hundred
 * candidates.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { replaceFile } from "../base/files/replace_file.ts";
import { findPython, NOBODYS } from "../base/host/python.ts";

const FOLDER = fileURLToPath(new URL("./python", import.meta.url));
const CACHE = join(FOLDER, "__pycache__");

/** Reads the files as JSON and prints the interpreter, exactly, and their code, packed. Nothing of them is run. */
const MAKE = `import binascii, json, marshal, sys, zlib
codes = [compile(file, "engine", "exec") for file in json.load(sys.stdin)]
print(json.dumps([sys.version, binascii.b2a_base64(zlib.compress(marshal.dumps(codes)), newline=False).decode()]))`;

/** Statements that run the files, by the interpreter for which they were compiled alone; an `else` has to follow. */
export type EngineCode = string;

const found = new Map<string, Promise<EngineCode | undefined>>();

/** @returns undefined where the folder is not ours, or there is no Python to compile with: then each search does it */
export function engineCode(files: readonly string[]): Promise<EngineCode | undefined> {
  const text = JSON.stringify(files);
  const code = found.get(text) ?? readOrMade(text).catch(() => undefined);
  found.set(text, code);
  return code;
}

async function readOrMade(text: string): Promise<EngineCode | undefined> {
  // In the box of an agent it cannot be written, and there is nothing to compile with.
  accessSync(FOLDER, constants.W_OK);
  // As root we would leave files in another's folder that its owner cannot remove.
  if (statSync(FOLDER).uid !== process.getuid?.()) return undefined;
  const { executable, version, untried } = await findPython();
  if (untried) return undefined;
  const prefix = `engine-${version}-`;
  const name = `${prefix}${createHash("sha256").update(text).digest("hex").slice(0, 16)}.json`;
  const [built, code] = kept(join(CACHE, name)) ?? make(executable, text, prefix, name);
  return `if sys.version == ${JSON.stringify(built)}:
    for file in marshal.loads(zlib.decompress(binascii.a2b_base64("${code}"))):
        exec(file)`;
}

function kept(file: string): [string, string] | undefined {
  try {
    return pair(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function make(executable: string, text: string, prefix: string, name: string): [string, string] {
  // `-I -S`: nothing of the user's runs.
  const { stdout } = spawnSync(executable, ["-I", "-S", "-c", MAKE], {
    cwd: NOBODYS,
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 24,
    timeout: 60_000,
  });
  const parts = pair(stdout);
  mkdirSync(CACHE, { recursive: true });
  for (const old of readdirSync(CACHE)) if (old.startsWith(prefix)) rmSync(join(CACHE, old), { force: true });
  replaceFile(join(CACHE, name), stdout);
  return parts;
}

const made = z.tuple([z.string(), z.base64().min(1)]);

/** The interpreter's version and the code. @throws where the text says something else */
const pair = (text: string): [string, string] => made.parse(JSON.parse(text));
