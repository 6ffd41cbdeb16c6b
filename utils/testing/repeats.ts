/** `quick` in `npm test`, `ci`, `deep` and `slow` in the scripts of these names, else `test`: all but what is slow. */
export const testMode = process.env.MEND_TEST_MODE ?? "test";

/** Whether this is `npm run test:slow`, which tries everything. */
export const isSlow = testMode === "slow";

/** Whether this is `npm test` or `npm run test:ci`, which leave out what has the tag `deep`. */
export const isQuick = testMode === "quick" || testMode === "ci";

/** For a test that costs much and that is not needed after each change: `npm run test:deep` runs it. */
export const DEEP = { tags: ["deep"] };

/** For a test that costs seconds: `npm run test:ci` runs it. */
export const CI = { tags: ["ci"] };

/** For a test of `npm test` that tries more in `npm run test:deep`. */
export const ALSO_DEEP = testMode === "deep" ? DEEP : {};

/** How often such a test tries: `npm test` does a quarter of `all`. */
export const runs = (all: number): number => (isQuick ? Math.ceil(all / 4) : all);

/** Cases of such a test that show the same thing once more: `npm test` tries the first quarter, at least one. */
export const quarter = <Case extends string | number | unknown[] | [unknown]>(cases: readonly Case[]): Case[] =>
  cases.slice(0, runs(cases.length));

/** How often a test tries made-up cases: all of them in `npm run test:slow`, else `few`. */
export const repeats = (all: number, few: number): number => (isSlow ? all : few);
