/** The table of samples with what narrows it down. */

import type { Ref } from "preact";
import { useCallback, useEffect } from "preact/hooks";
import type { Address } from "../../browser/address.ts";
import { FILTER_HELP } from "../../browser/fields.ts";
import { keyOf } from "../../browser/source.ts";
import { DataTable } from "../../components/data_table.tsx";
import { Chips, Choice, SearchField } from "../../components/filters.tsx";
import type { PageData, SampleRow } from "../page_data.ts";
import { columnsOf, OUTCOMES, pathOf, USUAL_SORT } from "./sample_columns.tsx";

interface SampleTableProps {
  data: PageData;
  shown: readonly SampleRow[];
  /** Rows that match everything but the outcome. */
  candidates: readonly SampleRow[];
  address: Address;
  selected: string | null;
  field: Ref<HTMLInputElement>;
}

export function SampleTable(props: SampleTableProps) {
  const { data, shown, candidates, address, selected, field } = props;
  const { query, set, go } = address;
  const { rows, isOwn } = data;
  const columns = columnsOf(isOwn);
  const open = useCallback((row: SampleRow) => go(pathOf(row)), []);
  useEffect(() => document.querySelector(".samples tr.selected")?.scrollIntoView({ block: "nearest" }), [selected]);
  const classes = [
    "samples",
    rows.every(({ attempt }) => attempt === 0) && "single",
    rows.every(({ costUsd }) => costUsd === null) && "free",
  ];
  const note = rows.length === 0 ? "No sample is finished yet." : shown.length === 0 ? "No task matches." : "";
  return (
    <section class="tasks" id="tasks">
      <div class="bar">
        <h2>{isOwn ? "Attempts" : "Tasks"}</h2>
        <SearchField
          field={field}
          value={query.text ?? ""}
          placeholder="Filter: words, turns>3  /"
          label="Filter tasks"
          title={FILTER_HELP}
          onChange={(text) => set({ text })}
        />
        {!isOwn && (
          <>
            <Choice
              value={query.bug ?? ""}
              values={[...new Set(rows.map(({ bugType }) => bugType))].filter(Boolean).sort()}
              all="Every bug type"
              label="Bug type"
              onChange={(bug) => set({ bug })}
            />
            <Chips
              label="Outcome"
              kinds={OUTCOMES}
              rows={candidates}
              chosen={query.outcome}
              onChoose={(outcome) => set({ outcome })}
            />
          </>
        )}
      </div>
      <p class="note" aria-live="polite">
        {note}
      </p>
      <DataTable
        class={classes.filter(Boolean).join(" ")}
        columns={columns}
        rows={shown}
        keyOf={keyOf}
        sort={query.sort}
        usual={USUAL_SORT}
        onSort={(sort) => set({ sort })}
        onOpen={open}
        selected={selected}
      />
    </section>
  );
}
