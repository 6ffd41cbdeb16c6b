import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/command.ts";
import { writeRandomQwen2 } from "../testing/random_qwen2.ts";
import { headsOf, isPlain } from "./heads.ts";
import { type GraphNode, parseNode } from "./node.ts";
import { type Field, readFields } from "./proto.ts";
import { type Attribute, GRAPH, MODEL, nodeMessage } from "./schema.ts";

const nodeOf = (
  op: string,
  inputs: string[],
  outputs: string[],
  attributes: Record<string, Attribute> = {},
): GraphNode => parseNode(nodeMessage({ op, inputs, outputs, name: "n", attributes }));

test("attention that does more than look back keeps the runtime's kernel", () => {
  const inputs = ["q", "k", "v", "past_k", "past_v", "last", "total", "cos", "sin"];
  const presents = ["o", "present.0.key", "present.0.value"];
  const plain = (attributes: Record<string, number>, changed = inputs, outputs = presents): boolean =>
    isPlain(nodeOf("GroupQueryAttention", changed, outputs, attributes));
  expect(plain({ do_rotary: 1, local_window_size: -1 })).toBe(true);
  expect(plain({ do_rotary: 1, local_window_size: 128 })).toBe(false);
  expect(plain({ do_rotary: 1, smooth_softmax: 1 })).toBe(false);
  expect(plain({ do_rotary: 0 })).toBe(false);
  expect(plain({ do_rotary: 1 }, [...inputs, "", "bias"])).toBe(false);
  expect(plain({ do_rotary: 1 }, inputs, ["o", "k", "v"])).toBe(false);
  expect(plain({ do_rotary: 1 }, ["packed", "", "", ...inputs.slice(3)])).toBe(false);
});

test("sizes are those of all layers; none where the cache has other layers or is read inside the graph", () => {
  using folder = temporaryFolder();
  const model = writeRandomQwen2(join(folder.path, "model"), { shape: "tiny", weights: "q4", attention: "gqa" });
  const fields = [...readFields(readFileSync(join(model, "onnx", "model_q4.onnx")))];
  const whole = fields.find(({ number }) => number === MODEL.graph)?.bytes ?? Buffer.alloc(0);
  const graph: Field[] = [...readFields(whole)];
  const nodes = graph.filter(({ number }) => number === GRAPH.node).map(({ bytes }) => parseNode(bytes));
  const changed = (attributes: GraphNode["attributes"]): GraphNode[] =>
    nodes.map((node) => (node.outputs.includes("present.1.key") ? { ...node, attributes } : node));
  expect(headsOf(graph, nodes)).toEqual({ heads: 4, kvHeads: 2, headDim: 16 });
  expect(headsOf(graph, [...nodes, nodeOf("Identity", ["present.0.key"], ["copy"])])).toBeUndefined();
  expect(
    headsOf(
      graph,
      nodes.filter(({ outputs }) => !outputs.includes("present.1.key")),
    ),
  ).toBeUndefined();
  const other = nodeOf("X", [], [], { num_heads: 8, kv_num_heads: 2, do_rotary: 1 });
  expect(headsOf(graph, changed(other.attributes))).toBeUndefined();
});
