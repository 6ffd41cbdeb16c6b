/** `forgeable.test.ts` with each forgery. */
import "./forgeable.test.ts";
