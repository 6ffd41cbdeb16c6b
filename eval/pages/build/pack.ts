/** Packs many details into little text: what they have in common is stored once, the whole is deflated. */

import { deflateRawSync } from "node:zlib";

/** Base64 of the deflated text. */
export const deflated = (text: string): string => deflateRawSync(text, { level: 9 }).toString("base64");

/** Strings up to this length are cheaper as they are. */
const INLINE_CHARS = 48;

/** `{ "=": [first, count, first, count, …] }` stands for the concatenation of those blocks. */
interface BlockText {
  "=": number[];
}

/** Collects values under keys. Their long strings are cut into blocks of lines; a block is stored once. */
export class Packer {
  readonly #blocks = new Map<string, number>();
  readonly #values: Record<string, string> = {};

  add(key: string, value: unknown): void {
    this.#values[key] = JSON.stringify(this.#pack(value));
  }

  /**
   * Base64 of the deflated JSON `{ blocks: string[], values: Record<string, string> }`; each value is JSON itself, read
   * one by one.
   */
  finish(): string {
    const json = JSON.stringify({ blocks: [...this.#blocks.keys()], values: this.#values });
    return deflated(json);
  }

  #pack(value: unknown): unknown {
    if (typeof value === "string") return value.length <= INLINE_CHARS ? value : this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.#pack(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#pack(item)]));
  }

  #text(text: string): BlockText {
    const ranges: number[] = [];
    for (const block of blocksOf(text)) {
      const id = this.#blocks.get(block) ?? this.#blocks.size;
      this.#blocks.set(block, id);
      const [first = 0, count = 0] = ranges.slice(-2);
      if (ranges.length > 0 && first + count === id) ranges[ranges.length - 1] = count + 1;
      else ranges.push(id, 1);
    }
    return { "=": ranges };
  }
}

/** Lines of a block, on average. */
const BLOCK_LINES = 8;
const LARGEST_BLOCK = 16_384;
/** Also as JSON writes it: code in the input of a tool is one line of the reply. */
const LINE_END = /\n|\\n/g;

/**
 * Cuts a text at lines chosen by their own content, so that equal passages of two texts give equal blocks wherever they
 * stand.
 */
function* blocksOf(text: string): Generator<string> {
  let start = 0;
  for (let at = 0; at < text.length; ) {
    LINE_END.lastIndex = at;
    const end = LINE_END.test(text) ? LINE_END.lastIndex : text.length;
    const isCut = hashOf(text, at, end) % BLOCK_LINES === 0 || end - start > LARGEST_BLOCK;
    if (isCut || end === text.length) {
      yield text.slice(start, end);
      start = end;
    }
    at = end;
  }
}

/** FNV-1a over a slice, of very long lines over their first part. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c_9dc5;
  for (let i = from; i < Math.min(to, from + 200); i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return (hash ^ (hash >>> 15)) >>> 0;
}
