/**
 * Aider's polyglot benchmark: exercises of Exercism in six languages. The files are edited until the tests pass, with
 * two tries as aider counts them. Source: `benchmark/benchmark.py` of Aider-AI/aider, and Aider-AI/polyglot-benchmark.
 */

import { isFolder } from "../../../utils/base/files/stat.ts";
import { LANGUAGE_NAMES } from "../../../utils/languages/language.ts";
import type { OtherRow } from "../row.ts";
import { exercisesIn } from "./exercise.ts";

export const polyglot: OtherRow = {
  name: "polyglot",
  about: {
    task: `an exercise of files to fill in, in ${LANGUAGE_NAMES.join(", ")}`,
    size: "225 exercises",
    shown: "instructions and stub; after a try what its tests say",
    scores: "the exercise's own tests",
    licence: "MIT (Exercism)",
    source: "Aider-AI/polyglot-benchmark on GitHub",
    dataset: "a clone of it or a git bundle; --prepare installs jest once; --tries N (default 2)",
  },
  known: {
    place: {
      what: "a folder of exercises (TRACK/exercises/practice)",
      is: (path) => path.endsWith(".bundle") || (isFolder(path) && exercisesIn(path).length > 0),
    },
  },
  hasTries: true,
  open: async (path, { openBox, ...options }) => {
    const { openPolyglot } = await import("./open.ts");
    return await openPolyglot(path, { ...options, box: await openBox() });
  },
  unpacker: async ({ openBox, ...options }) => {
    const { unpackedTask } = await import("./benchmark.ts");
    return { task: async (data) => unpackedTask(data, { ...options, box: await openBox() }) };
  },
};
