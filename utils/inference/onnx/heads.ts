/** Which attention can be written anew: what its nodes are set to, and the sizes they have in common. */

import { type GraphNode, numberOf } from "./node.ts";
import { type Field, readFields, textOf } from "./proto.ts";
import { dimsOf, elementType, GRAPH, lastDimension, TENSOR, VALUE_INFO } from "./schema.ts";

export const ATTENTION = "GroupQueryAttention";

/** Sizes that the attention of all layers has in common. */
export interface Heads {
  heads: number;
  kvHeads: number;
  headDim: number;
}

/** Whether a field of a graph is an output with keys or values of past and new tokens. */
export const isPresent = (field: Field): boolean =>
  field.number === GRAPH.output && textOf(field.bytes, VALUE_INFO.name).startsWith("present.");

/**
 * Whether a GroupQueryAttention rotates positions, looks back at everything, gives back its cache and does nothing
 * else.
 */
export function isPlain(node: GraphNode): boolean {
  const [query, key, value, pastKey, pastValue, last, , cos, sin, ...more] = node.inputs;
  const named = [query, key, value, pastKey, pastValue, last, cos, sin].every((name) => name);
  const off = ["rotary_interleaved", "softcap", "smooth_softmax", "qk_output"].every((name) => !numberOf(node, name));
  const window = numberOf(node, "local_window_size") ?? -1;
  const [, ...presents] = node.outputs;
  const gives = presents.length === 2 && presents.every((name) => name.startsWith("present."));
  return named && gives && off && window < 0 && numberOf(node, "do_rotary") === 1 && !more.some((name) => name);
}

/**
 * The sizes, where all layers have the same, are plain, keep floats and rotate whole heads; else undefined. Also
 * undefined where the cache has other layers than these or a node reads `present.*`, which would have to be computed
 * after all.
 */
export function headsOf(graph: readonly Field[], nodes: readonly GraphNode[]): Heads | undefined {
  const layers = nodes.filter(({ op }) => op === ATTENTION);
  const [first, ...others] = layers.map((layer) => (isPlain(layer) ? sizesOf(graph, layer) : undefined));
  const given = new Set(layers.flatMap(({ outputs }) => outputs.slice(1)));
  const presents = graph.filter(isPresent).map(({ bytes }) => textOf(bytes, VALUE_INFO.name));
  const all = presents.length === given.size && presents.every((name) => given.has(name));
  const isRead = nodes.some(({ inputs }) => inputs.some((name) => given.has(name)));
  const same = others.every(
    (sizes) => sizes?.heads === first?.heads && sizes?.kvHeads === first?.kvHeads && sizes?.headDim === first?.headDim,
  );
  return all && !isRead && same ? first : undefined;
}

function sizesOf(graph: readonly Field[], layer: GraphNode): Heads | undefined {
  const [, , , pastKey, , , , cosines] = layer.inputs;
  const find = (kind: number, nameAt: number, name: string | undefined): Buffer | undefined =>
    graph.find((f) => f.number === kind && textOf(f.bytes, nameAt) === name)?.bytes;
  const [table, past] = [find(GRAPH.initializer, TENSOR.name, cosines), find(GRAPH.input, VALUE_INFO.name, pastKey)];
  const headDim = 2 * (table ? (dimsOf([...readFields(table)])[1] ?? 0) : 0);
  const [heads, kvHeads] = [numberOf(layer, "num_heads") ?? 0, numberOf(layer, "kv_num_heads") ?? 0];
  if (!past || elementType(past) !== "float" || headDim === 0 || lastDimension(past) !== headDim) return undefined;
  return kvHeads > 0 && heads % kvHeads === 0 ? { heads, kvHeads, headDim } : undefined;
}
