/** Weights in a file beside the graph, which the runtime maps into memory instead of reading them. */

import { closeSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { type Field, readFields, textOf, varints } from "./proto.ts";
import { TENSOR, tensorMessage } from "./schema.ts";

/** Tensors from this size on are moved out, aligned so that they can be mapped. */
const EXTERNAL_FROM = 1 << 16;
const PAGE = 4096;

/** A file of weights beside the graph. */
export class ExternalData {
  readonly #path: string;
  #file: number | undefined;
  #offset = 0;
  written = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Writes the data of a big initializer here and returns the initializer that refers to it; others stay as they are. */
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

/** Dimensions are written one by one or packed into one field. */
export function dimsOf(fields: Field[]): number[] {
  return fields
    .filter((f) => f.number === TENSOR.dims)
    .flatMap((f) => (f.bytes.length > 0 ? varints(f.bytes).map(Number) : [Number(f.varint)]));
}

/** At a position, or at the end of what is written. */
export function writeAll(file: number, bytes: Buffer, position?: number): void {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(bytes.length - done, 1 << 28);
    done += writeSync(file, bytes, done, length, position === undefined ? undefined : position + done);
  }
}
