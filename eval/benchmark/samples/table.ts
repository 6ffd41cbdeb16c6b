/** The formats of samples that mend reads: the first that recognises a file reads it. */

import type { SampleFormat } from "./format.ts";
import { evalplusResults } from "./formats/evalplus_results.ts";
import { generations } from "./formats/generations.ts";
import { inspect } from "./formats/inspect.ts";
import { lmEval } from "./formats/lm_eval.ts";
import { noAnswers } from "./formats/no_answers.ts";
import { predictions } from "./formats/predictions.ts";
import { rows } from "./formats/rows.ts";

export const SAMPLE_FORMATS: readonly SampleFormat[] = [
  generations,
  inspect,
  evalplusResults,
  predictions,
  lmEval,
  noAnswers,
  rows,
];
