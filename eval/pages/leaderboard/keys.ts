/** Under what the details of a run's sample are packed. */
export const detailKey = (run: string, sample: string): string => `${run}\n${sample}`;
