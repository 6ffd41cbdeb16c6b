/** The two ways in which exported Qwen2 graphs compute attention, with rotary positions. */

import type { GraphBuilder } from "./graph_builder.ts";
import type { Shape } from "./model_files.ts";
import type { Random, WeightFormat } from "./random_weights.ts";

/** Everything the parts of the graph share while it is written. */
export interface Context {
  graph: GraphBuilder;
  random: Random;
  shape: Shape;
  headDim: number;
  weights: WeightFormat;
  std: number;
  scale?: number | undefined;
}

export type Attention = (layer: number, q: string, k: string, v: string) => string;

/** Tables of the rotary embedding (base 1e6): cosines and sines by position. */
function rotaryTables({ graph, shape, headDim }: Context): void {
  const half = headDim / 2;
  const angle = (i: number): number => Math.floor(i / half) / 1e6 ** ((2 * (i % half)) / headDim);
  const size = { length: shape.contextLength * half };
  const dims = [shape.contextLength, half];
  graph.tensor(
    "cos",
    "float",
    dims,
    Float32Array.from(size, (_, i) => Math.cos(angle(i))),
  );
  graph.tensor(
    "sin",
    "float",
    dims,
    Float32Array.from(size, (_, i) => Math.sin(angle(i))),
  );
}

export const dimension = (graph: GraphBuilder, x: string, axis: number): string =>
  graph.op("Gather", [graph.op("Shape", [x]), graph.int([axis])]);

export function groupQueryAttention(context: Context): Attention {
  const { graph, shape, headDim } = context;
  rotaryTables(context);
  const lengths = graph.op("ReduceSum", ["attention_mask", graph.int([1])], { keepdims: 0 });
  const lastPosition = graph.op("Cast", [graph.op("Sub", [lengths, graph.int(1)])], { to: 6 });
  const total = graph.op("Cast", [graph.op("Squeeze", [dimension(graph, "attention_mask", 1)])], { to: 6 });
  return (layer, q, k, v) => {
    const past = [`past_key_values.${layer}.key`, `past_key_values.${layer}.value`];
    const attributes = {
      num_heads: shape.heads,
      kv_num_heads: shape.kvHeads,
      do_rotary: 1,
      rotary_interleaved: 0,
      scale: { float: context.scale ?? 1 / Math.sqrt(headDim) },
    };
    const outputs = [`attention.${layer}`, `present.${layer}.key`, `present.${layer}.value`];
    const inputs = [q, k, v, ...past, lastPosition, total, "cos", "sin"];
    return graph.microsoftOp("GroupQueryAttention", inputs, attributes, outputs);
  };
}

export function concatAttention(context: Context): Attention {
  const { graph, shape, headDim } = context;
  rotaryTables(context);
  const batch = dimension(graph, "input_ids", 0);
  const total = dimension(graph, "attention_mask", 1);
  const mask = causalMask(graph, total);
  const angles = (table: string): string => {
    const x = graph.op("Gather", [table, "position_ids"]);
    return graph.op("Unsqueeze", [graph.op("Concat", [x, x], { axis: -1 }), graph.int([1])]);
  };
  const [cos, sin] = [angles("cos"), angles("sin")];
  const heads = (x: string, n: number): string =>
    graph.op("Transpose", [graph.op("Reshape", [x, graph.int([0, 0, n, headDim])])], { perm: [0, 2, 1, 3] });
  const half = headDim / 2;
  const rotate = (x: string): string => {
    const low = graph.op("Slice", [x, graph.int([0]), graph.int([half]), graph.int([3])]);
    const high = graph.op("Slice", [x, graph.int([half]), graph.int([headDim]), graph.int([3])]);
    const turned = graph.op("Concat", [graph.op("Neg", [high]), low], { axis: -1 });
    return graph.op("Add", [graph.op("Mul", [x, cos]), graph.op("Mul", [turned, sin])]);
  };
  const allHeads = graph.op("Concat", [batch, graph.int([shape.heads]), total, graph.int([headDim])], { axis: 0 });
  const repeat = (x: string): string => {
    const groups = graph.int([1, 1, shape.heads / shape.kvHeads, 1, 1]);
    return graph.op("Reshape", [graph.op("Expand", [graph.op("Unsqueeze", [x, graph.int([2])]), groups]), allHeads]);
  };
  return (layer, q, k, v) => {
    const append = (part: string, x: string): string =>
      graph.op(
        "Concat",
        [`past_key_values.${layer}.${part}`, x],
        { axis: 2 },
        { outputs: [`present.${layer}.${part}`] },
      );
    const keys = append("key", rotate(heads(k, shape.kvHeads)));
    const values = append("value", heads(v, shape.kvHeads));
    const transposed = graph.op("Transpose", [repeat(keys)], { perm: [0, 1, 3, 2] });
    const products = graph.op("MatMul", [rotate(heads(q, shape.heads)), transposed]);
    const scores = graph.op("Add", [graph.op("Mul", [products, graph.float(1 / Math.sqrt(headDim))]), mask]);
    const mixed = graph.op("MatMul", [graph.op("Softmax", [scores], { axis: -1 }), repeat(values)]);
    const merged = graph.op("Transpose", [mixed], { perm: [0, 2, 1, 3] });
    return graph.op("Reshape", [merged, graph.int([0, 0, shape.hidden])]);
  };
}

/** 0 where a query may look, a huge negative number elsewhere: [batch, 1, new, total]. */
function causalMask(graph: GraphBuilder, total: string): string {
  const end = graph.op("Squeeze", [total]);
  const fresh = graph.op("Squeeze", [dimension(graph, "input_ids", 1)]);
  const columns = graph.op("Range", [graph.int(0), end, graph.int(1)]);
  const offsets = graph.op("Range", [graph.int(0), fresh, graph.int(1)]);
  const positions = graph.op("Add", [offsets, graph.op("Sub", [end, fresh])]);
  const causal = graph.op("LessOrEqual", [columns, graph.op("Unsqueeze", [positions, graph.int([1])])]);
  const present = graph.op("Cast", [graph.op("Unsqueeze", ["attention_mask", graph.int([1, 2])])], { to: 9 });
  return graph.op("Where", [graph.op("And", [causal, present]), graph.float(0), graph.float(-3.4e38)]);
}
