/**
 * Shared prefixes on disk, so that the next process starts where this one was. A file holds the token ids and the cache
 * of one prefix; a folder belongs to one model file, runtime and processor, because other kernels round differently.
 */

import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { jsonValue } from "../../base/data/record.ts";
import type { KvCache, KvData, KvField } from "./kv_cache.ts";
import { commonLength } from "./prefix_store.ts";

/** Files kept for one model; the least recently used go first. */
const MAX_FILES = 4;
/** Shorter prefixes are computed faster than they are looked for. */
const MIN_TOKENS = 128;
const SUFFIX = ".prefix";
/** Bytes in front of the header: its length, little-endian. */
const LENGTH_BYTES = 4;
const MAX_HEADER = 1 << 24;

const headerSchema = z.object({
  ids: z.array(z.int().nonnegative()),
  fields: z.array(
    z.object({ name: z.string(), type: z.enum(["float32", "float16"]), heads: z.int(), headDim: z.int() }),
  ),
});
type Header = z.infer<typeof headerSchema>;

interface StoredPrefix {
  ids: readonly number[];
  /** One entry a field, in the order of the fields. */
  rows: KvData[];
}

/** Where the prefixes of this model file belong under the cache folder. */
export function prefixFolderFor(cacheRoot: string, folder: string, file: string, runtime: string): string {
  const { size, mtimeMs } = statSync(join(folder, "onnx", `${file}.onnx`));
  const identity = [resolve(folder), file, size, mtimeMs, runtime, cpus()[0]?.model ?? "", process.arch, 1];
  return join(cacheRoot, "prefixes", createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 16));
}

export class PrefixFiles {
  readonly #folder: string;
  readonly #fields: readonly KvField[];

  constructor(folder: string, fields: readonly KvField[]) {
    this.#folder = folder;
    this.#fields = fields;
  }

  /** The stored prefix that has most in common with the prompt; undefined where none adds much to `known` tokens. */
  find(prompt: readonly number[], known: number): StoredPrefix | undefined {
    let best: { path: string; header: Header; common: number } | undefined;
    for (const path of this.#paths()) {
      const header = this.#header(path);
      const common = header ? commonLength(header.ids, prompt) : 0;
      if (header && common >= known + MIN_TOKENS && common > (best?.common ?? 0)) best = { path, header, common };
    }
    if (!best) return undefined;
    const now = new Date();
    utimesSync(best.path, now, now);
    return { ids: best.header.ids, rows: rowsOf(readFileSync(best.path), best.header) };
  }

  /** Writes the first `ids.length` tokens of a cache, in place of stored prefixes that continue them. */
  save(ids: readonly number[], cache: KvCache): void {
    if (ids.length < MIN_TOKENS) return;
    mkdirSync(this.#folder, { recursive: true });
    const header = { ids, fields: this.#fields };
    const bytes = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(bytes.length);
    const draft = join(this.#folder, `${randomUUID()}.part`);
    try {
      writeParts(draft, [length, bytes, ...cache.exportFields(ids.length).map((f) => f.data)]);
      this.#makeRoom(ids);
      renameSync(
        draft,
        join(this.#folder, `${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}${SUFFIX}`),
      );
    } finally {
      rmSync(draft, { force: true });
    }
  }

  #paths(): string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder).flatMap((n) => (n.endsWith(SUFFIX) ? [join(this.#folder, n)] : []));
  }

  #makeRoom(ids: readonly number[]): void {
    const kept: { path: string; used: number }[] = [];
    for (const path of this.#paths()) {
      const known = this.#header(path)?.ids;
      if (!known || commonLength(known, ids) === ids.length) rmSync(path, { force: true });
      else kept.push({ path, used: statSync(path).mtimeMs });
    }
    kept.sort((a, b) => b.used - a.used);
    for (const { path } of kept.slice(MAX_FILES - 1)) rmSync(path, { force: true });
  }

  /** Undefined where the file is not of this format, is cut short or belongs to another graph. */
  #header(path: string): Header | undefined {
    const file = openSync(path, "r");
    try {
      const length = Buffer.alloc(LENGTH_BYTES);
      if (readSync(file, length, 0, LENGTH_BYTES, 0) < LENGTH_BYTES) return undefined;
      const size = length.readUInt32LE();
      if (size > MAX_HEADER) return undefined;
      const bytes = Buffer.alloc(size);
      if (readSync(file, bytes, 0, size, LENGTH_BYTES) < size) return undefined;
      const header = headerSchema.safeParse(jsonValue(bytes.toString("utf8")));
      if (!header.success || JSON.stringify(header.data.fields) !== JSON.stringify(this.#fields)) return undefined;
      const total =
        LENGTH_BYTES + size + header.data.fields.reduce((sum, f) => sum + bytesOf(f, header.data.ids.length), 0);
      return statSync(path).size === total ? header.data : undefined;
    } finally {
      closeSync(file);
    }
  }
}

const bytesOf = (field: KvField, tokens: number): number =>
  field.heads * tokens * field.headDim * (field.type === "float16" ? 2 : 4);

function rowsOf(bytes: Buffer, header: Header): KvData[] {
  let at = LENGTH_BYTES + bytes.readUInt32LE();
  return header.fields.map((field) => {
    const size = bytesOf(field, header.ids.length);
    // A copy, because the numbers in the file are not aligned.
    const own = new Uint8Array(bytes.subarray(at, at + size)).buffer;
    at += size;
    return field.type === "float16" ? new Uint16Array(own) : new Float32Array(own);
  });
}

function writeParts(path: string, parts: readonly (Buffer | KvData)[]): void {
  const file = openSync(path, "wx");
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    }
  } finally {
    closeSync(file);
  }
}
