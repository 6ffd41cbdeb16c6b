/** How options that say more are called by the command of each scope. */

export interface Words {
  /** What goes on where all tests pass. */
  goOn: string;
  /** What says what is wrong. */
  tell: string;
  /** Whether another model may be named that tries where the first finds nothing. */
  hasFallback: boolean;
}

/** @param file the one that was to be repaired; null: any */
export const wordsFor = (file: string | null): Words =>
  file === null
    ? {
        goOn: "--issue FILE",
        tell: "--issue FILE",
        hasFallback: false,
      }
    : {
        goOn: "--even-if-passing",
        tell: "--instruction",
        hasFallback: true,
      };
