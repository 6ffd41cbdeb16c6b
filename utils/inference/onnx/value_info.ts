/** What a graph says about its inputs and outputs. */

import { type Field, readFields } from "./proto.ts";
import { DATA_TYPE, type DataType, VALUE_INFO } from "./schema.ts";

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
