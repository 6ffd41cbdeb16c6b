/** `mocha.test.ts` with a candidate that never comes back. */
import "./mocha.test.ts";
