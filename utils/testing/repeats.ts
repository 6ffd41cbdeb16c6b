/** How often a test tries made-up cases: all of them in `npm run test:slow`, `few` in `npm test`. */
export const repeats = (all: number, few: number): number => (process.env.MEND_SLOW_TESTS ? all : few);
