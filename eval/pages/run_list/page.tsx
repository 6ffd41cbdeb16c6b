/** The list of all runs, as they go: searched, sorted, filtered, and some of them ticked to be compared. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../browser/address.ts";
import { holdsWords, sorted } from "../browser/fields.ts";
import { follow, island } from "../browser/source.ts";
import { CsvButton } from "../components/buttons.tsx";
import { DataTable } from "../components/data_table.tsx";
import { Chips, Choice, ofKind, SearchField } from "../components/filters.tsx";
import { draw, PageHead, useKeyboard } from "../components/frame.tsx";
import { columnsOf, STATES, textOf } from "./run_columns.tsx";
import type { RunEntry } from "./run_list.ts";

const USUAL_SORT = "-started";

interface RunsData {
  runs: RunEntry[];
}

const first: RunsData = JSON.parse(island("data"));

function RunsPage() {
  const [{ runs }, setData] = useState(first);
  const [trouble, setTrouble] = useState("");
  useEffect(() => follow<RunsData>(setData, setTrouble), []);
  const { query, set } = useAddress();
  const { text = "", model = "", sort = "" } = query;
  const field = useRef<HTMLInputElement>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const columns = useMemo(
    () =>
      columnsOf(ticked, (name) =>
        setTicked((now) => (now.includes(name) ? now.filter((one) => one !== name) : [...now, name])),
      ),
    [ticked],
  );
  const candidates = runs.filter(
    (run) => holdsWords(textOf(run), text) && (model === "" || ("model" in run && run.model === model)),
  );
  const shown = sorted(ofKind(candidates, STATES, query.state), columns, sort || USUAL_SORT);
  const [selected, setSelected] = useState<string | null>(null);
  const position = shown.findIndex(({ name }) => name === selected);
  const moveTo = (next: number) => setSelected(shown[Math.max(0, Math.min(shown.length - 1, next))]?.name ?? null);
  const { dialog, help } = useKeyboard([
    { keys: ["j", "ArrowDown"], label: "j ↓", text: "next run", run: () => moveTo(position + 1) },
    { keys: ["k", "ArrowUp"], label: "k ↑", text: "previous run", run: () => moveTo(position - 1) },
    {
      keys: ["Enter", "o"],
      label: "Enter",
      text: "open the run",
      run: () => {
        const run = shown[position];
        if (run) openRun(run);
      },
    },
    { keys: ["/"], label: "/", text: "filter", run: () => field.current?.focus() },
    { keys: ["c"], label: "c", text: "compare those that are ticked", run: () => compare(ticked) },
    { keys: ["Escape"], label: "Esc", text: "clear the filter", run: () => set({ text: "", model: "", state: "" }) },
  ]);
  return (
    <>
      <PageHead kicker="mend" title="Runs" trouble={trouble} help={help} />
      {runs.length === 0 ? (
        <p class="note">There is no run yet. Start one with mend eval, and it appears here.</p>
      ) : (
        <section class="tasks all-runs">
          <div class="bar">
            <SearchField
              field={field}
              value={text}
              placeholder="Filter runs…  /"
              label="Filter runs"
              onChange={(value) => set({ text: value })}
            />
            <Choice
              value={model}
              values={[...new Set(runs.flatMap((run) => ("model" in run ? run.model : [])))].sort()}
              all="Every model"
              label="Model"
              onChange={(value) => set({ model: value })}
            />
            <button
              class="compare-button"
              type="button"
              disabled={ticked.length < 2}
              onClick={() => compare(ticked)}
              title="Tick two runs or more to compare them"
            >
              Compare{ticked.length > 0 && ` (${ticked.length})`}
            </button>
            <Chips
              label="State"
              kinds={STATES}
              rows={candidates}
              chosen={query.state}
              onChoose={(state) => set({ state })}
            />
            <CsvButton name="runs" rows={shown} fields={columns.slice(1)} />
          </div>
          <p class="note" aria-live="polite">
            {shown.length === 0 && "No run matches."}
          </p>
          <DataTable
            class="samples runs"
            columns={columns}
            rows={shown}
            keyOf={({ name }) => name}
            sort={sort}
            usual={USUAL_SORT}
            onSort={(next) => set({ sort: next })}
            onOpen={openRun}
            selected={selected}
          />
        </section>
      )}
      {dialog}
    </>
  );
}

/** Of two A is the run that was ticked first: gains are what B has more. */
function compare(runs: readonly string[]): void {
  const [a, b, ...more] = runs;
  if (a === undefined || b === undefined) return;
  const several = `board?${new URLSearchParams(runs.map((run) => ["run", run]))}`;
  location.href = more.length > 0 ? several : `compare?${new URLSearchParams({ a, b })}`;
}

function openRun(run: RunEntry): void {
  if (run.state !== "unreadable") location.href = `runs/${encodeURIComponent(run.name)}/`;
}

draw(<RunsPage />);
