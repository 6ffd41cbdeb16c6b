/** A node of a graph as it is read, rewritten and written again. */

import { type Field, readFields, textOf } from "./proto.ts";
import { ATTRIBUTE, NODE } from "./schema.ts";

export interface GraphNode {
  op: string;
  inputs: string[];
  outputs: string[];
  attributes: Field[];
  /** Name, domain, op type and documentation, as they stand. */
  rest: Buffer[];
}

export function parseNode(message: Buffer): GraphNode {
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

/** A numeric attribute, or undefined where there is none. */
export function numberOf(node: GraphNode, name: string): number | undefined {
  const attribute = node.attributes.find((a) => textOf(a.bytes, ATTRIBUTE.name) === name);
  for (const field of attribute ? readFields(attribute.bytes) : []) {
    if (field.number === ATTRIBUTE.int) return Number(BigInt.asIntN(64, field.varint));
    if (field.number === ATTRIBUTE.float) return field.raw.readFloatLE(field.raw.length - 4);
  }
  return undefined;
}
