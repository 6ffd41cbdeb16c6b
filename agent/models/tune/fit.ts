/** Learns from repaired tasks which edit operators pay, as new costs for the search engine. */

/** What one dev task tells: which operator made the answer, and whether the answer was right. */
export interface Evidence {
  operator: string;
  right: boolean;
}

/** Cost of each operator: low is tried first. */
export type Costs = Readonly<Record<string, number>>;

/**
 * Costs act as -log2 of how likely an operator is the right one, up to a constant. The given costs are taken as `strength`
 * earlier observations (a Dirichlet prior), and each right answer is one more. Wrong answers count against an operator by
 * the share of its answers that were right, with one imagined right answer, so that a single failure does not end it.
 * The constant is kept, so costs that nothing speaks about hardly move.
 */
export function refit(costs: Costs, evidence: readonly Evidence[], strength: number): Record<string, number> {
  const weight = (operator: string) => 2 ** -(costs[operator] ?? 0);
  const total = Object.keys(costs).reduce((sum, operator) => sum + weight(operator), 0);
  const known = evidence.filter(({ operator }) => operator in costs);
  const rights = known.filter(({ right }) => right).length;
  return Object.fromEntries(
    Object.keys(costs).map((operator) => {
      const own = known.filter((one) => one.operator === operator);
      const right = own.filter((one) => one.right).length;
      const likely = (right + (strength * weight(operator)) / total) / (rights + strength);
      const trust = (right + 1) / (own.length + 1);
      const cost = -Math.log2(likely * trust) - Math.log2(total);
      return [operator, Math.round(100 * Math.max(0, cost)) / 100];
    }),
  );
}
