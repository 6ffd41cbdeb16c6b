/**
 * Rewrites an exported decoder graph so that it does less for the same answer: logits only for the positions asked for,
 * int8 activations where weights are 4-bit, the new rows of the cache as outputs of their own, attention that does not
 * copy the cache in passes over few tokens, and big weights in a file that the runtime maps into memory instead of
 * reading. Weights are never changed, at most written as other numbers for the same values.
 */

import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { ATTENTION, type Heads, headsOf, isPresent } from "./heads.ts";
import { NEW_ROWS, writePositions } from "./new_rows.ts";
import { type GraphNode, NodeWriter, nodeField, parseNode } from "./node.ts";
import { bytesField, bytesHeader, type Field, readFields, textOf } from "./proto.ts";
import {
  ATTRIBUTE,
  attributeMessage,
  dimsOf,
  elementType,
  GRAPH,
  MODEL,
  NODE,
  TENSOR,
  tensorMessage,
  VALUE_INFO,
  valueInfoMessage,
} from "./schema.ts";
import { shortOrLong, writeBias } from "./short_pass.ts";
import { signedWeights, toUnsigned, useUnsigned, zeroTensor } from "./unsigned.ts";

export interface SlimOptions {
  /**
   * Sets `accuracy_level` 4 on MatMulNBits: int8 activations, faster where the processor has dot products, less exact.
   */
  int8Activations: boolean;
  /** Writes signed weights of integer products as unsigned ones, see `unsigned.ts`. Default: false. */
  unsignedWeights?: boolean;
}

export interface SlimReport {
  /** The graph got a `num_logits_to_keep` input. */
  keepInput: boolean;
  /** MatMulNBits nodes set to int8 activations. */
  int8Nodes: number;
  /** Integer products whose weights became unsigned. */
  unsignedNodes: number;
  /** The graph got `delta.*` outputs. */
  deltaOutputs: boolean;
  /** Passes over few tokens read the cache without copying it. */
  shortPasses: boolean;
  /** Bytes moved out of the graph file. */
  externalBytes: number;
}

const KEEP = "num_logits_to_keep";
const HEAD_OPS = new Set(["MatMul", "MatMulNBits", "Gemm", "FusedMatMul"]);
const TO_END = 2 ** 62;
/** Tensors from this size on are moved out, aligned so that they can be mapped. */
const EXTERNAL_FROM = 1 << 16;
const PAGE = 4096;

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
  readonly #writer = new NodeWriter();
  /** Where short passes get an attention of their own. */
  readonly #heads: Heads | undefined;
  readonly #signed: ReadonlySet<string>;
  readonly report = { keepInput: false, int8Nodes: 0, unsignedNodes: 0, deltaOutputs: false, shortPasses: false };

  constructor(graph: Field[], options: SlimOptions) {
    this.#graph = graph;
    this.#options = options;
    this.#nodes = graph.map((f) => (f.number === GRAPH.node ? parseNode(f.bytes) : undefined));
    const hasKeep = graph.some((f) => f.number === GRAPH.input && textOf(f.bytes, VALUE_INFO.name) === KEEP);
    this.#head = hasKeep ? -1 : this.#findHead();
    this.report.keepInput = this.#head >= 0;
    this.report.deltaOutputs = this.#nodes.some((n) => n?.op === ATTENTION);
    const nodes = this.#nodes.filter((n) => n !== undefined);
    this.#heads = headsOf(graph, nodes);
    this.#signed = options.unsignedWeights ? signedWeights(graph, nodes) : new Set();
    this.report.shortPasses = this.#heads !== undefined;
  }

  /** The fields of the new graph. @param move takes an initializer and returns what stands in its place */
  parts(move: (tensor: Buffer) => Buffer): Buffer[] {
    const out = this.#graph.map((field, i) => {
      const node = this.#nodes[i];
      if (node) return Buffer.concat([...this.#before(i, node), this.#node(node)]);
      if (this.#heads && isPresent(field)) return Buffer.alloc(0);
      return field.number === GRAPH.initializer ? bytesField(GRAPH.initializer, move(this.#weight(field))) : field.raw;
    });
    if (this.report.unsignedNodes > 0) this.#writer.fields.push(bytesField(GRAPH.initializer, zeroTensor()));
    if (this.report.keepInput) this.#writer.fields.push(bytesField(GRAPH.input, valueInfoMessage(KEEP, "int64", [])));
    if (this.report.deltaOutputs) this.#addDeltas();
    return [...out, ...this.#writer.fields];
  }

  #weight({ bytes }: Field): Buffer {
    return this.#signed.has(textOf(bytes, TENSOR.name)) ? toUnsigned(bytes) : bytes;
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
    const one = this.#writer.int([1]);
    return [
      nodeField("Neg", [KEEP], "mend.negative"),
      nodeField("Reshape", ["mend.negative", one], "mend.start"),
      nodeField("Slice", [hidden, "mend.start", this.#writer.int([TO_END]), one], "mend.kept"),
    ];
  }

  #node(node: GraphNode): Buffer {
    if (!this.#heads || node.op !== ATTENTION) return this.#nodeField(node);
    const long = this.#nodeField({ ...node, outputs: node.outputs.map((name) => `${name}.long`) });
    return shortOrLong(node, this.#heads, this.#writer, long, node.outputs.slice(1).map(deltaOf));
  }

  #nodeField(node: GraphNode): Buffer {
    if (useUnsigned(node, this.#signed)) this.report.unsignedNodes++;
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
    const attention = this.#nodes.find((n) => n?.op === ATTENTION);
    if (attention) writePositions(this.#writer, attention);
    if (this.#heads) writeBias(this.#writer, this.#heads);
    for (const field of this.#graph.filter(isPresent)) {
      const name = textOf(field.bytes, VALUE_INFO.name);
      const delta = deltaOf(name);
      if (!this.#heads) this.#writer.fields.push(nodeField("GatherElements", [name, NEW_ROWS], delta, { axis: 2 }));
      this.#writer.fields.push(bytesField(GRAPH.output, valueInfoMessage(delta, elementType(field.bytes))));
    }
  }
}

const deltaOf = (present: string): string => present.replace("present.", "delta.");

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

/** A file of weights beside the graph. */
class ExternalData {
  readonly #path: string;
  #file: number | undefined;
  #offset = 0;
  written = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Writes the data of a big initializer here and returns the initializer that refers to it; others stay as they are.
   */
  move(tensor: Buffer): Buffer {
    const fields = [...readFields(tensor)];
    const raw = fields.find((f) => f.number === TENSOR.rawData)?.bytes;
    const type = fields.find((f) => f.number === TENSOR.dataType)?.varint;
    if (!raw || raw.length < EXTERNAL_FROM || type === undefined) return tensor;
    this.#file ??= openSync(this.#path, "w");
    const offset = Math.ceil(this.#offset / PAGE) * PAGE;
    writeAll(this.#file, raw, offset);
    this.#offset = offset + raw.length;
    this.written += raw.length;
    const data = { file: basename(this.#path), offset, length: raw.length };
    return tensorMessage(textOf(tensor, TENSOR.name), Number(type), dimsOf(fields), data);
  }

  [Symbol.dispose](): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}

/** At a position, or at the end of what is written. */
function writeAll(file: number, bytes: Buffer, position?: number): void {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(bytes.length - done, 1 << 28);
    done += writeSync(file, bytes, done, length, position === undefined ? undefined : position + done);
  }
}
