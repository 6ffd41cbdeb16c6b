/** Nodes and constants that are added to a graph. */

import { bytesField } from "./proto.ts";
import { type Attribute, GRAPH, int64Tensor, nodeMessage, tensorMessage } from "./schema.ts";

/** A node as a field of a graph. Several outputs come after one another. */
export function nodeField(
  op: string,
  inputs: string[],
  outputs: string | string[],
  attributes: Record<string, Attribute> = {},
  domain?: string,
): Buffer {
  const list = typeof outputs === "string" ? [outputs] : outputs;
  const node = { op, inputs, outputs: list, name: `${list[0]}.node`, attributes, ...(domain ? { domain } : {}) };
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
