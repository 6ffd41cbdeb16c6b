/** Processor time that a search may use in all its parts together. */

export class SearchTime {
  /** Of all parts together. */
  readonly seconds: number;
  #spent = 0;

  constructor(seconds: number) {
    this.seconds = seconds;
  }

  get left(): number {
    return Math.max(0, this.seconds - this.#spent);
  }

  /** Whether too little is left to try anything. */
  get isUp(): boolean {
    return this.left < LEAST_SECONDS;
  }

  spend(seconds: number): void {
    this.#spent += seconds;
  }

  /** What is said before it. */
  get announcement(): string {
    return `search tries edits, for ${this.seconds} seconds of processor time at most (--time)`;
  }

  /** What is said where nothing was found in it. */
  get explanation(): string {
    return `the ${this.seconds} seconds of processor time for the search are used up (--time SECONDS gives it more)`;
  }
}

/** A search needs as much to begin. */
const LEAST_SECONDS = 1;
