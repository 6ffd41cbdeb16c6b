/** `javascript.test.ts` with the visible tests, too. */
import "./javascript.test.ts";
