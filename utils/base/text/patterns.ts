/** Regular expressions made of parts that can be read, and named, one by one. */

/**
 * What matches one of the parts, as the text of a group: `(?:a|b)`, to be put into a longer pattern.
 * @param parts patterns, whose flags count for nothing, or their texts
 */
export const oneOf = (...parts: readonly (RegExp | string)[]): string =>
  `(?:${parts.map((part) => (typeof part === "string" ? part : part.source)).join("|")})`;
