/** Which function of a file is to be repaired, where the user names none: what the failing tests run is looked at first. */

import type { Prepared } from "../prepare.ts";
import type { NamedEntry } from "./check_input.ts";

/** More are not looked at. */
const MOST = 5;

/**
 * The likeliest first, each with why it is looked at; at least one.
 * @param entries what there is, in the order of the file
 */
export function likeliestEntries(
  entries: readonly NamedEntry[],
  { suspects, baseline }: Pick<Prepared, "suspects" | "baseline">,
): { entry: NamedEntry; why: string }[] {
  const found = suspects.flatMap(({ name, reasons }) => {
    const entry = entries.find(({ definition }) => definition === name.split(".")[0]);
    return entry ? [{ entry, why: reasons[0] ?? "likeliest" }] : [];
  });
  const said = baseline.failing.map(({ message }) => message).join("\n");
  const named = entries.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(said));
  const others = [...named, ...(found.length > 0 ? [] : entries)].map((entry) => ({ entry, why: "in its file" }));
  const seen = new Set<string>();
  return [...found, ...others]
    .filter(({ entry }) => (seen.has(entry.name) ? false : seen.add(entry.name)))
    .slice(0, MOST);
}
