/**
 * A conversation in the bytes in which it was last sent, to which each turn adds its own: to join and encode all of it
 * anew took more CPU in a long conversation than the rest of the turn.
 */

import type { BaseMessage } from "@langchain/core/messages";

/** A conversation to be written. */
export interface Said {
  messages: readonly BaseMessage[];
  /** The message on which depends what is sent for the one at a place: what may be its result. */
  nextAt(at: number): BaseMessage | undefined;
  /** What is sent for the message at a place, or for two: a call and its result. */
  partAt(at: number): readonly BaseMessage[];
  /** The JSON of what is sent, with commas between. */
  write(sent: readonly BaseMessage[]): string;
}

export class Written {
  /** What is written, and for each part where it begins there and where its bytes end. */
  readonly #messages: BaseMessage[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Has room for more. What is written stays as it is: a request may be under way with it. */
  #room = Buffer.alloc(0);

  /** The parts, with commas between. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#ends.at(-1) ?? 0);
  }

  /** All that is said: this one, grown, where it goes on from what is written; else another with what still stands. */
  with(said: Said): Written {
    const parts = this.#standing(said);
    const all = parts === this.#ends.length ? this : this.#first(parts);
    const { messages } = said;
    while (all.#messages.length < messages.length) {
      const start = all.#messages.length;
      const sent = said.partAt(start);
      all.#add(messages.slice(start, start + sent.length), said.write(sent));
    }
    return all;
  }

  /** How many parts are as they would be written now. */
  #standing({ messages, nextAt }: Said): number {
    const changed = this.#messages.findIndex((message, at) => message !== messages[at]);
    const same = changed < 0 ? this.#messages.length : changed;
    const standing = this.#starts.findLastIndex((start, part) => {
      const end = this.#starts[part + 1] ?? this.#messages.length;
      return end < same || (end === same && (end - start > 1 || !nextAt(start)));
    });
    return standing + 1;
  }

  #first(parts: number): Written {
    const first = new Written();
    for (const message of this.#messages.slice(0, this.#starts[parts])) first.#messages.push(message);
    for (const start of this.#starts.slice(0, parts)) first.#starts.push(start);
    for (const end of this.#ends.slice(0, parts)) first.#ends.push(end);
    first.#room = Buffer.from(this.#room.subarray(0, first.#ends.at(-1) ?? 0));
    return first;
  }

  #add(messages: readonly BaseMessage[], json: string): void {
    const before = this.#ends.at(-1) ?? 0;
    const text = before === 0 ? json : `,${json}`;
    const end = before + Buffer.byteLength(text);
    if (end > this.#room.length) {
      const grown = Buffer.allocUnsafeSlow(Math.ceil(end * GROWTH));
      this.#room.copy(grown, 0, 0, before);
      this.#room = grown;
    }
    this.#room.write(text, before);
    this.#starts.push(this.#messages.length);
    this.#ends.push(end);
    this.#messages.push(...messages);
  }
}

/** By how much more than is needed there is room for. */
const GROWTH = 1.5;
