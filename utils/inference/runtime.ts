/** The one door to transformers.js: loads a folder and gives back a tokenizer and a session with narrow types. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AutoModelForCausalLM, AutoTokenizer, env, LogLevel, Tensor } from "@huggingface/transformers";
import { z } from "zod";
import { readJsonFile } from "../base/data/record.ts";
import type { ChatMessage, EngineOptions } from "./messages.ts";
import type { OnnxSession, RuntimeTensor, TensorType, TensorValues } from "./tensors.ts";

interface Tokenizer {
  /** Ids of the conversation in the model's chat template, ending where the assistant's reply begins. */
  render(messages: readonly ChatMessage[]): number[];
  encode(text: string): number[];
  decode(ids: readonly number[]): string;
  /** Token text as the tokenizer's file spells it, by id. */
  vocabulary(): Map<string, number>;
  /** Ids with a meaning of their own, such as the end of a turn. */
  readonly addedIds: ReadonlySet<number>;
}

export interface LoadedModel {
  tokenizer: Tokenizer;
  session: OnnxSession;
  contextLength: number;
  endIds: ReadonlySet<number>;
  /** Frees the weights. */
  dispose(): Promise<void>;
}

export function makeTensor(type: TensorType, data: TensorValues, dims: number[]): RuntimeTensor {
  const tensor = new Tensor(type, data, dims).ort_tensor;
  // Where Node has half floats of its own the tensor holds those, and the native runtime takes only their bits.
  if (type === "float16") Reflect.set(tensor, "cpuData", data);
  return tensor;
}

const configSchema = z.object({
  max_position_embeddings: z.number().optional(),
  n_positions: z.number().optional(),
  eos_token_id: z.union([z.number(), z.array(z.number())]).nullish(),
});
const addedTokensSchema = z.object({
  added_tokens: z.array(z.object({ id: z.number(), content: z.string() })).default([]),
});

const DTYPE = "fp32";

/** Loads the tokenizer and the graph. Errors are those of the runtime; `failures.ts` reads them. */
export async function loadRuntime(options: EngineOptions): Promise<LoadedModel> {
  env.logLevel = LogLevel.NONE;
  env.allowRemoteModels = false;
  const local = { local_files_only: true } as const;
  const tokenizer = await loadTokenizer(options.folder);
  const model = await AutoModelForCausalLM.from_pretrained(options.folder, {
    ...local,
    // The file is named in full, so the suffix of a dtype must be the empty one.
    model_file_name: options.file,
    dtype: DTYPE,
    device: deviceOf(options.device),
    session_options: {
      intraOpNumThreads: options.threads,
      interOpNumThreads: 1,
      // Idle threads would spin between passes and burn as much CPU as the work itself.
      extra: { session: { intra_op: { allow_spinning: "0" }, inter_op: { allow_spinning: "0" } } },
    },
  });
  const session: OnnxSession | undefined = model.sessions.model;
  if (!session) throw new Error("the model has no decoder session");
  const config = configSchema.parse(contentOf(options.folder, "config.json"));
  const generation = readJsonFile(join(options.folder, "generation_config.json"), configSchema);
  const ends = [config.eos_token_id, generation?.eos_token_id].flat().filter((id) => typeof id === "number");
  return {
    tokenizer,
    session,
    contextLength: config.max_position_embeddings ?? config.n_positions ?? 2048,
    endIds: new Set(ends),
    dispose: async () => {
      await model.dispose();
    },
  };
}

async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const tokenizer = await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  const { added_tokens: added } = addedTokensSchema.parse(contentOf(folder, "tokenizer.json"));
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false });
  return {
    encode,
    addedIds: new Set(added.map((t) => t.id)),
    decode: (ids) =>
      ids.length === 0
        ? ""
        : tokenizer.decode([...ids], { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    render: (messages) => {
      const safe = messages.map((m) => ({ role: m.role, content: defuse(m.content, added) }));
      return encode(tokenizer.apply_chat_template(safe, { add_generation_prompt: true, tokenize: false }));
    },
    vocabulary: () => tokenizer.get_vocab(),
  };
}

/** Keeps a text from opening turns of its own: special tokens that it spells out are broken by a space. */
function defuse(content: string, added: readonly { content: string }[]): string {
  let safe = content;
  for (const { content: token } of added) {
    if (token.length > 2 && safe.includes(token))
      safe = safe.replaceAll(token, `${token.slice(0, 1)} ${token.slice(1)}`);
  }
  return safe;
}

const DEVICES = ["cpu", "cuda", "webgpu", "dml", "coreml"] as const;
type Device = (typeof DEVICES)[number];

function deviceOf(name: string): Device {
  const device = DEVICES.find((d) => d === name);
  if (!device) throw new Error(`Unsupported device: "${name}". Should be one of: ${DEVICES.join(", ")}.`);
  return device;
}

const contentOf = (folder: string, name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
