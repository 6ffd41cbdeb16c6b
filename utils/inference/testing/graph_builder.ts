/** Builds an ONNX graph node by node and writes it to a file, with big tensors beside it as external data. */

import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { bytesField, varintField } from "../onnx/proto.ts";
import {
  type Attribute,
  type DataType,
  GRAPH,
  int64Tensor,
  MODEL,
  nodeMessage,
  tensorMessage,
  valueInfoMessage,
} from "../onnx/schema.ts";

type Dims = readonly (number | string)[];
type TypedArray = Float32Array | Uint8Array | Int8Array | BigInt64Array;

interface OpOptions {
  outputs?: string[];
  domain?: string;
}

/** Alignment of external tensors, so that the runtime can map the file into memory. */
const PAGE = 4096;

export class GraphBuilder {
  readonly #file: string;
  readonly #dataName: string;
  readonly #inlineLimit: number;
  readonly #nodes: Buffer[] = [];
  readonly #initializers: Buffer[] = [];
  readonly #inputs: Buffer[] = [];
  readonly #outputs: Buffer[] = [];
  readonly #constants = new Set<string>();
  #dataFile: number | undefined;
  #offset = 0;

  /** @param inlineLimit tensors above this many bytes go to `<file>_data`; default: everything stays in one file. */
  constructor(file: string, inlineLimit = Number.POSITIVE_INFINITY) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
    this.#dataName = `${basename(file)}_data`;
    this.#inlineLimit = inlineLimit;
  }

  input(name: string, type: DataType, shape: Dims): void {
    this.#inputs.push(bytesField(GRAPH.input, valueInfoMessage(name, type, shape)));
  }

  output(name: string, type: DataType, shape: Dims): void {
    this.#outputs.push(bytesField(GRAPH.output, valueInfoMessage(name, type, shape)));
  }

  /** Adds a node and returns the name of its first output. */
  op(op: string, inputs: string[], attributes: Record<string, Attribute> = {}, options: OpOptions = {}): string {
    const name = `${op}_${this.#nodes.length}`;
    const outputs = options.outputs ?? [name];
    const { domain } = options;
    const node = nodeMessage({ op, inputs, outputs, name, attributes, ...(domain ? { domain } : {}) });
    this.#nodes.push(bytesField(GRAPH.node, node));
    return outputs[0] ?? name;
  }

  /** Adds a node of onnxruntime's own operators. */
  microsoftOp(op: string, inputs: string[], attributes: Record<string, Attribute>, outputs?: string[]): string {
    return this.op(op, inputs, attributes, { domain: "com.microsoft", ...(outputs ? { outputs } : {}) });
  }

  tensor(name: string, type: DataType, dims: number[], values: TypedArray): string {
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const data = bytes.length <= this.#inlineLimit ? bytes : this.#writeExternal(bytes);
    this.#initializers.push(bytesField(GRAPH.initializer, tensorMessage(name, type, dims, data)));
    return name;
  }

  /** An int64 constant, stored once: a scalar for a number, a vector for a list. */
  int(value: number | number[]): string {
    const name = `int_${Array.isArray(value) ? `v_${value.join("_")}` : value}`;
    if (!this.#constants.has(name)) {
      this.#constants.add(name);
      const tensor = int64Tensor(name, Array.isArray(value) ? value.map(BigInt) : BigInt(value));
      this.#initializers.push(bytesField(GRAPH.initializer, tensor));
    }
    return name;
  }

  /** A float scalar, stored once. */
  float(value: number): string {
    const name = `float_${value}`;
    if (!this.#constants.has(name)) {
      this.#constants.add(name);
      this.tensor(name, "float", [], Float32Array.of(value));
    }
    return name;
  }

  save(): void {
    const graph = [
      ...this.#nodes,
      bytesField(GRAPH.name, "graph"),
      ...this.#initializers,
      ...this.#inputs,
      ...this.#outputs,
    ];
    const opset = (domain: string, version: number): Buffer =>
      bytesField(MODEL.opset, Buffer.concat([bytesField(1, domain), varintField(2, version)]));
    const head = [varintField(MODEL.irVersion, 8), bytesField(MODEL.producer, "mend")];
    const model = [...head, bytesField(MODEL.graph, Buffer.concat(graph)), opset("", 17), opset("com.microsoft", 1)];
    writeFileSync(this.#file, Buffer.concat(model));
    if (this.#dataFile !== undefined) closeSync(this.#dataFile);
  }

  #writeExternal(bytes: Buffer): { file: string; offset: number; length: number } {
    this.#dataFile ??= openSync(join(dirname(this.#file), this.#dataName), "w");
    const offset = Math.ceil(this.#offset / PAGE) * PAGE;
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#dataFile, bytes, done, Math.min(bytes.length - done, 1 << 30), offset + done);
    }
    this.#offset = offset + bytes.length;
    return { file: this.#dataName, offset, length: bytes.length };
  }
}
