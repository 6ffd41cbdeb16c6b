/**
 * Attention for passes over few tokens that reads the cache where it lies. The runtime's own kernel copies the whole
 * past into a new buffer with every pass and multiplies head by head, so that keys and values are read once for every
 * head that shares them: half of a pass over one token after 2,700. Long passes are left to it, they have more to
 * compute than copy.
 */

import type { Heads } from "./heads.ts";
import { NEW_ROWS } from "./new_rows.ts";
import { type GraphNode, type NodeWriter, nodeField, numberOf } from "./node.ts";
import { bytesField } from "./proto.ts";
import { type Attribute, DATA_TYPE, GRAPH, valueInfoMessage } from "./schema.ts";

/** Passes over fewer tokens are short: the fewer, the more is gained; nothing from about a dozen on. */
const SHORT = 9;
const MICROSOFT = "com.microsoft";
/** Added to the score of what must not be seen. */
const HIDDEN = -3e38;

/**
 * Writes what all layers share. Reads `mend.fresh`, `mend.past` (tokens that are new, that every row holds) and
 * `mend.past.shape`; gives `mend.short`, `mend.bias` [rows, 1, group x new, room + new] and `mend.parts` [room, new].
 */
export function writeBias(writer: NodeWriter, { heads, kvHeads }: Heads): void {
  const add = writer.add.bind(writer);
  const one = writer.int([1]);
  const short = add("Less", ["mend.fresh", writer.int([SHORT])], "short");
  // Long passes do not read the bias: theirs is empty.
  const fresh = add("Mul", ["mend.fresh", add("Cast", [short], "short.int", { to: DATA_TYPE.int64 })], "short.fresh");
  const room = add("Gather", ["mend.past.shape", writer.int([2])], "room");
  const rows = add("Gather", ["mend.past.shape", writer.int([0])], "rows");
  add("Concat", [room, fresh], "parts", { axis: 0 });
  const range = (end: string, name: string): string =>
    add("Range", [writer.int(0), add("Squeeze", [end], `${name}.end`), writer.int(1)], name);
  const own = range(fresh, "own.range");
  const held = add("Less", [range(room, "room.range"), "mend.past"], "held");
  const causal = add("LessOrEqual", [own, add("Unsqueeze", [own, one], "own.column")], "causal");
  const spread = (x: string, width: string, name: string): string =>
    add("Expand", [x, add("Concat", [rows, one, fresh, width], `${name}.shape`, { axis: 0 })], name);
  const seen = [
    spread(add("Unsqueeze", [held, writer.int([1, 2])], "held.4d"), room, "seen.past"),
    spread(causal, fresh, "seen.own"),
  ];
  const all = add("Concat", seen, "seen", { axis: 3 });
  const bias = add("Where", [all, writer.float(0), writer.float(HIDDEN)], "bias.once");
  add("Tile", [bias, writer.int([1, 1, heads / kvHeads, 1])], "bias");
}

/**
 * A node that takes the place of a GroupQueryAttention. @param long the node itself, with `.long` behind its outputs
 * @param deltas names for the new rows of keys and values
 */
export function shortOrLong(node: GraphNode, sizes: Heads, writer: NodeWriter, long: Buffer, deltas: string[]): Buffer {
  const [output = "", ...presents] = node.outputs;
  const cut = deltas.map((delta, i) =>
    nodeField("GatherElements", [`${presents[i]}.long`, NEW_ROWS], `${delta}.long`, { axis: 2 }),
  );
  const branches = {
    then_branch: { graph: shortPass(node, sizes, writer, `${output}.short`) },
    else_branch: { graph: subgraph(output, [long, ...cut], [`${output}.long`, ...deltas.map((d) => `${d}.long`)]) },
  };
  return nodeField("If", ["mend.short"], [output, ...deltas], branches);
}

/**
 * softmax(q [past keys, own keys] + bias) [past values, own values], with one product for all heads that share keys.
 */
function shortPass(node: GraphNode, { heads, kvHeads, headDim }: Heads, writer: NodeWriter, name: string): Buffer {
  const [query = "", key = "", value = "", pastKeys = "", pastValues = "", , , cos = "", sin = ""] = node.inputs;
  const nodes: Buffer[] = [];
  const add = (op: string, inputs: string[], part: string, attributes: Record<string, Attribute> = {}): string => {
    const domain = op === "FusedMatMul" || op === "RotaryEmbedding" ? MICROSOFT : undefined;
    nodes.push(nodeField(op, inputs, `${name}.${part}`, attributes, domain));
    return `${name}.${part}`;
  };
  const shape = (x: string, dims: number[], part: string): string => add("Reshape", [x, writer.int(dims)], part);
  const rotate = (x: string, part: string): string => add("RotaryEmbedding", [x, "mend.positions", cos, sin], part);
  const kvRows = (x: string, part: string): string =>
    add("Transpose", [shape(x, [0, 0, kvHeads, headDim], `${part}.4d`)], part, { perm: [0, 2, 1, 3] });
  const keys = kvRows(rotate(key, "key.rotated"), "key");
  const values = kvRows(value, "value");
  const byGroup = shape(rotate(query, "query.rotated"), [0, 0, kvHeads, heads / kvHeads, headDim], "query.5d");
  const grouped = add("Transpose", [byGroup], "query.grouped", { perm: [0, 2, 3, 1, 4] });
  const queries = shape(grouped, [0, kvHeads, -1, headDim], "query");
  const alpha = { float: numberOf(node, "scale") || 1 / Math.sqrt(headDim) };
  const scores = [pastKeys, keys].map((of, i) =>
    add("FusedMatMul", [queries, of], `scores.${i}`, { transB: 1, alpha }),
  );
  const biased = add("Add", [add("Concat", scores, "scores", { axis: -1 }), "mend.bias"], "biased");
  const weights = [`${name}.weights.past`, `${name}.weights.own`];
  const all = add("Softmax", [biased], "weights", { axis: -1 });
  nodes.push(nodeField("Split", [all, "mend.parts"], weights, { axis: -1 }));
  const [past = "", own = ""] = weights;
  const mixed = add(
    "Add",
    [add("MatMul", [past, pastValues], "of.past"), add("MatMul", [own, values], "of.own")],
    "mixed",
  );
  const apart = add("Reshape", [mixed, add("Shape", [grouped], "grouped.shape")], "mixed.5d");
  const merged = add("Transpose", [apart], "merged", { perm: [0, 3, 1, 2, 4] });
  const output = shape(merged, [0, 0, heads * headDim], "output");
  return subgraph(name, nodes, [output, keys, values]);
}

function subgraph(name: string, nodes: Buffer[], outputs: string[]): Buffer {
  return Buffer.concat([
    ...nodes,
    bytesField(GRAPH.name, name),
    ...outputs.map((output) => bytesField(GRAPH.output, valueInfoMessage(output, "float"))),
  ]);
}
