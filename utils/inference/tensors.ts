/** What the rest knows of the runtime: narrow types, for which the library that runs models need not be installed. */

export type TensorType = "float32" | "float16" | "int64";
export type TensorValues = Float32Array | Uint16Array | BigInt64Array;

/** A tensor of the runtime. `data` of an input is used in place, never copied and never written to. */
export interface RuntimeTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

export interface InputInfo {
  name: string;
  type?: string;
  shape?: readonly (number | string)[];
}

export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InputInfo[];
  /** Blocks the thread for the whole pass. @param fetches outputs to copy out; the others cost nothing. */
  run(feeds: Record<string, RuntimeTensor>, fetches: readonly string[]): Promise<Record<string, RuntimeTensor>>;
}
