/** What narrows a table down: a search field, a choice, chips. */

import type { Ref } from "preact";
import { count } from "../../../utils/base/text/format.ts";

interface SearchFieldProps {
  value: string;
  onChange(value: string): void;
  placeholder: string;
  label: string;
  field?: Ref<HTMLInputElement>;
  title?: string;
}

export const SearchField = ({ value, onChange, placeholder, label, field, title }: SearchFieldProps) => (
  <input
    ref={field ?? null}
    type="search"
    placeholder={placeholder}
    aria-label={label}
    title={title}
    value={value}
    onInput={(event) => onChange(event.currentTarget.value)}
  />
);

interface ChoiceProps {
  value: string;
  /** All there are; the empty one stands for all of them. */
  values: readonly string[];
  all: string;
  label: string;
  onChange(value: string): void;
}

export const Choice = ({ value, values, all, label, onChange }: ChoiceProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
    <option value="">{all}</option>
    {values.map((one) => (
      <option key={one} value={one}>
        {one}
      </option>
    ))}
  </select>
);

/** One of the choices by which rows are narrowed down. The first of them is `all`. */
export interface Kind<Row> {
  id: string;
  name: string;
  has(row: Row): boolean;
}

/** Of the rows those of a kind. @param chosen its id; all of them for another text */
export const ofKind = <Row,>(rows: readonly Row[], kinds: readonly Kind<Row>[], chosen: string | undefined): Row[] => {
  const kind = kinds.find(({ id }) => id === chosen);
  return kind ? rows.filter(kind.has) : [...rows];
};

interface ChipsProps<Row> {
  label: string;
  kinds: readonly Kind<Row>[];
  /** Those that are counted. */
  rows: readonly Row[];
  /** Its id; empty for all. */
  chosen: string | undefined;
  onChoose(id: string): void;
}

export const Chips = <Row,>({ label, kinds, rows, chosen, onChoose }: ChipsProps<Row>) => {
  const pressed = kinds.some(({ id }) => id === chosen) ? chosen : "all";
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row is.
    <div class="chips" role="group" aria-label={label}>
      {kinds.map(({ id, name, has }) => (
        <button
          key={id}
          type="button"
          class={`chip ${id}`}
          aria-pressed={id === pressed}
          onClick={() => onChoose(id === "all" ? "" : id)}
        >
          {name} <span class="count">{count(rows.filter(has).length)}</span>
        </button>
      ))}
    </div>
  );
};
