/** The files beside an ONNX model, in the layout of Qwen2.5: a byte-level tokenizer, configuration, generation defaults. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byteAlphabet } from "../format/token_bytes.ts";

/** Shape of a Qwen2 decoder, named as in its paper's tables. */
export interface Shape {
  layers: number;
  hidden: number;
  heads: number;
  kvHeads: number;
  ffn: number;
  vocab: number;
  contextLength: number;
}

export const SHAPES = {
  tiny: { layers: 2, hidden: 64, heads: 4, kvHeads: 2, ffn: 128, vocab: 320, contextLength: 8192 },
  "0.5b": { layers: 24, hidden: 896, heads: 14, kvHeads: 2, ffn: 4864, vocab: 151_936, contextLength: 32_768 },
} satisfies Record<string, Shape>;

export interface SpecialTokens {
  endOfText: number;
  imStart: number;
  imEnd: number;
}

const SPECIAL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];

/** ChatML with Qwen's habit of adding a system message where none is given. */
const CHAT_TEMPLATE = [
  "{%- if messages[0]['role'] != 'system' %}{{- '<|im_start|>system\\nYou are a helpful assistant.<|im_end|>\\n' }}{%- endif %}",
  "{%- for message in messages %}{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endfor %}",
  "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- endif %}",
].join("");

const PRE_TOKENIZER =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** A few merges, so that re-encoding a text does not always give the tokens it was made of. */
const MERGES = [
  ["t", "h"],
  ["th", "e"],
  ["i", "n"],
  ["Ġ", "a"],
  ["e", "r"],
  ["o", "n"],
] as const;

/** Writes tokenizer.json and tokenizer_config.json. Ids above the special tokens are filler words, so every id decodes. */
export function writeTokenizer(folder: string, shape: Shape): SpecialTokens {
  mkdirSync(folder, { recursive: true });
  const vocab: Record<string, number> = {};
  for (const [id, char] of byteAlphabet().entries()) vocab[char] = id;
  MERGES.forEach(([a, b], i) => {
    vocab[a + b] = 256 + i;
  });
  const base = shape.vocab > 151_646 ? 151_643 : 256 + MERGES.length;
  for (let id = 256 + MERGES.length; id < shape.vocab; id++) {
    if (id < base || id >= base + SPECIAL_TOKENS.length) vocab[`Ġw${id}`] = id;
  }
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const added = SPECIAL_TOKENS.map((content, i) => ({ id: base + i, content, ...flags }));
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const split = { type: "Split", pattern: { Regex: PRE_TOKENIZER }, behavior: "Isolated", invert: false };
  const model = { type: "BPE", dropout: null, unk_token: null, continuing_subword_prefix: "", end_of_word_suffix: "" };
  writeJson(folder, "tokenizer.json", {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: { type: "NFC" },
    pre_tokenizer: { type: "Sequence", pretokenizers: [split, byteLevel] },
    post_processor: byteLevel,
    decoder: byteLevel,
    model: { ...model, fuse_unk: false, byte_fallback: false, vocab, merges: MERGES },
  });
  writeJson(folder, "tokenizer_config.json", {
    add_bos_token: false,
    add_prefix_space: false,
    bos_token: null,
    clean_up_tokenization_spaces: false,
    eos_token: "<|im_end|>",
    pad_token: "<|endoftext|>",
    unk_token: null,
    errors: "replace",
    split_special_tokens: false,
    model_max_length: shape.contextLength,
    tokenizer_class: "Qwen2Tokenizer",
    chat_template: CHAT_TEMPLATE,
    added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [id, token])),
  });
  return { endOfText: base, imStart: base + 1, imEnd: base + 2 };
}

/** Writes config.json and a generation_config.json with Qwen's own defaults: sampling on, repetition penalty 1.1. */
export function writeConfigs(folder: string, shape: Shape, tokens: SpecialTokens, externalData: boolean): void {
  const files = ["model.onnx", "model_q4.onnx", "model_quantized.onnx"];
  writeJson(folder, "config.json", {
    architectures: ["Qwen2ForCausalLM"],
    model_type: "qwen2",
    hidden_act: "silu",
    hidden_size: shape.hidden,
    intermediate_size: shape.ffn,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.kvHeads,
    vocab_size: shape.vocab,
    rms_norm_eps: 1e-6,
    rope_theta: 1e6,
    max_position_embeddings: shape.contextLength,
    tie_word_embeddings: true,
    use_cache: true,
    bos_token_id: tokens.endOfText,
    eos_token_id: tokens.imEnd,
    ...(externalData
      ? { "transformers.js_config": { use_external_data_format: Object.fromEntries(files.map((f) => [f, 1])) } }
      : {}),
  });
  writeJson(folder, "generation_config.json", {
    bos_token_id: tokens.endOfText,
    pad_token_id: tokens.endOfText,
    do_sample: true,
    eos_token_id: [tokens.imEnd, tokens.endOfText],
    repetition_penalty: 1.1,
    temperature: 0.7,
    top_p: 0.8,
    top_k: 20,
  });
}

function writeJson(folder: string, name: string, value: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(value));
}
