/** Offsets in a text: of UTF-16 units, as this program has them, and of code points, as results have them. */

export function offsetsOf(text: string): { toUnits(at: number): number; toPoints(at: number): number } {
  if (!/[\u{10000}-\u{10FFFF}]/u.test(text)) return { toUnits: (at) => at, toPoints: (at) => at };
  const units: number[] = [];
  const points: number[] = [];
  let unit = 0;
  for (const [point, one] of [...text].entries()) {
    units[point] = unit;
    for (let i = 0; i < one.length; i++) points[unit + i] = point;
    unit += one.length;
  }
  units.push(unit);
  points[unit] = units.length - 1;
  return { toUnits: (at) => units[at] ?? unit, toPoints: (at) => points[at] ?? units.length - 1 };
}
