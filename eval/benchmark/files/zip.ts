/** JSON files of a zip file. */

import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { messageOf, UserError } from "../../../utils/base/data/errors.ts";
import { jsonValue } from "../../../utils/base/data/record.ts";
import { inLine } from "../../../utils/base/text/text.ts";

const inflated = promisify(inflateRaw);
const MOST_BYTES = 512 * 1024 * 1024;
/** Numbers of methods in zip files: as it is, deflate, and Zstandard, which newer versions of Inspect use. */
const [STORED, DEFLATE, ZSTD] = [0, 8, 93];

/**
 * The values of the JSON files that are wanted, by name; undefined for one that is no JSON.
 * @param shown the name of the zip file, for messages
 * @throws UserError if it is damaged, encrypted, too large, or compressed in a way that is not known
 */
export async function filesInZip(
  bytes: Buffer,
  shown: string,
  wanted: (name: string) => boolean,
): Promise<Map<string, unknown>> {
  const { default: yauzl } = await import("yauzl");
  try {
    const zip = await yauzl.fromBufferPromise(bytes);
    const found = new Map<string, unknown>();
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      if (!wanted(entry.fileName)) continue;
      total += entry.uncompressedSize;
      if (total > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES / 1024 / 1024} MB`);
      if (entry.isEncrypted()) throw new Error("it is encrypted");
      const packed = await allOf(await zip.openReadStreamPromise(entry, { decodeFileData: false }));
      const text = (await unpacked(packed, entry.compressionMethod, entry.uncompressedSize)).toString("utf8");
      found.set(entry.fileName, jsonValue(text));
    }
    return found;
  } catch (error) {
    throw new UserError(
      `${inLine(shown)} is not a zip file that can be read: ${messageOf(error).replace(/\.+$/, "")}.`,
    );
  }
}

async function allOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function unpacked(packed: Buffer, method: number, size: number): Promise<Buffer> {
  if (method === STORED) return packed;
  if (method === DEFLATE) return await inflated(packed, { maxOutputLength: MOST_BYTES });
  if (method !== ZSTD) throw new Error(`its compression method ${method} is not known`);
  const { compressors } = await import("hyparquet-compressors");
  const unzstd = compressors.ZSTD;
  if (!unzstd) throw new Error("Zstandard is not supported: convert it with inspect log convert --to json");
  return Buffer.from(unzstd(packed, size));
}
