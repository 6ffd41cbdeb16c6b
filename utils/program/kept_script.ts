/**
 * Runs one large script with what Node.js compiled of it in earlier processes: it is then neither parsed nor compiled
 * again. Node.js does the same for modules from 22.1 on, but finds and links each of them anew.
 */

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getHeapCodeStatistics } from "node:v8";
import vm from "node:vm";
import { keepNewest } from "../base/files/newest.ts";
import { replaceFile } from "../base/files/replace_file.ts";
import { cacheFolder } from "../base/host/cache_folder.ts";

/** What stands before the compiled code: the sums of the script and of the code, and how much code the process held. */
const SUM_BYTES = 32;
const HEAD_BYTES = 2 * SUM_BYTES + 8;
/** A process that needed so much more is worth keeping. */
const MORE = 1.1;
/** Of each name so many are kept: other installs of mend, other versions of Node.js. */
const MOST_KEPT = 3;

interface Compiled {
  code: Buffer;
  /** Bytes of code of the whole process when it was kept. */
  held: number;
}

/** Where it is kept, and how the names of all begin of which the newest stay. */
interface Place {
  file: string;
  begins: string;
}

const sumOf = (data: Uint8Array): Buffer => createHash("sha256").update(data).digest();

/**
 * Runs a CommonJS script of ASCII alone, without `import()`. At the end of a process that did what it was asked for,
 * what was compiled is kept in the user's cache folder, where nothing is kept of this script yet, or clearly less.
 * @param name of what is kept: processes that use other parts of the script have others
 */
export function runKept(address: URL, name: string, folder = join(cacheFolder(), "compiled")): void {
  const file = fileURLToPath(address);
  const text = readFileSync(file);
  const sum = sumOf(text);
  const begins = `${name}-`;
  const own = `${begins}${process.version}-${process.arch}-${sum.toString("hex").slice(0, 16)}`;
  const place = { file: join(folder, own), begins };
  const kept = keptFor(sum, place);
  const script = new vm.Script(
    // A script that can be run by itself begins with `#!`, which nobody knows further behind.
    `(function (exports, require, module, __filename, __dirname) {${text.toString("latin1").replace(/^#!/, "//")}\n})`,
    {
      filename: file,
      ...(kept && { cachedData: kept.code }),
    },
  );
  const held = kept && script.cachedDataRejected === false ? kept.held : 0;
  process.once("exit", (exitCode) => {
    // 2 is a mistake in what was asked, 130 Ctrl-C.
    if (exitCode <= 1 && codeHeld() > MORE * held) keep(script, sum, place);
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(address), module, file, dirname(file));
}

const codeHeld = (): number => getHeapCodeStatistics().bytecode_and_metadata_size;

/** Undefined where there is nothing, or it is of another script or damaged. */
function keptFor(sum: Buffer, { file }: Place): Compiled | undefined {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(HEAD_BYTES);
    if (!kept.subarray(0, SUM_BYTES).equals(sum)) return undefined;
    return kept.subarray(SUM_BYTES, 2 * SUM_BYTES).equals(sumOf(code))
      ? { code, held: kept.readDoubleLE(2 * SUM_BYTES) }
      : undefined;
  } catch {
    return undefined;
  }
}

function keep(script: vm.Script, sum: Buffer, { file, begins }: Place): void {
  const code = script.createCachedData();
  const held = Buffer.alloc(8);
  held.writeDoubleLE(codeHeld());
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, Buffer.concat([sum, sumOf(code), held, code]));
    keepNewest(dirname(file), MOST_KEPT, (one) => one.startsWith(begins));
  } catch {
    // A full disk, a folder that may not be written: the next process compiles it, too.
  }
}
