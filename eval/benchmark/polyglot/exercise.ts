/** An exercise of Aider's polyglot benchmark as it lies in its folder, in the layout of Exercism's tracks. */

import { readdirSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import { readForeign, readForeignJson, tryForeignText } from "../../../utils/base/files/foreign_file.ts";
import { isPlainPath } from "../../../utils/base/files/plain_path.ts";
import { utf8Text } from "../../../utils/base/text/line_ends.ts";
import { inLine } from "../../../utils/base/text/text.ts";

/** All of it is data, so that it can travel. Files are named from its folder. */
export const Exercise = z.object({
  /** `polyglot/rust/wordy` */
  id: z.string(),
  name: z.string(),
  track: z.string(),
  instructions: z.string(),
  /** What an agent is given: the stub, and what it builds on. */
  given: z.record(z.string(), z.string()),
  /** The tests and what starts them. */
  tests: z.record(z.string(), z.string()),
  /** Of the files given: those to be filled in. */
  solution: z.array(z.string()),
  /** The files of the reference solution, in their places. */
  reference: z.record(z.string(), z.string()),
});
export type Exercise = z.infer<typeof Exercise>;

const FilePath = z.string().refine(isPlainPath, "it is not the path of a file in the exercise");
const Config = z.looseObject({
  files: z.looseObject({
    solution: z.array(FilePath).min(1),
    test: z.array(FilePath).min(1),
    example: z.array(FilePath).min(1),
    editor: z.array(FilePath).default([]),
    invalidator: z.array(FilePath).default([]),
  }),
});

/** Taken from the benchmark, not from the answer: these files decide how the tests are built. */
const BUILD_FILES = new Set(["CMakeLists.txt", "Cargo.toml"]);
/** Files that are not part of an exercise: its own history, Gradle's programs, licences. */
const NO_PART = /^(?:\.|gradle|LICENSE|README|HELP)/;
const MOST_BYTES = 2_000_000;

/**
 * @param folder `TRACK/exercises/practice/NAME`
 * @returns the exercise, or why it cannot be used
 */
export function readExercise(folder: string, track: string): Exercise | string {
  const name = basename(folder);
  const id = `polyglot/${track}/${name}`;
  const config = readForeignJson(folder, ".meta/config.json", Config);
  if (config === null) return "its .meta/config.json is missing, or does not name its solution, test and example";
  const { files } = config;
  const text = (file: string) => tryForeignText(folder, file, MOST_BYTES).text;
  const instructions = ["introduction.md", "instructions.md", "instructions.append.md"]
    .flatMap((file) => text(`.docs/${file}`)?.trim() ?? [])
    .join("\n\n");
  if (instructions === "") return "it has no instructions";
  const given: Record<string, string> = {};
  const tests: Record<string, string> = {};
  for (const file of filesIn(folder)) {
    const read = utf8Text(readForeign(folder, file, MOST_BYTES));
    if (read === null) continue;
    const isTest = files.test.includes(file) || isOfTests(file, files.test);
    (isTest || files.invalidator.includes(file) || isBuild(file) ? tests : given)[file] = read;
    // An answer may change which crates it names.
    if (isManifest(file)) given[file] = read;
  }
  const missing = [...files.solution, ...files.test].find((file) => !(file in given) && !(file in tests));
  if (missing !== undefined) return `its file ${inLine(missing)} is missing`;
  const solution = files.solution.filter((file) => file in given);
  const reference: Record<string, string> = {};
  for (const file of files.example) {
    const place = placeOf(file, solution);
    const read = text(file);
    if (place === null || read === null) return `its reference solution ${inLine(file)} has no place or is missing`;
    reference[place] = read;
  }
  const [manifest, crates] = [tests["Cargo.toml"], text(".meta/Cargo-example.toml")];
  if (manifest !== undefined && crates !== null) reference["Cargo.toml"] = withCrates(manifest, crates);
  return { id, name, track, instructions, given, tests, solution, reference };
}

/** Beside tests in a folder of theirs, and those that a track's runner takes for tests by their names. */
const isOfTests = (file: string, tests: readonly string[]): boolean =>
  /_test\.go$/.test(file) ||
  /^tests?\//.test(file) ||
  tests.some((test) => dirname(test) !== "." && file.startsWith(`${dirname(test)}/`));

/** What starts the tests, where no list of the exercise names it. */
const isBuild = (file: string): boolean =>
  BUILD_FILES.has(basename(file)) || /^(?:package\.json|babel\.config\.js|go\.mod|build\.gradle)$/.test(file);

/** Where a file of the reference solution belongs: the file of its name, the only one of its kind, else beside them. */
function placeOf(example: string, solution: readonly string[]): string | null {
  const named = solution.find((file) => basename(file) === basename(example));
  if (named !== undefined) return named;
  const alike = solution.filter((file) => extname(file) === extname(example));
  if (basename(example).startsWith("example") || basename(example).startsWith("proof")) return alike[0] ?? null;
  const [first] = alike;
  return first === undefined ? null : join(dirname(first), basename(example));
}

function filesIn(folder: string, under = ""): string[] {
  return readdirSync(join(folder, under), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(under, entry.name);
      if (under === "" && NO_PART.test(entry.name)) return [];
      return entry.isDirectory() ? filesIn(folder, path) : entry.isFile() ? [path] : [];
    })
    .sort();
}

/** What an answer may change of a Rust exercise's manifest: the crates that it depends on, and nothing else. */
const MANIFEST = "Cargo.toml";
/** A crate by its version; a table, with features say, in one line. None from a folder or from git. */
const CRATE = /^([\w-]+)\s*=\s*(?:"[^"\n]*"|\{(?![^}\n]*\b(?:path|git|registry)\b)[^}\n]*\})\s*$/;
const SECTION = /^\[dependencies\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m;

export const isManifest = (file: string): boolean => file === MANIFEST;

/** The manifest of an exercise with the crates of another, in the versions that the system has. */
export function withCrates(manifest: string, other: string): string {
  const lines = (text: string) => (SECTION.exec(text)?.[1] ?? "").split("\n").filter((line) => CRATE.test(line));
  const own = new Map([...lines(manifest), ...lines(other)].map((line) => [CRATE.exec(line)?.[1], anyVersion(line)]));
  const rest = manifest.replace(SECTION, "").trimEnd();
  return own.size === 0 ? manifest : `${rest}\n\n[dependencies]\n${[...own.values()].join("\n")}\n`;
}

const anyVersion = (line: string): string =>
  line.replace(/^([\w-]+\s*=\s*)"[^"]*"/, '$1"*"').replace(/(\bversion\s*=\s*)"[^"]*"/, '$1"*"');

/** Folders of exercises below a folder, as `TRACK` and the exercise's own. */
export function exercisesIn(root: string): { track: string; folder: string }[] {
  return foldersIn(root).flatMap((track) => {
    const practice = join(root, track, "exercises", "practice");
    return foldersIn(practice).map((name) => ({ track, folder: join(practice, name) }));
  });
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
  } catch {
    return [];
  }
}
