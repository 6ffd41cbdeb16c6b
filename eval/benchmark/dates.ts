/** Days on which tasks were published: a model cannot have seen what came after its training. */

import { UserError } from "../../utils/base/data/errors.ts";
import { inLine } from "../../utils/base/text/text.ts";

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** @returns the day as `2024-08-31`, @throws UserError if the text is none */
export function readDay(text: string, what: string): string {
  const day = DAY.exec(text)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day)))
    throw new UserError(`${what} is a day such as 2024-08-31, not "${inLine(text)}".`);
  return day;
}

/** @throws UserError if `published` is not a day */
export const publishedAfter = (published: string, after: string): boolean => readDay(published, "its date") > after;
