/** How a page colours a language. It colours; it does not judge: any text gives tokens. */

export interface Syntax {
  /**
   * What a token of each kind looks like, the first that fits counting; `name` is what keywords and built-ins are
   * looked up among. Every pattern has the flag `u`, takes `^` for the start of a line, and names no groups.
   */
  tokens: { comment: RegExp; string: RegExp; number: RegExp; defined: RegExp; name: RegExp; decorator?: RegExp };
  keywords: readonly string[];
  builtins: readonly string[];
}
