/** Reads Aider's exercises from a folder of tracks, or from a git bundle of one. */

import { basename, resolve } from "node:path";
import { UserError } from "../../../utils/base/data/errors.ts";
import { isFolder } from "../../../utils/base/files/stat.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { git } from "../../../utils/git/git.ts";
import type { Benchmark } from "../benchmark.ts";
import { leftOut, type Remark } from "../remarks.ts";
import { type ExerciseOptions, exerciseBenchmark } from "./benchmark.ts";
import { type Exercise, exercisesIn, readExercise } from "./exercise.ts";
import { TRACKS, type Track } from "./tracks.ts";

/** @throws UserError where it holds no exercises */
export async function openPolyglot(path: string, options: ExerciseOptions): Promise<Benchmark> {
  using place = unpacked(path);
  const remarks: Remark[] = [];
  const exercises: Exercise[] = [];
  for (const { track, folder } of exercisesIn(place.path)) {
    const known = TRACKS.find(({ name }) => name === track);
    const read = known ? readWhole(folder, known) : `${track} is not a track that mend runs`;
    if (typeof read === "string") remarks.push(leftOut(`polyglot/${track}/${basename(folder)}`, read));
    else exercises.push(read);
  }
  if (exercises.length === 0) throw new UserError(`${path} holds no exercise (TRACK/exercises/practice/NAME).`);
  return exerciseBenchmark(exercises, remarks, basename(resolve(path)), options);
}

function readWhole(folder: string, { name, test }: Track): Exercise | string {
  const read = readExercise(folder, name);
  if (typeof read === "string" || Object.values(read.tests).some((text) => test.test(text))) return read;
  return "the exercise asks for its own tests, and has none to score with";
}

/** @throws UserError where it is neither */
function unpacked(path: string): { path: string } & Disposable {
  if (isFolder(path)) return { path, [Symbol.dispose]: () => {} };
  const folder = makeTemporaryFolder("polyglot");
  try {
    git(folder.path, ["clone", "--quiet", resolve(path), "exercises"], { env: { GIT_ALLOW_PROTOCOL: "file" } });
    return { path: `${folder.path}/exercises`, [Symbol.dispose]: folder[Symbol.dispose] };
  } catch {
    folder[Symbol.dispose]();
    throw new UserError(`${path} is not a git bundle that can be unpacked: give one, or a folder of exercises.`);
  }
}
