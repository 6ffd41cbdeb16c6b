/** Linear layers with random weights, in the formats that exported models come in. */

import type { GraphBuilder } from "./graph_builder.ts";

/**
 * `fp32`: MatMul. `q4`: 4-bit blocks of 32, activations in float. `q4-int8`: the same with int8 activations
 * (`accuracy_level` 4). `dynamic-q8`: DynamicQuantizeLinear over the whole input, so a token's value depends on its
 * neighbours in the pass.
 */
export type WeightFormat = "fp32" | "q4" | "q4-int8" | "dynamic-q8";

/** The suffix that transformers.js expects in the file name for each format. */
export const FILE_SUFFIX: Record<WeightFormat, string> = {
  fp32: "",
  q4: "_q4",
  "q4-int8": "_q4",
  "dynamic-q8": "_quantized",
};

const BLOCK = 32;
/** Standard deviation of a uniform 4-bit (8-bit) code, to scale random codes to the standard deviation asked for. */
const CODE_STD = { q4: 4.6, q8: 74 } as const;

/** Marsaglia's xorshift128: fast enough for half a billion weights. */
export class Random {
  #state: [number, number, number, number];

  constructor(seed: number) {
    this.#state = [seed | 0 || 1, 362_436_069, 521_288_629, 88_675_123];
  }

  /** A signed 32-bit integer. */
  next(): number {
    const [x, y, z, w] = this.#state;
    const t = x ^ (x << 11);
    const out = (w ^ (w >>> 19) ^ t ^ (t >>> 8)) | 0;
    this.#state = [y, z, w, out];
    return out;
  }

  /** An integer in [0, n). */
  below(n: number): number {
    return Math.floor(((this.next() >>> 0) / 2 ** 32) * n);
  }

  /** Uniform values of the given standard deviation around 0. */
  floats(length: number, std: number): Float32Array {
    const scale = (std * Math.sqrt(3)) / 2 ** 31;
    return Float32Array.from({ length }, () => this.next() * scale);
  }

  bytes(length: number): Uint8Array {
    const words = Int32Array.from({ length: Math.ceil(length / 4) }, () => this.next());
    return new Uint8Array(words.buffer, 0, length);
  }
}

export interface LinearOptions {
  name: string;
  inputs: number;
  outputs: number;
  bias?: boolean;
}

/** Adds a linear layer of random weights of standard deviation `std` and returns its output. */
export function linear(
  graph: GraphBuilder,
  random: Random,
  x: string,
  format: WeightFormat,
  std: number,
  layer: LinearOptions,
): string {
  const y = product(graph, random, x, format, std, layer);
  if (!layer.bias) return y;
  const bias = graph.tensor(`${layer.name}.bias`, "float", [layer.outputs], random.floats(layer.outputs, std));
  return graph.op("Add", [y, bias]);
}

function product(
  graph: GraphBuilder,
  random: Random,
  x: string,
  format: WeightFormat,
  std: number,
  { name, inputs: K, outputs: N }: LinearOptions,
): string {
  if (format === "fp32") {
    return graph.op("MatMul", [x, graph.tensor(`${name}.weight`, "float", [K, N], random.floats(K * N, std))]);
  }
  if (format === "dynamic-q8") {
    const outputs = [`${name}.q`, `${name}.scale`, `${name}.zero`];
    graph.op("DynamicQuantizeLinear", [x], {}, { outputs });
    const codes = new Int8Array(random.bytes(K * N));
    const weight = graph.tensor(`${name}.weight`, "int8", [K, N], codes);
    const zero = graph.tensor(`${name}.weight.zero`, "int8", [], Int8Array.of(0));
    const sum = graph.op("MatMulInteger", [`${name}.q`, weight, `${name}.zero`, zero]);
    const weightScale = graph.tensor(`${name}.weight.scale`, "float", [], Float32Array.of(std / CODE_STD.q8));
    const scale = graph.op("Mul", [`${name}.scale`, weightScale]);
    return graph.op("Mul", [graph.op("Cast", [sum], { to: 1 }), scale]);
  }
  const blocks = K / BLOCK;
  const weight = graph.tensor(`${name}.weight`, "uint8", [N, blocks, BLOCK / 2], random.bytes((N * K) / 2));
  const scales = new Float32Array(N * blocks).fill(std / CODE_STD.q4);
  const scale = graph.tensor(`${name}.scales`, "float", [N * blocks], scales);
  const attributes = { K, N, bits: 4, block_size: BLOCK, accuracy_level: format === "q4-int8" ? 4 : 0 };
  return graph.microsoftOp("MatMulNBits", [x, weight, scale], attributes);
}
