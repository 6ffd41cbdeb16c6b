/** Runs the tests of an exercise on files that were filled in, in a box. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SuiteRun } from "../../../fix/project/suite.ts";
import { makeTemporaryFolder } from "../../../utils/base/files/temporary.ts";
import { environmentsFolder } from "../../../utils/base/host/cache_folder.ts";
import { headAndTail } from "../../../utils/base/text/text.ts";
import { isFail, isPass } from "../../../utils/frameworks/test_run.ts";
import { copyProject, filesOf } from "../../../utils/project/copy.ts";
import { runsAsOther } from "../../../utils/project/project.ts";
import { RepositoryBox } from "../../../utils/project/repository_box.ts";
import type { CommandBox } from "../../../utils/sandbox/command/command_box.ts";
import { addEnvironment } from "../repositories/environment/environment.ts";
import type { Exercise } from "./exercise.ts";
import { TRACKS, type Track } from "./tracks.ts";

export interface RunOptions {
  box: CommandBox;
  /** Installs what tests need from npm's registry and is not there. */
  prepare: boolean;
  /** Interpreter of the tests. Default: the one on the PATH. */
  python?: string | undefined;
}

export interface ExerciseRun extends SuiteRun {
  /** All tests that there are ran and passed. */
  passed: boolean;
}

/** Processor time of one run, in seconds; the benchmark itself has 180 s of the clock. */
const SECONDS = 180;
/** Rust and Go write what they build. */
const MEMORY_MB = 4096;
const OUTPUT_CHARS = 20_000;
/** When the benchmark was published: packages that its tests need are those of that time. */
const PUBLISHED = "2024-12-20";

export function trackOf({ track }: Pick<Exercise, "track">): Track {
  const found = TRACKS.find(({ name }) => name === track);
  if (!found) throw new Error(`${track} is not a known track`);
  return found;
}

/**
 * @param filled files in place of those of the exercise, by name, as `filledIn` lets them count
 * @throws UserError where something that the tests need is missing here
 */
export async function runExercise(
  exercise: Exercise,
  filled: Readonly<Record<string, string>>,
  { box, prepare, python, signal }: RunOptions & { signal?: AbortSignal | undefined },
): Promise<ExerciseRun> {
  const track = trackOf(exercise);
  // CMake builds a program that is called as its folder.
  using place = makeTemporaryFolder("exercise");
  const folder = join(place.path, exercise.name);
  writeFiles(folder, { ...exercise.given, ...switchedOn(exercise, track), ...filled });
  if (track.npm) {
    const problem = await addEnvironment(
      { id: exercise.id, language: "javascript", framework: "jest", build: "", command: "", createdAt: PUBLISHED },
      folder,
      { folder: environmentsFolder(), prepare: prepare ? box : null },
    );
    if (problem !== null) throw new MissingTool(problem);
  }
  const project = { root: place.path, folder, target: join(folder, "."), shared: runsAsOther(box.layer), python };
  using base = makeTemporaryFolder("exercise");
  const { installed } = copyProject(filesOf(place.path, "all"), base.path, box.layer);
  using repository = new RepositoryBox(box, project, installed);
  const ran = await repository.run({
    tree: base.path,
    command: (out) => track.command(exercise, { project, results: join(out, "report") }),
    seconds: SECONDS,
    memoryMb: MEMORY_MB,
    signal,
  });
  const { exitCode, cpuSeconds } = ran;
  const inFolder = (text: string) => text.replaceAll(`${ran.root}/${exercise.name}/`, "");
  const said = [ran.explanation, ran.stdout.trim(), ran.stderr.trim()].filter(Boolean).join("\n");
  const output = headAndTail(inFolder(said), OUTPUT_CHARS);
  const common = { exitCode, output, covered: [], cpuSeconds, clockSeconds: ran.durationMs / 1000 };
  if (ran.ending === "cpu" || ran.ending === "blocked")
    return { ...common, ending: "timeout", passed: false, fatal: null, tests: new Map() };
  const report = track.report({ report: ran.report("report"), stdout: ran.stdout });
  if (!report || report.tests.length === 0)
    return { ...common, ending: "no report", passed: false, fatal: report?.fatal ?? null, tests: new Map() };
  const tests = new Map(report.tests.map((test) => [test.name, { ...test, message: inFolder(test.message) }]));
  const all = [...tests.values()];
  const passed = exitCode === 0 && report.fatal === null && all.some(isPass) && !all.some(isFail);
  return { ...common, ending: "complete", passed, fatal: report.fatal, tests };
}

/** Something that the tests need is not on this machine. */
export class MissingTool extends Error {}

const switchedOn = ({ tests }: Exercise, track: Track): Record<string, string> =>
  Object.fromEntries(Object.entries(tests).map(([file, text]) => [file, track.switchedOn?.(text) ?? text]));

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}
