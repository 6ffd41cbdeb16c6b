/** Notices that a model repeats itself, so that a degenerate reply does not run to its token limit. */

/** A loop is the same stretch of up to this many tokens … */
const MAX_PERIOD = 64;
/** … again and again, at least this many times and over at least this many tokens: tables in code repeat, too. */
const MIN_REPEATS = 8;
const MIN_SPAN = 160;

/** Whether the tokens end in a loop. */
export function endsInLoop(tokens: readonly number[]): boolean {
  for (let period = 1; period <= MAX_PERIOD; period++) {
    const span = Math.max(MIN_SPAN, period * MIN_REPEATS);
    if (span + period <= tokens.length && repeats(tokens, period, span)) return true;
  }
  return false;
}

function repeats(tokens: readonly number[], period: number, span: number): boolean {
  for (let i = tokens.length - span; i < tokens.length; i++) if (tokens[i] !== tokens[i - period]) return false;
  return true;
}
