/** What a user may set about a model that runs on this machine. */

import type { Dtype } from "./files/folders.ts";

export interface LocalOptions {
  /** Weights in the file: q4 (default), q8, fp16, fp32 … */
  dtype?: Dtype;
  /** cpu (default), cuda, webgpu, dml or coreml, as far as the machine has it. */
  device?: string;
  /** Threads of one pass; default: the processors, at most 8. */
  threads?: number;
  /** Memory for caches of earlier conversations; default an eighth of the machine's, at most 2 GiB. 0: no reuse. */
  cacheBytes?: number;
  /** Keep shared prefixes on disk for the next process. Default true. */
  keepPrefixes?: boolean;
  /** Draft tokens from the prompt. Default true. */
  speculate?: boolean;
  /** Replies generated side by side at most, on a prepared copy; default 4. */
  maxBatch?: number;
  /** Generate only replies that can be read, where the caller says what it can read. Default true. */
  constrain?: boolean;
  topK?: number;
  topP?: number;
  /** Default 1, off: code repeats itself. */
  repetitionPenalty?: number;
}
