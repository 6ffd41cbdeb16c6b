/**
 * Rewrites an exported decoder graph so that it does less for the same answer: logits only for the positions asked for,
 * int8 activations where weights are 4-bit, the new rows of the cache as outputs of their own, and big weights in a file
 * that the runtime maps into memory instead of reading. Weights themselves are never changed.
 */

import { closeSync, openSync, readFileSync } from "node:fs";
import { ExternalData, writeAll } from "./external-data.ts";
import { bytesField, bytesHeader, type Field, readFields, textOf } from "./proto.ts";
import {
  ATTRIBUTE,
  attributeMessage,
  type DataType,
  GRAPH,
  int64Tensor,
  MODEL,
  NODE,
  type NodeSpec,
  nodeMessage,
  VALUE_INFO,
  valueInfoMessage,
} from "./schema.ts";

export interface SlimOptions {
  /** Sets `accuracy_level` 4 on MatMulNBits: int8 activations, faster where the processor has dot products, less exact. */
  int8Activations: boolean;
}

export interface SlimReport {
  /** The graph got a `num_logits_to_keep` input. */
  keepInput: boolean;
  /** MatMulNBits nodes set to int8 activations. */
  int8Nodes: number;
  /** The graph got `delta.*` outputs. */
  deltaOutputs: boolean;
  /** Bytes moved out of the graph file. */
  externalBytes: number;
}

interface GraphNode {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes: Field[];
  /** Name, domain, op type and documentation, as they stand. */
  rest: Buffer[];
}

const KEEP = "num_logits_to_keep";
const HEAD_OPS = new Set(["MatMul", "MatMulNBits", "Gemm", "FusedMatMul"]);
const TO_END = 2n ** 62n;
/** GroupQueryAttention's input `seqlens_k`: the last position of every row. */
const LAST_POSITION_INPUT = 5;
/** The number of the type in ONNX. */
const INT64 = 7;

/**
 * Writes the slim graph to `target` and its weights to `<target>_weights`. Existing external data is referred to by the
 * same names as before, so it must lie beside `target`, too. @throws ProtoError where the source is no ONNX file
 */
export function slim(source: string, target: string, options: SlimOptions): SlimReport {
  const model = [...readFields(readFileSync(source))];
  const graph = [...readFields(model.find((f) => f.number === MODEL.graph)?.bytes ?? Buffer.alloc(0))];
  const rewrite = new Rewrite(graph, options);
  using data = new ExternalData(`${target}_weights`);
  const parts = rewrite.parts((tensor) => data.move(tensor));
  writeModel(target, model, parts);
  return { ...rewrite.report, externalBytes: data.written };
}

class Rewrite {
  readonly #graph: Field[];
  readonly #nodes: (GraphNode | undefined)[];
  readonly #options: SlimOptions;
  readonly #head: number;
  readonly #added: Buffer[] = [];
  readonly report = { keepInput: false, int8Nodes: 0, deltaOutputs: false };

  constructor(graph: Field[], options: SlimOptions) {
    this.#graph = graph;
    this.#options = options;
    this.#nodes = graph.map((f) => (f.number === GRAPH.node ? parseNode(f.bytes) : undefined));
    const hasKeep = graph.some((f) => f.number === GRAPH.input && textOf(f.bytes, VALUE_INFO.name) === KEEP);
    this.#head = hasKeep ? -1 : this.#findHead();
    this.report.keepInput = this.#head >= 0;
    this.report.deltaOutputs = this.#nodes.some((n) => n?.op === "GroupQueryAttention");
  }

  /** The fields of the new graph. @param move takes an initializer and returns what stands in its place */
  parts(move: (tensor: Buffer) => Buffer): Buffer[] {
    const out = this.#graph.map((field, i) => {
      const node = this.#nodes[i];
      if (node) return Buffer.concat([...this.#before(i, node), this.#node(node)]);
      return field.number === GRAPH.initializer ? bytesField(GRAPH.initializer, move(field.bytes)) : field.raw;
    });
    if (this.report.keepInput) this.#added.push(bytesField(GRAPH.input, valueInfoMessage(KEEP, "int64", [])));
    if (this.report.deltaOutputs) this.#addDeltas();
    return [...out, ...this.#added];
  }

  /** The projection to the vocabulary: the first matrix product on the way back from the logits. */
  #findHead(): number {
    const producer = (name: string): number => this.#nodes.findIndex((n) => n?.outputs.includes(name));
    let at = producer("logits");
    for (let node = this.#nodes[at]; node && !HEAD_OPS.has(node.op); node = this.#nodes[at]) {
      at = producer(node.inputs[0] ?? "");
    }
    return at;
  }

  /** Nodes that cut the hidden states to the positions asked for, in front of the head. */
  #before(index: number, node: GraphNode): Buffer[] {
    if (index !== this.#head) return [];
    const hidden = node.inputs[0] ?? "";
    node.inputs[0] = "mend.kept";
    this.#constant("mend.end", [TO_END]);
    this.#constant("mend.one", [1n]);
    return [
      nodeField("Neg", [KEEP], "mend.negative"),
      nodeField("Reshape", ["mend.negative", "mend.one"], "mend.start"),
      nodeField("Slice", [hidden, "mend.start", "mend.end", "mend.one"], "mend.kept"),
    ];
  }

