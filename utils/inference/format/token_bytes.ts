/**
 * The bytes that each token of a vocabulary stands for, and a walk over all tokens that a machine over bytes accepts.
 */

interface Vocabulary {
  vocabulary(): Map<string, number>;
  readonly addedIds: ReadonlySet<number>;
}

const NONE = new Uint8Array();

/** Tokens with a meaning of their own (added ones) have no bytes here: they never belong into a reply's text. */
export class TokenBytes {
  readonly #bytes: (Uint8Array | undefined)[] = [];
  /** Ids in the order of their bytes, and how many bytes each has in common with the one before. */
  #order: Int32Array | undefined;
  #common: Uint16Array | undefined;

  constructor({ vocabulary, addedIds }: Vocabulary) {
    const pieces = vocabulary();
    const toBytes = pieces.has("Ġ") ? byteLevelDecoder() : sentencePieceBytes;
    for (const [piece, id] of pieces) if (!addedIds.has(id)) this.#bytes[id] = toBytes(piece);
  }

  of(id: number): Uint8Array | undefined {
    return this.#bytes[id];
  }

  /** Every token that leads from `start` to a state. @param step undefined where a byte may not come */
  *accepted<State>(start: State, step: (state: State, byte: number) => State | undefined): Generator<number> {
    const { order, common } = this.#sorted();
    const states: (State | undefined)[] = [start];
    // Tokens that share more than this many bytes with the last refused one are refused with it.
    let refusedAt = Number.POSITIVE_INFINITY;
    for (let i = 0; i < order.length; i++) {
      const shared = common[i] ?? 0;
      if (shared > refusedAt) continue;
      const id = order[i] ?? 0;
      const bytes = this.#bytes[id] ?? NONE;
      refusedAt = Number.POSITIVE_INFINITY;
      let at = shared;
      for (; at < bytes.length; at++) {
        const state = states[at];
        const next = state === undefined ? undefined : step(state, bytes[at] ?? 0);
        if (next === undefined) break;
        states[at + 1] = next;
      }
      if (at === bytes.length) yield id;
      else refusedAt = at;
    }
  }

  #sorted(): { order: Int32Array; common: Uint16Array } {
    if (this.#order && this.#common) return { order: this.#order, common: this.#common };
    const ids = [...this.#bytes.keys()].filter((id) => (this.#bytes[id]?.length ?? 0) > 0);
    const bytes = (id: number): Uint8Array => this.#bytes[id] ?? NONE;
    // As strings with one character a byte, because those compare fastest.
    const texts = this.#bytes.map((b) => Buffer.from(b ?? NONE).toString("latin1"));
    const order = Int32Array.from(ids.sort((a, b) => ((texts[a] ?? "") < (texts[b] ?? "") ? -1 : 1)));
    const common = Uint16Array.from(order, (id, i) => (i === 0 ? 0 : sharedBytes(bytes(order[i - 1] ?? 0), bytes(id))));
    this.#order = order;
    this.#common = common;
    return { order, common };
  }
}

function sharedBytes(a: Uint8Array, b: Uint8Array): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  return n;
}

function byteLevelDecoder(): (piece: string) => Uint8Array {
  const byteOf = new Map(byteAlphabet().map((char, byte) => [char, byte]));
  return (piece) => Uint8Array.from(piece, (char) => byteOf.get(char) ?? 0x3f);
}

/** SentencePiece writes spaces as `▁` and single bytes as `<0x0A>`. */
function sentencePieceBytes(piece: string): Uint8Array {
  const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
  return byte === undefined
    ? Buffer.from(piece.replaceAll("▁", " "), "utf8")
    : Uint8Array.of(Number.parseInt(byte, 16));
}

/** Characters that byte-level tokenizers write bytes with: printable bytes as they are, the others from U+0100 on. */
export function byteAlphabet(): string[] {
  const printable = (b: number): boolean => (b >= 33 && b <= 126) || (b >= 161 && b <= 172) || (b >= 174 && b <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, b) => String.fromCharCode(printable(b) ? b : next++));
}
