/** The parts of the ONNX schema that are read or written here: field numbers, data types, small messages. */

import { appendTo } from "../../base/data/extremes.ts";
import { bytesField, type Field, floatField, readFields, varintField, varints } from "./proto.ts";

/** Field numbers, named as in onnx.proto. */
export const MODEL = { irVersion: 1, producer: 2, graph: 7, opset: 8 } as const;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
export const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 } as const;
export const TENSOR = {
  dims: 1,
  dataType: 2,
  int32Data: 5,
  name: 8,
  rawData: 9,
  externalData: 13,
  dataLocation: 14,
} as const;
export const VALUE_INFO = { name: 1, type: 2 } as const;
export const ATTRIBUTE = { name: 1, float: 2, int: 3, string: 4, graph: 6, ints: 8, type: 20 } as const;

export const DATA_TYPE = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10 } as const;
export type DataType = keyof typeof DATA_TYPE;

/** A float attribute is written `{ float: 1 }`, because JavaScript cannot tell 1 from 1.0. */
export type Attribute = number | string | number[] | { float: number } | { graph: Buffer };

const ATTRIBUTE_TYPE = { float: 1, int: 2, string: 3, graph: 5, ints: 7 } as const;

export function attributeMessage(name: string, value: Attribute): Buffer {
  const parts = [bytesField(ATTRIBUTE.name, name)];
  const type = (kind: keyof typeof ATTRIBUTE_TYPE): Buffer => varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE[kind]);
  if (typeof value === "string") parts.push(bytesField(ATTRIBUTE.string, value), type("string"));
  else if (typeof value === "number") parts.push(varintField(ATTRIBUTE.int, value), type("int"));
  else if (Array.isArray(value)) appendTo(parts, [...value.map((x) => varintField(ATTRIBUTE.ints, x)), type("ints")]);
  else if ("graph" in value) parts.push(bytesField(ATTRIBUTE.graph, value.graph), type("graph"));
  else parts.push(floatField(ATTRIBUTE.float, value.float), type("float"));
  return Buffer.concat(parts);
}

interface NodeSpec {
  op: string;
  inputs: string[];
  outputs: string[];
  name: string;
  attributes?: Record<string, Attribute>;
  domain?: string | undefined;
}

export function nodeMessage(node: NodeSpec): Buffer {
  return Buffer.concat([
    ...node.inputs.map((x) => bytesField(NODE.input, x)),
    ...node.outputs.map((x) => bytesField(NODE.output, x)),
    bytesField(NODE.name, node.name),
    bytesField(NODE.opType, node.op),
    ...Object.entries(node.attributes ?? {}).map(([k, v]) => bytesField(NODE.attribute, attributeMessage(k, v))),
    ...(node.domain ? [bytesField(NODE.domain, node.domain)] : []),
  ]);
}

/** A graph input or output. A string dimension is symbolic; no shape at all is allowed for outputs. */
export function valueInfoMessage(name: string, type: DataType, shape?: readonly (number | string)[]): Buffer {
  const dims = shape?.map((d) => bytesField(1, typeof d === "number" ? varintField(1, d) : bytesField(2, d)));
  const tensor = [varintField(1, DATA_TYPE[type]), ...(dims ? [bytesField(2, Buffer.concat(dims))] : [])];
  return Buffer.concat([
    bytesField(VALUE_INFO.name, name),
    bytesField(VALUE_INFO.type, bytesField(1, Buffer.concat(tensor))),
  ]);
}

/** Where the bytes of an initializer are: in the message, or in a file beside it. */
export type TensorData = Buffer | { file: string; offset: number; length: number };

export function tensorMessage(
  name: string,
  type: DataType | number,
  dims: readonly number[],
  data: TensorData,
): Buffer {
  const head = [
    ...dims.map((d) => varintField(TENSOR.dims, d)),
    varintField(TENSOR.dataType, typeof type === "number" ? type : DATA_TYPE[type]),
    bytesField(TENSOR.name, name),
  ];
  if (Buffer.isBuffer(data)) return Buffer.concat([...head, bytesField(TENSOR.rawData, data)]);
  const entries = { location: data.file, offset: `${data.offset}`, length: `${data.length}` };
  const external = Object.entries(entries).map(([key, value]) =>
    bytesField(TENSOR.externalData, Buffer.concat([bytesField(1, key), bytesField(2, value)])),
  );
  return Buffer.concat([...head, ...external, varintField(TENSOR.dataLocation, 1)]);
}

/** An int64 constant: a scalar for a number, a vector for a list. */
export function int64Tensor(name: string, value: bigint | readonly bigint[]): Buffer {
  const list = typeof value === "bigint" ? [value] : value;
  const bytes = Buffer.alloc(8 * list.length);
  list.forEach((x, i) => {
    bytes.writeBigInt64LE(x, 8 * i);
  });
  return tensorMessage(name, "int64", typeof value === "bigint" ? [] : [list.length], bytes);
}

/** Dimensions are written one by one or packed into one field. */
export function dimsOf(fields: Field[]): number[] {
  return fields
    .filter((f) => f.number === TENSOR.dims)
    .flatMap((f) => (f.bytes.length > 0 ? varints(f.bytes).map(Number) : [Number(f.varint)]));
}

/** Half floats stay half floats. */
export function elementType(valueInfo: Buffer): DataType {
  const type = tensorType(valueInfo).find((f) => f.number === 1);
  return type?.varint === BigInt(DATA_TYPE.float16) ? "float16" : "float";
}

/** Undefined where it has a name instead of a number. */
export function lastDimension(valueInfo: Buffer): number | undefined {
  const shape = tensorType(valueInfo).find((f) => f.number === 2);
  const last = [...readFields(shape?.bytes ?? Buffer.alloc(0))].at(-1);
  const value = [...readFields(last?.bytes ?? Buffer.alloc(0))].find((f) => f.number === 1);
  return value && Number(value.varint);
}

/** Element type (1) and shape (2) of a graph's input or output. */
function tensorType(valueInfo: Buffer): Field[] {
  const type = [...readFields(valueInfo)].find((f) => f.number === VALUE_INFO.type);
  const [tensor] = readFields(type?.bytes ?? Buffer.alloc(0));
  return [...readFields(tensor?.bytes ?? Buffer.alloc(0))];
}
