/**
 * Shows a person the other passing edits: where they are, and the number that chooses each.
 */

import { UserError } from "../../utils/base/data/errors.ts";

/** The changed lines of a unified diff, each group with the line where it begins and a line around it. */
export function changesIn(diff: string): string[] {
  const lines = diff.split("\n");
  const isChange = (line = "") => /^[-+](?![-+]{2} )/.test(line);
  const shown: string[] = [];
  let at = 0;
  for (const [i, line] of lines.entries()) {
    const [, start] = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (start !== undefined) at = Number(start);
    else if (at > 0 && isChange(line)) {
      if (!isChange(lines[i - 1])) shown.push(`line ${at}:`, ...context(lines[i - 1]));
      shown.push(line);
      if (!isChange(lines[i + 1])) shown.push(...context(lines[i + 1]));
    }
    if (start === undefined && !/^[-\\]/.test(line)) at += 1;
  }
  return shown;
}

const context = (line = ""): string[] => (/^ .*\S/.test(line) ? [line] : []);

/**
 * The choice with the number that a person gave.
 * @throws UserError if there are fewer
 */
export function chosenOf<T>(choices: readonly [T, ...T[]], number: number): [chosen: T, others: T[]] {
  const chosen = choices[number - 1];
  if (chosen === undefined)
    throw new UserError(
      `--choose ${number}: ${choices.length === 1 ? "one edit passes" : `${choices.length} edits pass`}: ` +
        `choose a number from 1 to ${choices.length}.`,
    );
  return [chosen, choices.filter((one) => one !== chosen)];
}
