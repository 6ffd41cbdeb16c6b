/**
 * Weights of integer products as unsigned numbers. On x86 without VNNI the kernels for unsigned activations and signed
 * weights add two products in 16 bits, where they saturate; those for unsigned weights do not. `w + 128` with a zero
 * point that is 128 higher is the same weight, so a graph says the same with either where nothing saturates.
 */

import type { GraphNode } from "./node.ts";
import { type Field, readFields, textOf, varints } from "./proto.ts";
import { DATA_TYPE, dimsOf, GRAPH, TENSOR, tensorMessage } from "./schema.ts";

const OP = "MatMulInteger";
const SIGN_BIT = 0x80;
/** Inputs of the node: the weights, the zero point of the activations, that of the weights (0 if there is none). */
const [WEIGHT, LEFT_ZERO, ZERO] = [1, 2, 3];

/** The initializer for nodes that have no zero point of their own. */
const ZERO_NAME = "mend.zero";
export const zeroTensor = (): Buffer => tensorMessage(ZERO_NAME, "uint8", [], Buffer.of(SIGN_BIT));

/** Names of the initializers that can become unsigned: of products alone, with the weights in the graph itself. */
export function signedWeights(graph: readonly Field[], nodes: readonly GraphNode[]): Set<string> {
  const signed = new Set(graph.filter(isSigned).map((field) => textOf(field.bytes, TENSOR.name)));
  const isWeight = ({ op }: GraphNode, input: number): boolean => op === OP && (input === WEIGHT || input === ZERO);
  const elsewhere = new Set(nodes.flatMap((node) => node.inputs.filter((_, i) => !isWeight(node, i))));
  const used = nodes.filter(({ op }) => op === OP).map(weightsOf);
  const free = (names: string[]): boolean => names.every((name) => signed.has(name) && !elsewhere.has(name));
  // Two nodes may share an initializer: what one of them keeps signed stays signed for both.
  const kept = new Set(used.filter((names) => !free(names)).flat());
  return new Set(used.filter((names) => free(names) && !names.some((name) => kept.has(name))).flat());
}

/** Adapts a node to unsigned weights. @returns whether it is one that needs it */
export function useUnsigned(node: GraphNode, weights: ReadonlySet<string>): boolean {
  if (node.op !== OP || !weights.has(node.inputs[WEIGHT] ?? "")) return false;
  if (!node.inputs[ZERO]) {
    node.inputs[LEFT_ZERO] ??= "";
    node.inputs[ZERO] = ZERO_NAME;
  }
  return true;
}

/** The initializer with every value 128 higher, as unsigned bytes. */
export function toUnsigned(tensor: Buffer): Buffer {
  const fields = [...readFields(tensor)];
  const bytes = Buffer.from(bytesOf(fields) ?? []);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] ?? 0) ^ SIGN_BIT;
  return tensorMessage(textOf(tensor, TENSOR.name), "uint8", dimsOf(fields), bytes);
}

const weightsOf = ({ inputs }: GraphNode): string[] =>
  [inputs[WEIGHT], inputs[ZERO]].filter((name) => name !== undefined && name !== "").map(String);

function isSigned(field: Field): boolean {
  if (field.number !== GRAPH.initializer) return false;
  const fields = [...readFields(field.bytes)];
  const type = fields.find((f) => f.number === TENSOR.dataType)?.varint;
  return type === BigInt(DATA_TYPE.int8) && bytesOf(fields) !== undefined;
}

/**
 * The values of an int8 initializer: raw bytes, or numbers one by one or packed. Undefined where they are in a file.
 */
function bytesOf(fields: readonly Field[]): Uint8Array | undefined {
  const raw = fields.find((f) => f.number === TENSOR.rawData);
  if (raw) return raw.bytes;
  const numbers = fields.filter((f) => f.number === TENSOR.int32Data);
  if (numbers.length === 0) return undefined;
  const values = numbers.flatMap((f) => (f.bytes.length > 0 ? varints(f.bytes) : [f.varint]));
  return Uint8Array.from(values, (value) => Number(value & 255n));
}
