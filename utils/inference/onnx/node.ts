/** Nodes of a graph: as they are read and rewritten, and those that are added. */

import { bytesField, type Field, readFields, textOf } from "./proto.ts";
import { ATTRIBUTE, type Attribute, GRAPH, int64Tensor, NODE, nodeMessage, tensorMessage } from "./schema.ts";

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

/** A numeric attribute, or undefined if there is none. */
export function numberOf(node: GraphNode, name: string): number | undefined {
  const attribute = node.attributes.find((a) => textOf(a.bytes, ATTRIBUTE.name) === name);
  for (const field of attribute ? readFields(attribute.bytes) : []) {
    if (field.number === ATTRIBUTE.int) return Number(BigInt.asIntN(64, field.varint));
    if (field.number === ATTRIBUTE.float) return field.raw.readFloatLE(field.raw.length - 4);
  }
  return undefined;
}

/** A node as a field of a graph. Several outputs come after one another. */
export function nodeField(
  op: string,
  inputs: string[],
  outputs: string | string[],
  attributes: Record<string, Attribute> = {},
  domain?: string,
): Buffer {
  const list = typeof outputs === "string" ? [outputs] : outputs;
  const node = { op, inputs, outputs: list, name: `${list[0]}.node`, attributes, domain };
  return bytesField(GRAPH.node, nodeMessage(node));
}

/** Collects them; all names begin with `mend.`, so that none clashes with those of the graph. */
export class NodeWriter {
  readonly fields: Buffer[] = [];
  readonly #constants = new Set<string>();

  /** Adds a node and returns the name of its output. */
  add(op: string, inputs: string[], name: string, attributes: Record<string, Attribute> = {}): string {
    this.fields.push(nodeField(op, inputs, `mend.${name}`, attributes));
    return `mend.${name}`;
  }

  /** An int64 constant, stored once: a scalar for a number, a vector for a list. */
  int(value: number | number[]): string {
    const name = Array.isArray(value) ? `mend.ints.${value.join(".")}` : `mend.int.${value}`;
    return this.#once(name, () => int64Tensor(name, Array.isArray(value) ? value.map(BigInt) : BigInt(value)));
  }

  /** A float scalar, stored once. */
  float(value: number): string {
    const name = `mend.float.${value}`;
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return this.#once(name, () => tensorMessage(name, "float", [], bytes));
  }

  #once(name: string, make: () => Buffer): string {
    if (!this.#constants.has(name)) this.fields.push(bytesField(GRAPH.initializer, make()));
    this.#constants.add(name);
    return name;
  }
}
