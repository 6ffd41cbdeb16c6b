/** One sample with the bar above it, once its trajectory is there. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { mark, tone } from "../browser/format.ts";
import { keyOf, type Source } from "../browser/source.ts";
import { colouringOf } from "../browser/tokens.ts";
import type { Detail } from "./detail.ts";
import type { PageData, SampleRow } from "./page_data.ts";
import { pathOf } from "./sample_columns.tsx";
import { SampleView } from "./sample_view.tsx";

interface SamplePageProps {
  source: Pick<Source, "detail">;
  data: Pick<PageData, "syntaxes" | "rows" | "isOwn">;
  row: SampleRow;
  /** `3 of 20`. */
  place: string;
  /** Positions of turns that a search found. */
  found: readonly number[];
  step(by: number): void;
  back(): void;
  /** The sample that is shown beside this one. */
  beside?: SampleRow | undefined;
  /** Absent where none may be. */
  setBeside?: (path: string) => void;
}

/** Samples that may be put beside one: other attempts at its task come first. */
function othersOf({ rows }: Pick<PageData, "rows">, row: SampleRow): SampleRow[] {
  const others = rows.filter((one) => keyOf(one) !== keyOf(row));
  return [...others.filter(({ task }) => task === row.task), ...others.filter(({ task }) => task !== row.task)];
}

const nameOf = ({ rows }: Pick<PageData, "rows">, { task, attempt }: SampleRow): string =>
  rows.some((one) => one.attempt > 0) ? `${task}, attempt ${attempt}` : task;

export function SamplePage({ source, data, row, place, found, step, back, beside, setBeside }: SamplePageProps) {
  return (
    <div class={beside ? "sample pair" : "sample"}>
      <header class="sample-bar">
        <button type="button" class="back" onClick={back}>
          ← {data.isOwn ? "Repair" : "All tasks"}
        </button>
        <div class="title">
          <span class={`dot ${tone(row.outcome)}`} aria-hidden="true">
            {mark(row.outcome)}
          </span>
          <h1>{row.task}</h1>
          <span class="note">
            {row.bugType}
            {data.rows.some(({ attempt }) => attempt > 0) && ` · attempt ${row.attempt}`}
          </span>
        </div>
        <div class="tools">
          <Beside data={data} row={row} beside={beside} setBeside={setBeside} />
          <span class="note">{place}</span>
          <button type="button" aria-label="Previous task" title="Previous (k)" onClick={() => step(-1)}>
            ↑
          </button>
          <button type="button" aria-label="Next task" title="Next (j)" onClick={() => step(1)}>
            ↓
          </button>
        </div>
      </header>
      <div class="body">
        {beside && <h2>{nameOf(data, row)}</h2>}
        <Opened source={source} data={data} row={row} found={found} isLinked />
      </div>
      {beside && (
        <div class="body">
          <h2>{nameOf(data, beside)}</h2>
          <Opened key={keyOf(beside)} source={source} data={data} row={beside} found={[]} isLinked={false} />
        </div>
      )}
    </div>
  );
}

/** Options that are offered: a choice among thousands is none. */
const MOST_OTHERS = 200;

function Beside({ data, row, beside, setBeside }: Pick<SamplePageProps, "data" | "row" | "beside" | "setBeside">) {
  const others = othersOf(data, row).slice(0, MOST_OTHERS);
  if (!setBeside || others.length === 0) return null;
  return (
    <select
      aria-label="Another trajectory beside it"
      value={beside ? pathOf(beside) : ""}
      onChange={(event) => setBeside(event.currentTarget.value)}
    >
      <option value="">beside: none</option>
      {others.map((other) => (
        <option key={keyOf(other)} value={pathOf(other)}>
          beside: {nameOf(data, other)}
        </option>
      ))}
    </select>
  );
}

/** A sample, once its trajectory is there. */
function Opened(props: Pick<SamplePageProps, "source" | "data" | "row" | "found"> & { isLinked: boolean }) {
  const { source, data, row, found, isLinked } = props;
  const [detail, setDetail] = useState<Detail | { problem: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    source.detail(row).then(
      (loaded) => isCurrent && setDetail(loaded),
      (error: unknown) => isCurrent && setDetail({ problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [row]);
  const language = detail && "language" in detail ? detail.language : "";
  const colouring = useMemo(() => colouringOf(data.syntaxes[language]), [language]);
  if (detail === null) return <p class="note">Opening…</p>;
  if ("problem" in detail) return <p class="note">The trajectory cannot be shown: {detail.problem}</p>;
  return (
    <SampleView row={row} detail={detail} colouring={colouring} found={found} isLinked={isLinked} isOwn={data.isOwn} />
  );
}
