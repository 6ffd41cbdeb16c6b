/** Fields of the rows of a table: what they are sorted and filtered by. */

export type Value = string | number | null;

export interface Field<Row> {
  /** In the address. */
  id: string;
  name: string;
  /** To sort by. Null is unknown. */
  value(row: Row): Value;
  /** To filter by, where it is not the value. */
  filtered?(row: Row): Value;
}

/** `turns` ascending, `-turns` descending. */
export const parseSort = (sort: string): { id: string; down: boolean } => ({
  id: sort.replace(/^-/, ""),
  down: sort.startsWith("-"),
});

/** Unknown values last, whichever way; equal ones stay in their order. */
export function sorted<Row>(rows: readonly Row[], fields: readonly Field<Row>[], sort: string): Row[] {
  const { id, down } = parseSort(sort);
  const field = fields.find((candidate) => candidate.id === id);
  if (!field) return [...rows];
  return rows.toSorted((a, b) => {
    const [x, y] = [field.value(a), field.value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
    return down ? -order : order;
  });
}

/** Whether a text holds every word that was typed. */
export function holdsWords(text: string, typed: string): boolean {
  const lower = text.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

export const FILTER_HELP =
  "Words that a row contains, -word for one that it does not; by column: turns>3, time<=10, cost=0, outcome:failed, " +
  'bug:"value misuse"';

/** A condition of a filter: a word, or a field with what its value should be; either may be denied. */
const TERM = /(-)?(?:([a-z]+)(<=|>=|[<>=:]))?("[^"]*"|\S+)/giu;

/**
 * Reads what was typed as conditions that all have to hold: `turns>3 -timeout bug:"value misuse"`. What names no field
 * is words.
 * @param textOf what words are looked for in
 */
export function filterOf<Row>(fields: readonly Field<Row>[], textOf: (row: Row) => string) {
  return (row: Row, typed: string): boolean =>
    [...typed.matchAll(TERM)].every(([whole, minus, name = "", sign = "", quoted = ""]) => {
      const field = fields.find(({ id }) => id === name.toLowerCase());
      const wanted = quoted.replace(/^"(.*)"$/, "$1");
      const words = field || quoted !== whole ? whole.replace(/^-/, "").replace(/^"(.*)"$/, "$1") : wanted;
      const holds = field
        ? compares((field.filtered ?? field.value)(row), sign, wanted)
        : holdsWords(textOf(row), words);
      return holds === (minus === undefined);
    });
}

function compares(value: Value, sign: string, wanted: string): boolean {
  if (value === null) return false;
  if (typeof value === "string" || sign === ":")
    return sign === "=" ? String(value).toLowerCase() === wanted.toLowerCase() : holdsWords(String(value), wanted);
  const bound = Number(wanted);
  switch (sign) {
    case "<":
      return value < bound;
    case "<=":
      return value <= bound;
    case ">":
      return value > bound;
    case ">=":
      return value >= bound;
    default:
      return value === bound;
  }
}
