/** Days on which tasks were published, for what a model cannot have seen when it was trained. */

import { UserError } from "../../utils/base/data/errors.ts";
import { inLine } from "../../utils/base/text/text.ts";

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** As `2024-08-31`. @throws UserError where it is no day */
export function readDay(text: string, what: string): string {
  const day = DAY.exec(text)?.[0];
  if (day === undefined || Number.isNaN(Date.parse(day)))
    throw new UserError(`${what} is a day such as 2024-08-31, not "${inLine(text)}".`);
  return day;
}

/**
 * Whether something was published on a later day than `after`. @param where it stands, for a message, @throws UserError
 */
export const publishedAfter = (published: string, after: string, where: string): boolean =>
  readDay(published, `${where}: the date`) > after;
