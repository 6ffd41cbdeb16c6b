/** Writes a Qwen2 decoder with random weights as a transformers.js model folder: for equality tests and benchmarks. */

import { join } from "node:path";
import { largest } from "../../base/data/extremes.ts";
import { DATA_TYPE } from "../onnx/schema.ts";
import { type Context, concatAttention, dimension, groupQueryAttention } from "./attention.ts";
import { GraphBuilder } from "./graph_builder.ts";
import { SHAPES, writeConfigs, writeTokenizer } from "./model_files.ts";
import { FILE_SUFFIX, linear, Random, type WeightFormat } from "./random_weights.ts";

export interface RandomQwen2Options {
  shape: keyof typeof SHAPES;
  weights?: WeightFormat;
  /** `concat`: as Optimum exports it. `gqa`: onnxruntime's GroupQueryAttention, as its model builder writes it. */
  attention?: "concat" | "gqa";
  /** Adds the `num_logits_to_keep` input. */
  keepInput?: boolean;
  seed?: number;
  /** What scores of attention are multiplied by, with `gqa`; default 1 / sqrt(head size). */
  attentionScale?: number;
  /**
   * Whole conversations as token ids, that the model recites at full cost: after a token at position p it says what
   * follows in the conversation that has this token there, or in the first where none has.
   */
  recite?: readonly (readonly number[])[];
}

/** Writes the folder and returns it. The tiny shape takes some milliseconds, the 0.5b shape some seconds. */
export function writeRandomQwen2(folder: string, options: RandomQwen2Options): string {
  const { weights = "fp32", attention = "concat" } = options;
  const shape = SHAPES[options.shape];
  const tiny = options.shape === "tiny";
  writeConfigs(folder, shape, writeTokenizer(folder, shape), !tiny);
  const file = join(folder, "onnx", `model${FILE_SUFFIX[weights]}.onnx`);
  const graph = new GraphBuilder(file, tiny ? undefined : 1 << 16);
  const random = new Random(options.seed ?? 42);
  // Wider weights keep the logits of the tiny model apart, so that greedy choices are no ties.
  const std = tiny ? 0.15 : 0.02;
  const context = {
    graph,
    random,
    shape,
    headDim: shape.hidden / shape.heads,
    weights,
    std,
    scale: options.attentionScale,
  };
  const logits = writeDecoder(context, attention, options.keepInput ?? false);
  const said = options.recite ? addRecital(graph, logits, options.recite, shape.vocab) : logits;
  graph.op("Identity", [said], {}, { outputs: ["logits"] });
  graph.output("logits", "float", ["batch_size", "logits_length", shape.vocab]);
  graph.save();
  return folder;
}

function writeDecoder(context: Context, attention: "concat" | "gqa", keepInput: boolean): string {
  const { graph, random, shape, headDim } = context;
  const kvShape = ["batch_size", shape.kvHeads, "past_sequence_length", headDim];
  graph.input("input_ids", "int64", ["batch_size", "sequence_length"]);
  graph.input("attention_mask", "int64", ["batch_size", "total_sequence_length"]);
  if (attention === "concat") graph.input("position_ids", "int64", ["batch_size", "sequence_length"]);
  if (keepInput) graph.input("num_logits_to_keep", "int64", []);
  const embedding = random.floats(shape.vocab * shape.hidden, shape.hidden <= 128 ? 0.05 : 0.02);
  const table = graph.tensor("embedding", "float", [shape.vocab, shape.hidden], embedding);
  let hidden = graph.op("Gather", [table, "input_ids"]);
  const attend = attention === "gqa" ? groupQueryAttention(context) : concatAttention(context);
  for (let layer = 0; layer < shape.layers; layer++) {
    const name = `layers.${layer}`;
    for (const part of ["key", "value"]) {
      graph.input(`past_key_values.${layer}.${part}`, "float", kvShape);
      graph.output(`present.${layer}.${part}`, "float", [
        "batch_size",
        shape.kvHeads,
        "total_sequence_length",
        headDim,
      ]);
    }
    const x = norm(context, `${name}.norm1`, hidden);
    const kvSize = shape.kvHeads * headDim;
    const project = (part: string, outputs: number): string =>
      layerOf(context, x, `${name}.${part}`, shape.hidden, outputs, true);
    const attended = attend(layer, project("q", shape.hidden), project("k", kvSize), project("v", kvSize));
    hidden = graph.op("Add", [hidden, layerOf(context, attended, `${name}.o`, shape.hidden, shape.hidden)]);
    hidden = graph.op("Add", [hidden, feedForward(context, name, norm(context, `${name}.norm2`, hidden))]);
  }
  let last = norm(context, "norm", hidden);
  if (keepInput) {
    const start = graph.op("Reshape", [graph.op("Neg", ["num_logits_to_keep"]), graph.int([1])]);
    last = graph.op("Slice", [last, start, graph.int([2 ** 31 - 1]), graph.int([1])]);
  }
  return layerOf(context, last, "lm_head", shape.hidden, shape.vocab);
}

