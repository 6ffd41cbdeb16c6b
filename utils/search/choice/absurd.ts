/** Edits that no person would write, which show that tests are few and not that another repair is right. */

const PATTERNS = [
  // An error as a value beside others: `x or ValueError("no")`.
  /(?:\|\||&&|\?\?|\bor\b|\band\b) *(?:new +)?\w*(?:Error|Exception)\(/,
  // Asks a number or a truth for what it never has: `(x ?? 0).name`.
  /(?:\?\?|\|\|) *(?:-?\d+|true|false)\)\.[a-z]/,
  // Does a second time what changes nothing then: `abs(abs(x))`, `Math.round(Math.ceil(x))`.
  /\b(str|int|float|bool|list|tuple|set|sorted|abs|String|Number|Boolean|Math\.abs)\(\1\(/,
  /\b(?:floor|ceil|round|trunc)\((?:[Mm]ath\.)?(?:floor|ceil|round|trunc)\(/,
  // Adds nothing: another edit leaves it out.
  /[\w)\]] *[-+] *0(?![\w.])|[\w)\]] *[*/]{1,2} *1(?![\w.])/,
  // Compares with what is equal to nothing.
  /[=!]== (?:NaN|\[|\{)/,
];
const PARITY = /% *2\b/;
const SPEAKS_OF_PARITY =
  /\b(?:even|odd|parity|pairs?|halves|half|middle|median|alternat\w*|every other|divisible)\b|[%/] ?2\b/i;

/**
 * Edits without the absurd ones, if others are left.
 * @param textsOf the program before and after an edit, or the parts of both that differ
 * @param prose what the user says
 */
export function withoutAbsurd<E>(
  edits: readonly E[],
  textsOf: (edit: E) => { before: string; after: string },
  prose: string,
): readonly E[] {
  const isNew = (pattern: RegExp, one: E) => {
    const { before, after } = textsOf(one);
    return pattern.test(after) && !pattern.test(before);
  };
  const isParity = (one: E) => isNew(PARITY, one) && !SPEAKS_OF_PARITY.test(`${prose} ${textsOf(one).before}`);
  const usual = edits.filter((one) => !PATTERNS.some((pattern) => isNew(pattern, one)) && !isParity(one));
  return usual.length > 0 ? usual : edits;
}
