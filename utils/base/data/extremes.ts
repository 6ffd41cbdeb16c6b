/** The extremes of lists that grow with input: `Math.max(...list)` ends with a RangeError from about 120,000 on. */

/** @param least what it is at least, and of an empty list */
export function largest(values: Iterable<number>, least = -Infinity): number {
  let found = least;
  for (const value of values) found = Math.max(found, value);
  return found;
}

/** @param most what it is at most, and of an empty list */
export function smallest(values: Iterable<number>, most = Infinity): number {
  let found = most;
  for (const value of values) found = Math.min(found, value);
  return found;
}

/** Appends all of them, however many; `list.push(...items)` is a call with as many arguments. */
export function appendTo<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