/** Lifts the recited token above all others at every position that has logits. */
function addRecital(
  graph: GraphBuilder,
  logits: string,
  recite: RandomQwen2Options["recite"] = [],
  vocab: number,
): string {
  const length = largest(recite.map((conversation) => conversation.length));
  const table = (name: string, from: number): string => {
    const ids = recite.flatMap((all) => Array.from({ length }, (_, i) => BigInt(all[i + from] ?? all.at(-1) ?? 0)));
    return graph.tensor(name, "int64", [recite.length, length], BigInt64Array.from(ids));
  };
  // [rows, 1]: the rows of a batch have lengths of their own.
  const lengths = graph.op("ReduceSum", ["attention_mask", graph.int([1])], { keepdims: 1 });
  const kept = dimension(graph, logits, 1);
  const fromEnd = graph.op("Range", [graph.op("Neg", [graph.op("Squeeze", [kept])]), graph.int(0), graph.int(1)]);
  const inside = graph.op("Min", [graph.op("Add", [lengths, fromEnd]), graph.int(length - 1)]);
  const start = graph.op("Neg", [kept]);
  const tokens = graph.op("Slice", ["input_ids", start, graph.int([2 ** 31 - 1]), graph.int([1])]);
  const at = graph.op("Gather", [table("recite", 0), inside], { axis: 1 });
  const same = graph.op("Cast", [graph.op("Equal", [at, tokens])], { to: DATA_TYPE.int32 });
  const conversation = graph.op("ArgMax", [same], { axis: 0, keepdims: 0 });
  const cell = graph.op("Add", [graph.op("Mul", [conversation, graph.int(length)]), inside]);
  const next = graph.op("Gather", [graph.op("Reshape", [table("recite.next", 1), graph.int([-1])]), cell]);
  const onOff = graph.tensor("on_off", "float", [2], Float32Array.of(0, 1000));
  return graph.op("Add", [logits, graph.op("OneHot", [next, graph.int([vocab]), onOff])]);
}

function layerOf(c: Context, x: string, name: string, inputs: number, outputs: number, bias = false): string {
  return linear(c.graph, c.random, x, c.weights, c.std, { name, inputs, outputs, bias });
}

function norm({ graph, shape }: Context, name: string, x: string): string {
  const scale = graph.tensor(name, "float", [shape.hidden], new Float32Array(shape.hidden).fill(1));
  return graph.op("SimplifiedLayerNormalization", [x, scale], { axis: -1, epsilon: { float: 1e-6 }, stash_type: 1 });
}

/** SwiGLU. */
function feedForward(c: Context, name: string, x: string): string {
  const { graph, shape } = c;
  const gate = layerOf(c, x, `${name}.gate`, shape.hidden, shape.ffn);
  const up = layerOf(c, x, `${name}.up`, shape.hidden, shape.ffn);
  const silu = graph.op("Mul", [gate, graph.op("Sigmoid", [gate])]);
  return layerOf(c, graph.op("Mul", [silu, up]), `${name}.down`, shape.ffn, shape.hidden);
}
