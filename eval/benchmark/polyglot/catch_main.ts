/**
 * Catch's own `main`, which takes most of the time of a C++ exercise: compiled once for all exercises that bring the
 * same.
 */

import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { jsonHash } from "../../../utils/base/data/json_hash.ts";
import { readForeign } from "../../../utils/base/files/foreign_file.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import type { Exercise } from "./exercise.ts";

export const MAIN = "test/tests-main.cpp";
const SECONDS = 180;
const MOST_BYTES = 256 * 1024 * 1024;

/** By what they are made of. They go with this process. */
const made = new Map<string, Promise<string | null>>();

/** Path of the object; null where the exercise brings no such file, or it does not compile as it is. */
export function catchMain({ tests }: Pick<Exercise, "tests">, box: CommandBox): Promise<string | null> {
  const sources = Object.entries(tests).filter(([file]) => /^test\/[^/]+\.(?:cpp|hpp|h)$/.test(file));
  if (tests[MAIN] === undefined) return Promise.resolve(null);
  const key = jsonHash([box.layer, sources]);
  const known = made.get(key) ?? compiled(sources, box);
  made.set(key, known);
  return known;
}

async function compiled(sources: readonly (readonly [string, string])[], box: CommandBox): Promise<string | null> {
  const folder = makeTemporaryFolder("catch");
  chmodSync(folder.path, 0o711);
  const [source, out] = [join(folder.path, "source"), join(folder.path, "out")];
  for (const path of [source, out]) mkdirSync(path);
  for (const [file, text] of sources) writeFileSync(join(source, basename(file)), text);
  const { exitCode } = await box.run({
    mounts: [
      { kind: "read", inside: "/source", outside: source },
      { kind: "write", inside: "/out", outside: out },
    ],
    start: (at) => ({
      argv: ["g++", "-std=c++17", "-c", at(`/source/${basename(MAIN)}`), "-o", at("/out/main.o")],
    }),
    limits: { cpuSeconds: SECONDS, memoryMb: 2048, fileMb: 256 },
  });
  const made = join(out, "main.o");
  if (exitCode !== 0 || !existsSync(made)) return null;
  // What a box wrote belongs to its user, and so to the programs of later boxes.
  const object = join(folder.path, "main.o");
  writeFileSync(object, readForeign(out, "main.o", MOST_BYTES), { mode: 0o644 });
  return object;
}
