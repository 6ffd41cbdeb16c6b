/** `check.test.ts` with more tasks for each damage. */
import "./check.test.ts";
