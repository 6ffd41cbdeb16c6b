/** The benchmarks that mend knows. A new one is its file and its row. */

import { evalPlus } from "./evalplus/evalplus.ts";
import { humanEvalPack } from "./humanevalpack.ts";
import { liveCodeBench } from "./livecodebench/livecodebench.ts";
import { polyglot } from "./polyglot/polyglot.ts";
import { questions } from "./questions/questions.ts";
import { quixBugs } from "./quixbugs/quixbugs.ts";
import { repositories } from "./repositories/row.ts";
import type { BenchmarkRow } from "./row.ts";

export const BENCHMARKS: readonly BenchmarkRow[] = [
  humanEvalPack,
  evalPlus,
  liveCodeBench,
  polyglot,
  quixBugs,
  repositories,
  questions,
];