  #node(node: GraphNode): Buffer {
    let attributes = node.attributes.map((a) => a.raw);
    if (node.op === "MatMulNBits" && this.#options.int8Activations) {
      const others = node.attributes.filter((a) => textOf(a.bytes, ATTRIBUTE.name) !== "accuracy_level");
      attributes = [...others.map((a) => a.raw), bytesField(NODE.attribute, attributeMessage("accuracy_level", 4))];
      this.report.int8Nodes++;
    }
    const names = [
      ...node.inputs.map((x) => bytesField(NODE.input, x)),
      ...node.outputs.map((x) => bytesField(NODE.output, x)),
    ];
    return bytesField(GRAPH.node, Buffer.concat([...names, ...node.rest, ...attributes]));
  }

  /** `delta.*`: what a pass added to `present.*`, for every row of a batch at the end of its own past. */
  #addDeltas(): void {
    const index = this.#newPositions();
    for (const field of this.#presents()) {
      const name = textOf(field.bytes, VALUE_INFO.name);
      const delta = name.replace("present.", "delta.");
      this.#added.push(nodeField("GatherElements", [name, index], delta, { axis: 2 }));
      this.#added.push(bytesField(GRAPH.output, valueInfoMessage(delta, elementType(field.bytes))));
    }
  }

  /** Writes nodes that compute where the new tokens of each row lie in `present.*`; in its shape but for the tokens. */
  #newPositions(): string {
    const attention = this.#nodes.find((n) => n?.op === "GroupQueryAttention");
    const lastPosition = attention?.inputs[LAST_POSITION_INPUT] ?? "";
    const present = textOf(this.#presents()[0]?.bytes ?? Buffer.alloc(0), VALUE_INFO.name);
    const add = (op: string, inputs: string[], name: string, attributes: Record<string, number> = {}): string => {
      this.#added.push(nodeField(op, inputs, `mend.${name}`, attributes));
      return `mend.${name}`;
    };
    const constant = (name: string, values: bigint[]): string => {
      this.#constant(`mend.${name}`, values);
      return `mend.${name}`;
    };
    const one = constant("delta.one", [1n]);
    const column = constant("delta.column", [-1n, 1n]);
    const [zeroStart, step] = [
      add("Squeeze", [constant("delta.zero", [0n])], "delta.from"),
      add("Squeeze", [one], "step"),
    ];
    const fresh = add("Gather", [add("Shape", ["input_ids"], "ids.shape"), one], "fresh");
    const last = add("Cast", [lastPosition], "last", { to: INT64 });
    const lengths = add("Add", [add("Reshape", [last, column], "last.column"), one], "lengths");
    const range = add("Range", [zeroStart, add("Squeeze", [fresh], "fresh.scalar"), step], "range");
    const positions = add("Add", [add("Sub", [lengths, fresh], "past"), range], "positions");
    const minusOne = constant("delta.rest", [-1n]);
    const spread = add("Concat", [minusOne, one, fresh, one], "positions.shape", { axis: 0 });
    const shape = add("Shape", [present], "present.shape");
    const outer = add("Gather", [shape, constant("delta.outer", [0n, 1n])], "present.outer");
    const width = add("Gather", [shape, constant("delta.width", [3n])], "present.width");
    const whole = add("Concat", [outer, fresh, width], "delta.shape", { axis: 0 });
    return add("Expand", [add("Reshape", [positions, spread], "positions.4d"), whole], "delta.index");
  }

  #presents(): Field[] {
    return this.#graph.filter(
      (f) => f.number === GRAPH.output && textOf(f.bytes, VALUE_INFO.name).startsWith("present."),
    );
  }

  #constant(name: string, values: bigint[]): void {
    this.#added.push(bytesField(GRAPH.initializer, int64Tensor(name, values)));
  }
}

function parseNode(message: Buffer): GraphNode {
  const node: GraphNode = { op: "", inputs: [], outputs: [], attributes: [], rest: [] };
  for (const field of readFields(message)) {
    if (field.number === NODE.input) node.inputs.push(field.bytes.toString("utf8"));
    else if (field.number === NODE.output) node.outputs.push(field.bytes.toString("utf8"));
    else if (field.number === NODE.attribute) node.attributes.push(field);
    else node.rest.push(field.raw);
    if (field.number === NODE.opType) node.op = field.bytes.toString("utf8");
  }
  return node;
}

function nodeField(op: string, inputs: string[], output: string, attributes: Record<string, number> = {}): Buffer {
  const node: NodeSpec = { op, inputs, outputs: [output], name: `${output}.node`, attributes };
  return bytesField(GRAPH.node, nodeMessage(node));
}

/** Half floats stay half floats. */
function elementType(valueInfo: Buffer): DataType {
  for (const type of readFields(valueInfo)) {
    if (type.number !== VALUE_INFO.type) continue;
    for (const tensor of readFields(type.bytes)) {
      for (const field of readFields(tensor.bytes))
        if (field.number === 1) return field.varint === 10n ? "float16" : "float";
    }
  }
  return "float";
}

function writeModel(target: string, model: Field[], graph: Buffer[]): void {
  const file = openSync(target, "w");
  try {
    const size = graph.reduce((sum, part) => sum + part.length, 0);
    for (const field of model) {
      const parts = field.number === MODEL.graph ? [bytesHeader(MODEL.graph, size), ...graph] : [field.raw];
      for (const part of parts) writeAll(file, part);
    }
  } finally {
    closeSync(file);
  }
}
