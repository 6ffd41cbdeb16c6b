/**
 * Folders: the cache, and those of models in the layout of transformers.js, with what to say where something is
 * missing.
 */

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../base/data/errors.ts";
import { type Env, huggingFaceHome } from "../../base/data/hub.ts";

/**
 * Where downloaded and derived files live, as those of Hugging Face tools do: `$HF_HOME/mend`, by default
 * `~/.cache/huggingface/mend`.
 */
export const cacheFolder = (env: Env): string => join(huggingFaceHome(env), "mend");

/** Weight formats and the suffix of their file in `onnx/`. */
const DTYPES = {
  fp32: "",
  fp16: "_fp16",
  q8: "_quantized",
  int8: "_int8",
  uint8: "_uint8",
  q4: "_q4",
  q4f16: "_q4f16",
  bnb4: "_bnb4",
} as const;
export type Dtype = keyof typeof DTYPES;
export const DTYPE_NAMES = Object.keys(DTYPES).filter((name): name is Dtype => name in DTYPES);

export const DEFAULT_DTYPE: Dtype = "q4";

/** File name in `onnx/`, without `.onnx`. */
export const modelFile = (dtype: Dtype): string => `model${DTYPES[dtype]}`;

/** Files beside the graph that a model needs, and those it may have. */
export const NEEDED_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json"] as const;
export const OPTIONAL_FILES = ["generation_config.json", "chat_template.jinja"] as const;

/** The dtypes whose graphs are among these file names. */
export function dtypesIn(names: readonly string[]): Dtype[] {
  return DTYPE_NAMES.filter((dtype) => names.includes(`${modelFile(dtype)}.onnx`));
}

/**
 * Checks that a folder can be loaded. @param model the folder as the user named it
 * @throws UserError that names the file, the reason and the way out
 */
export function checkFolder(model: string, folder: string, dtype: Dtype): void {
  if (!existsSync(folder))
    throw new UserError(
      `There is not a folder ${model}: give a model folder or a hub id such as Qwen/Qwen2.5-Coder-1.5B-Instruct.`,
    );
  for (const name of NEEDED_FILES) {
    if (existsSync(join(folder, name))) continue;
    throw new UserError(
      `The model folder ${model} has no ${name}: give a folder as transformers.js exports it ` +
        `(${NEEDED_FILES.join(", ")}, onnx/).`,
    );
  }
  const onnx = join(folder, "onnx");
  const names = existsSync(onnx) ? readdirSync(onnx) : [];
  const dtypes = dtypesIn(names);
  if (dtypes.length === 0)
    throw new UserError(
      `The model folder ${model} has no ONNX files in onnx/: export the model for transformers.js first.`,
    );
  if (!dtypes.includes(dtype)) {
    throw new UserError(
      `The model folder ${model} has no onnx/${modelFile(dtype)}.onnx: choose with --dtype ${dtypes.join(", ")}.`,
    );
  }
  const empty = names.find(
    (name) => name.startsWith(`${modelFile(dtype)}.onnx`) && statSync(join(onnx, name)).size === 0,
  );
  if (empty) throw new UserError(`${join(model, "onnx", empty)} is empty: delete it and load the model again.`);
}
