/** One sample with the bar above it, once its trajectory is there. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { mark, tone } from "../browser/format.ts";
import type { Source } from "../browser/source.ts";
import { colouringOf } from "../browser/tokens.ts";
import type { Detail } from "./detail.ts";
import type { PageData, SampleRow } from "./page_data.ts";
import { SampleView } from "./sample_view.tsx";

interface SamplePageProps {
  source: Pick<Source, "detail">;
  data: Pick<PageData, "syntaxes" | "rows">;
  row: SampleRow;
  /** `3 of 20`. */
  place: string;
  /** Positions of turns that a search found. */
  found: readonly number[];
  step(by: number): void;
  back(): void;
}

export function SamplePage({ source, data, row, place, found, step, back }: SamplePageProps) {
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
  return (
    <div class="sample">
      <header class="sample-bar">
        <button type="button" class="back" onClick={back}>
          ← All tasks
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
        {detail === null ? (
          <p class="note">Opening…</p>
        ) : "problem" in detail ? (
          <p class="note">The trajectory cannot be shown: {detail.problem}</p>
        ) : (
          <SampleView row={row} detail={detail} colouring={colouring} found={found} />
        )}
      </div>
    </div>
  );
}
