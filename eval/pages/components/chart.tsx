/** Charts as inline SVG. Positions are percentages, so a chart is as wide as its place and nothing is distorted. */

import { percent } from "../../../utils/base/text/format.ts";

export interface Interval {
  value: number | null;
  interval: readonly [number, number] | null;
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** A share with its 95% interval on a scale from 0 to 1. */
export function IntervalChart({ of: { value, interval }, scale = false }: { of: Interval; scale?: boolean }) {
  const height = scale ? 22 : 18;
  const middle = height / 2;
  const label =
    value === null
      ? "no score"
      : `${percent(value)}, 95% interval ${percent(interval?.[0])} to ${percent(interval?.[1])}`;
  return (
    <svg class="chart interval" role="img" aria-label={label} height={height + (scale ? 22 : 0)} width="100%">
      {TICKS.map((x) => (
        <line key={x} class="grid" x1={percent(x)} x2={percent(x)} y1={0} y2={height} />
      ))}
      <line class="axis" x1={0} x2="100%" y1={middle} y2={middle} />
      {interval && (
        <rect
          class="range"
          x={percent(interval[0], 2)}
          width={percent(interval[1] - interval[0], 2)}
          y={middle - 4}
          height={8}
          rx={4}
        />
      )}
      {value !== null && <circle class="point" cx={percent(value, 2)} cy={middle} r={scale ? 7 : 5} />}
      {scale &&
        TICKS.map((x) => (
          <text
            key={`label ${x}`}
            class="tick"
            x={percent(x)}
            y={height + 16}
            text-anchor={x === 0 ? "start" : x === 1 ? "end" : "middle"}
          >
            {percent(x)}
          </text>
        ))}
    </svg>
  );
}

const BAR = 12;

/** One bar of passes and fails, as long as its share of `most`. */
export function SplitBar({ passed, samples, most }: { passed: number; samples: number; most: number }) {
  const width = (n: number) => percent(n / Math.max(1, most), 3);
  return (
    <svg class="chart" role="img" aria-label={`${passed} of ${samples} passed`} height={BAR} width="100%">
      <rect class="pass" x={0} width={width(passed)} height={BAR} rx={2} />
      <rect class="fail" x={width(passed)} width={width(samples - passed)} height={BAR} rx={2} />
    </svg>
  );
}

interface ColumnOfChart {
  label: string;
  title: string;
  passed: number;
  failed: number;
}

const PLOT = 120;
const LABELS = 20;

interface ColumnChartProps {
  columns: readonly ColumnOfChart[];
  label: string;
  /** Shares from 0 to 1, one a column. */
  line?: readonly number[];
  /** True where a label names the left edge of its column. */
  edges?: boolean;
}

/** Columns of passes below fails, with a line of shares over them where given. */
export function ColumnChart({ columns, label, line = [], edges = false }: ColumnChartProps) {
  const most = Math.max(1, ...columns.map(({ passed, failed }) => passed + failed));
  const step = 1 / columns.length;
  const height = (n: number) => (n / most) * (PLOT - 8);
  const x = (i: number) => percent((i + 0.5) * step, 3);
  const y = (share: number) => PLOT - share * (PLOT - 8);
  const every = Math.ceil(columns.length / 8);
  return (
    <svg
      class="chart columns"
      role="img"
      aria-label={`${label}. ${columns.map(({ title }) => title).join("; ")}`}
      height={PLOT + LABELS}
      width="100%"
    >
      <line class="axis" x1={0} x2="100%" y1={PLOT} y2={PLOT} />
      {columns.map(({ passed, failed, title }, i) => {
        const at = { x: percent((i + 0.12) * step, 3), width: percent(0.76 * step, 3), rx: 2 };
        const top = PLOT - height(passed);
        return (
          <g key={title}>
            <title>{title}</title>
            <rect class="hit" x={percent(i * step, 3)} width={percent(step, 3)} y={0} height={PLOT} />
            {passed > 0 && <rect class="pass" {...at} y={top} height={height(passed)} />}
            {failed > 0 && (
              <rect class="fail" {...at} y={top - height(failed) - (passed > 0 ? 1 : 0)} height={height(failed)} />
            )}
          </g>
        );
      })}
      {line.slice(1).map((share, i) => (
        <line class="trend" x1={x(i)} y1={y(line[i] ?? 0)} x2={x(i + 1)} y2={y(share)} />
      ))}
      {line.map((share, i) => (
        <circle class="trend-point" cx={x(i)} cy={y(share)} r={2.5}>
          <title>{percent(share)}</title>
        </circle>
      ))}
      {columns.map(({ label: text }, i) =>
        i % every === 0 ? (
          <text
            class="tick"
            x={edges ? percent(i * step, 3) : x(i)}
            y={PLOT + 15}
            text-anchor={edges && i === 0 ? "start" : "middle"}
          >
            {text}
          </text>
        ) : null,
      )}
    </svg>
  );
}

/** Values sorted into at most `bins` columns of equal width, from 0. */
export function histogram(
  items: readonly { value: number; passed: boolean }[],
  format: (value: number) => string,
  bins = 16,
): ColumnOfChart[] {
  const most = Math.max(...items.map(({ value }) => value), 0);
  const width = roundUp(most / bins) || 1;
  const counts = Array.from({ length: Math.max(1, Math.ceil((most + 1e-12) / width)) }, () => ({
    passed: 0,
    failed: 0,
  }));
  for (const { value, passed } of items) {
    const column = counts[Math.min(counts.length - 1, Math.floor(value / width))];
    if (column) column[passed ? "passed" : "failed"] += 1;
  }
  return counts.map(({ passed, failed }, i) => ({
    label: format(i * width),
    title: `${format(i * width)} to ${format((i + 1) * width)}: ${passed} passed, ${failed} failed`,
    passed,
    failed,
  }));
}

/** The next of 1, 2, 2.5, 5, 10 … */
function roundUp(x: number): number {
  if (!(x > 0)) return 0;
  const unit = 10 ** Math.floor(Math.log10(x));
  return ([1, 2, 2.5, 5, 10].find((step) => step * unit >= x) ?? 10) * unit;
}
