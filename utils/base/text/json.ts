/** JSON as it is printed. */

/**
 * JSON in which characters that drive a terminal or hide text are written as escapes: it can be shown anywhere, and
 * reads back the same.
 */
export const printedJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[\p{Cc}\p{Cf}]/gu, (char) =>
    char === "\n" ? char : Array.from({ length: char.length }, (_, i) => escaped(char.charCodeAt(i))).join(""),
  );

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, "0")}`;
