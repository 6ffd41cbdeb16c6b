/** One sample with the bar above it, once its trajectory is there; another one beside it where that is asked for. */

import { useEffect, useState } from "preact/hooks";
import { mark, tone } from "../../browser/format.ts";
import type { Binding } from "../../browser/keys.ts";
import { CopyButton } from "../../components/copy_button.tsx";
import type { Detail } from "../detail.ts";
import type { Other } from "../others.tsx";
import type { PageData, SampleRow } from "../page_data.ts";
import { SampleView } from "./sample_view.tsx";

interface SamplePageProps {
  data: Pick<PageData, "rows" | "isOwn">;
  row: SampleRow;
  /** What it is called where another one stands beside it. */
  name: string;
  detail(): Promise<Detail>;
  /** `3 of 20`. */
  place: string;
  step(by: number): void;
  back(): void;
  /** What may be shown beside it. */
  others: readonly Other[];
  /** Path of the one that is; empty for none. */
  beside: string;
  setBeside(path: string): void;
  /** The command that runs this task again. */
  again?: string | undefined;
}

export function SamplePage(props: SamplePageProps) {
  const { data, row, name, detail, place, step, back, others, beside, setBeside, again } = props;
  const other = others.find(({ path }) => path === beside);
  return (
    <div class={other ? "sample pair" : "sample"}>
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
          <OtherSample others={others} beside={beside} setBeside={setBeside} />
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
        {other && <h2>{name}</h2>}
        <LoadedSample load={detail} data={data} row={row} isLinked />
      </div>
      {other && (
        <div class="body">
          <h2>{other.name}</h2>
          <LoadedSample key={other.path} load={other.detail} data={data} row={other.row} isLinked={false} />
        </div>
      )}
      <footer class="of-sample">{again !== undefined && <Again command={again} />}</footer>
    </div>
  );
}

/** Keys while a sample is open. */
export const sampleKeys = ({ step, back }: Pick<SamplePageProps, "step" | "back">): Binding[] => [
  { keys: ["j", "ArrowRight"], label: "j →", text: "next task", run: () => step(1) },
  { keys: ["k", "ArrowLeft"], label: "k ←", text: "previous task", run: () => step(-1) },
  { keys: ["n"], label: "n", text: "next turn", run: () => stepTurn(1) },
  { keys: ["p"], label: "p", text: "previous turn", run: () => stepTurn(-1) },
  { keys: ["Escape", "u"], label: "Esc", text: "back to all tasks", run: back },
];

/** To the next turn below, or the one above. */
function stepTurn(by: number): void {
  const turns = [...document.querySelectorAll(".turn")];
  const edge = 80;
  const next =
    by > 0
      ? turns.find((turn) => turn.getBoundingClientRect().top > edge + 1)
      : turns.findLast((turn) => turn.getBoundingClientRect().top < edge - 30);
  next?.scrollIntoView({ block: "start" });
}

const Again = ({ command }: { command: string }) => (
  <section class="again">
    <h2>Run it again</h2>
    <div class="block">
      <CopyButton text={command} />
      <pre>{command}</pre>
    </div>
  </section>
);

/** Options that are offered: a choice among thousands is none. */
const MOST_OTHERS = 200;

function OtherSample({ others, beside, setBeside }: Pick<SamplePageProps, "others" | "beside" | "setBeside">) {
  if (others.length === 0) return null;
  return (
    <select
      aria-label="Another trajectory beside it"
      value={beside}
      onChange={(event) => setBeside(event.currentTarget.value)}
    >
      <option value="">beside: none</option>
      {others.slice(0, MOST_OTHERS).map(({ path, name }) => (
        <option key={path} value={path}>
          beside: {name}
        </option>
      ))}
    </select>
  );
}

interface LoadedProps extends Pick<SamplePageProps, "data" | "row"> {
  load(): Promise<Detail>;
  isLinked: boolean;
}

/** A sample, once its trajectory is there. */
function LoadedSample({ load, data, row, isLinked }: LoadedProps) {
  const [detail, setDetail] = useState<Detail | { problem: string } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (loaded) => isCurrent && setDetail(loaded),
      (error: unknown) => isCurrent && setDetail({ problem: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [row]);
  const language = detail && "language" in detail ? detail.language : "";
  if (detail === null) return <p class="note">Opening…</p>;
  if ("problem" in detail) return <p class="note">The trajectory cannot be shown: {detail.problem}</p>;
  return <SampleView row={row} detail={detail} language={language} isLinked={isLinked} isOwn={data.isOwn} />;
}
