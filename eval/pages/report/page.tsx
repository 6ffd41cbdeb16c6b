/** The page of a run: its list of samples, and one of them. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Address, useAddress } from "../browser/address.ts";
import { filterOf, sorted } from "../browser/fields.ts";
import { follow, keyOf, openSource } from "../browser/source.ts";
import { ofKind } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import { useSelection } from "../components/list_selection.tsx";
import { othersOf, sampleName } from "./others.tsx";
import { FactsSection, OverviewSection } from "./overview.tsx";
import type { PageData, SampleRow } from "./page_data.ts";
import { RepairSection } from "./repair/repair_section.tsx";
import { COLUMNS, columnsOf, OUTCOMES, pathOf, textOf, USUAL_SORT } from "./sample/sample_columns.tsx";
import { SamplePage, sampleKeys } from "./sample/sample_page.tsx";
import { SampleTable } from "./sample/sample_table.tsx";

const source = await openSource<PageData>();
const NO_FILTER = { outcome: "", bug: "", text: "" };

function RunPage() {
  const { data, trouble } = useRunData();
  const address = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => shownRows(data, address), [data, address.query]);
  const openRow = (row: SampleRow) => address.go(pathOf(row));
  const { selected, select, keys } = useSelection({ rows: shown, keyOf, noun: "task", open: openRow, field });
  const open = rowAt(data.rows, address.path);
  const openKey = open ? keyOf(open) : null;
  useEffect(() => {
    if (openKey !== null) select(openKey);
    document.title = open ? `${open.task} · ${data.name}` : `${data.name} · mend`;
  }, [openKey]);
  useScroll(openKey);

  const position = shown.findIndex((row) => keyOf(row) === openKey);
  const step = (by: number) => {
    const next = shown[position + by];
    if (next) openRow(next);
  };
  const back = () => address.go("");
  const clear = { keys: ["Escape"], label: "Esc", text: "clear the filter", run: () => address.set(NO_FILTER) };
  const { dialog, help } = useKeyboard(open ? sampleKeys({ step, back }) : [...keys, clear]);
  const fact = (wanted: string) => data.facts.find(([name]) => name === wanted)?.[1];
  return (
    <>
      <div class="list" hidden={open !== undefined}>
        <PageHead
          kicker={
            <>
              {data.live ? <a href="../../">All runs</a> : `mend · ${data.isOwn ? "repair" : "run report"}`}
              {data.live && data.overview.running && !trouble && <span class="connection">live</span>}
            </>
          }
          title={data.isOwn ? (data.repair?.target ?? fact("Dataset") ?? data.name) : data.name}
          trouble={trouble}
          note={data.isOwn ? `${fact("Model")} · ${data.name}` : `${fact("Model")} · shown: ${fact("Shown")}`}
          help={help}
        />
        {data.repair ? (
          <RepairSection repair={data.repair} />
        ) : (
          <OverviewSection
            data={data}
            choose={(filter) => {
              address.set({ ...NO_FILTER, ...filter });
              document.getElementById("tasks")?.scrollIntoView({ block: "start" });
            }}
          />
        )}
        <FactsSection facts={data.facts} />
        <SampleTable
          data={data}
          shown={shown}
          address={address}
          candidates={candidatesOf(data.rows, address)}
          selected={selected}
          field={field}
        />
        <footer>
          <p class="note">
            {data.isOwn
              ? "This page contains code from your files; think of that before you share it."
              : "This page may quote hidden tests; keep it away from models that you want to measure."}
          </p>
        </footer>
      </div>
      {open && (
        <SamplePage
          key={openKey ?? ""}
          data={data}
          row={open}
          name={sampleName(data.rows, open)}
          detail={() => source.detail(open)}
          place={position === -1 ? "" : `${position + 1} of ${shown.length}`}
          step={step}
          back={back}
          others={othersOf(data, open, source.detail)}
          beside={address.query.beside ?? ""}
          setBeside={(path) => address.set({ beside: path })}
          again={data.again === null ? undefined : `${data.again}${data.isOwn ? "" : ` --indices ${open.index}`}`}
        />
      )}
      {dialog}
    </>
  );
}

/** The data as it comes in, and why nothing comes. */
function useRunData(): { data: PageData; trouble: string } {
  const [data, setData] = useState(source.data);
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    if (source.data.live) return follow<PageData>(setData, setTrouble);
  }, []);
  return { data, trouble };
}

/** Rows that match everything but the outcome. */
function candidatesOf(rows: readonly SampleRow[], { query }: Address): SampleRow[] {
  const { bug = "", text = "" } = query;
  const fits = filterOf(COLUMNS, textOf);
  return rows.filter((row) => (bug === "" || row.bugType === bug) && fits(row, text));
}

/** The rows in the order shown. */
function shownRows({ rows, isOwn }: PageData, address: Address): SampleRow[] {
  const { outcome, sort } = address.query;
  return sorted(ofKind(candidatesOf(rows, address), OUTCOMES, outcome), columnsOf(isOwn), sort || USUAL_SORT);
}

/** The sample that the address names. */
function rowAt(rows: readonly SampleRow[], path: string): SampleRow | undefined {
  const [, task = "", attempt] = /^\/(.+)\/(\d+)$/.exec(path) ?? [];
  try {
    const key = keyOf({ task: decodeURIComponent(task), attempt: Number(attempt) });
    return rows.find((row) => keyOf(row).toWellFormed() === key);
  } catch {
    return undefined;
  }
}

/** A sample is shown from its top; the list from where it was left. */
function useScroll(openKey: string | null): void {
  const list = useRef(0);
  useEffect(() => {
    const remember = () => {
      if (openKey === null) list.current = scrollY;
    };
    addEventListener("scroll", remember);
    return () => removeEventListener("scroll", remember);
  }, [openKey]);
  useLayoutEffect(() => scrollTo(0, openKey === null ? list.current : 0), [openKey]);
}

draw(<RunPage />);
