/** Which attention can be written anew: what its nodes are set to, and the sizes they have in common. */

import { dimsOf } from "./external-data.ts";
import { type GraphNode, numberOf } from "./graph-node.ts";
import { type Field, readFields, textOf } from "./proto.ts";
import { GRAPH, TENSOR, VALUE_INFO } from "./schema.ts";
import { elementType, lastDimension } from "./value-info.ts";

/** Sizes that the attention of all layers has in common. */
export interface Heads {
  heads: number;
  kvHeads: number;
  headDim: number;
}

/** Whether a GroupQueryAttention rotates positions, looks back at everything, gives back its cache and does nothing else. */
export function isPlain(node: GraphNode): boolean {
  const [query, key, value, pastKey, pastValue, last, , cos, sin, ...more] = node.inputs;
  const named = [query, key, value, pastKey, pastValue, last, cos, sin].every((name) => name);
  const off = ["rotary_interleaved", "softcap", "smooth_softmax", "qk_output"].every((name) => !numberOf(node, name));
  const window = numberOf(node, "local_window_size") ?? -1;
  const [, ...presents] = node.outputs;
  const gives = presents.length === 2 && presents.every((name) => name.startsWith("present."));
  return named && gives && off && window < 0 && numberOf(node, "do_rotary") === 1 && !more.some((name) => name);
}

/** The sizes, where all layers have the same, are plain, keep floats and rotate whole heads; else undefined. */
export function headsOf(graph: readonly Field[], layers: readonly GraphNode[]): Heads | undefined {
  const [first] = layers;
  if (!first || !layers.every(isPlain)) return undefined;
  const [, , , pastKey, , , , cosines] = first.inputs;
  const find = (kind: number, nameAt: number, name: string | undefined): Buffer | undefined =>
    graph.find((f) => f.number === kind && textOf(f.bytes, nameAt) === name)?.bytes;
  const [table, past] = [find(GRAPH.initializer, TENSOR.name, cosines), find(GRAPH.input, VALUE_INFO.name, pastKey)];
  const headDim = 2 * (table ? (dimsOf([...readFields(table)])[1] ?? 0) : 0);
  if (!past || elementType(past) !== "float" || headDim === 0 || lastDimension(past) !== headDim) return undefined;
  const [heads, kvHeads] = [numberOf(first, "num_heads") ?? 0, numberOf(first, "kv_num_heads") ?? 0];
  const same = layers.every((n) => numberOf(n, "num_heads") === heads && numberOf(n, "kv_num_heads") === kvHeads);
  return same && kvHeads > 0 ? { heads, kvHeads, headDim } : undefined;
}
