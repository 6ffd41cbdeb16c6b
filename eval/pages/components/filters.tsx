/** What narrows a table down: a search field, a choice, chips. */

import type { Ref } from "preact";
import { count } from "../../../utils/text/format.ts";

interface SearchFieldProps {
  value: string;
  onChange(value: string): void;
  placeholder: string;
  label: string;
  field?: Ref<HTMLInputElement>;
}

export const SearchField = ({ value, onChange, placeholder, label, field }: SearchFieldProps) => (
  <input
    ref={field ?? null}
    type="search"
    placeholder={placeholder}
    aria-label={label}
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

export interface Chip {
  id: string;
  name: string;
  count: number;
}

interface ChipsProps {
  label: string;
  chips: readonly Chip[];
  pressed: string;
  onPress(id: string): void;
}

export const Chips = ({ label, chips, pressed, onPress }: ChipsProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as this row is.
  <div class="chips" role="group" aria-label={label}>
    {chips.map(({ id, name, count: n }) => (
      <button key={id} type="button" class={`chip ${id}`} aria-pressed={id === pressed} onClick={() => onPress(id)}>
        {name} <span class="count">{count(n)}</span>
      </button>
    ))}
  </div>
);
