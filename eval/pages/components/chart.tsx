/** A chart as inline SVG. Positions are percentages, so it is as wide as its place and nothing is distorted. */

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
