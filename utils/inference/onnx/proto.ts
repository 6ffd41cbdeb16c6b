/** Protocol-buffer wire format: just enough to write ONNX files and to rewrite them field by field. */

/**
 * One field of a message as it stands in the file. `raw` includes the tag, `bytes` is the payload of a length-delimited
 * field.
 */
export interface Field {
  number: number;
  varint: bigint;
  bytes: Buffer;
  raw: Buffer;
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** A file that is not what it claims to be: cut short, or no protocol buffer at all. */
export class ProtoError extends Error {}

/** Reads the fields of a message in order, without copying. Throws ProtoError where the bytes run out. */
export function* readFields(message: Buffer): Generator<Field> {
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined || shift > 63n) throw new ProtoError("the file ends in the middle of a number");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const readBytes = (length: number): Buffer => {
    if (at + length > message.length) throw new ProtoError("the file ends in the middle of a field");
    at += length;
    return message.subarray(at - length, at);
  };
  const empty = Buffer.alloc(0);
  while (at < message.length) {
    const start = at;
    const tag = Number(readVarint());
    const wire = tag & 7;
    let varint = 0n;
    let bytes: Buffer = empty;
    if (wire === WIRE.varint) varint = readVarint();
    else if (wire === WIRE.bytes) bytes = readBytes(Number(readVarint()));
    else if (wire === WIRE.fixed32) bytes = readBytes(4);
    else if (wire === WIRE.fixed64) bytes = readBytes(8);
    else throw new ProtoError(`wire type ${wire} is not one of ONNX`);
    yield { number: tag >>> 3, varint, bytes, raw: message.subarray(start, at) };
  }
}

/** The text of the first field with this number; empty if there is none. */
export function textOf(message: Buffer, number: number): string {
  for (const field of readFields(message)) if (field.number === number) return field.bytes.toString("utf8");
  return "";
}

function encodeVarint(value: number | bigint): Buffer {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(out);
}

const tag = (number: number, wire: number): Buffer => encodeVarint((number << 3) | wire);

export const varintField = (number: number, value: number | bigint): Buffer =>
  Buffer.concat([tag(number, WIRE.varint), encodeVarint(value)]);

/** Tag and length of a length-delimited field whose payload the caller writes itself. */
export const bytesHeader = (number: number, length: number): Buffer =>
  Buffer.concat([tag(number, WIRE.bytes), encodeVarint(length)]);

export function bytesField(number: number, payload: Buffer | string): Buffer {
  const bytes = typeof payload === "string" ? Buffer.from(payload, "utf8") : payload;
  return Buffer.concat([bytesHeader(number, bytes.length), bytes]);
}

export function floatField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(number, WIRE.fixed32), bytes]);
}

/** Packed varints, as unsigned 64-bit numbers. */
export function varints(bytes: Buffer): bigint[] {
  const out: bigint[] = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of bytes) {
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte >= 128) continue;
    out.push(value);
    value = 0n;
    shift = 0n;
  }
  return out;
}
