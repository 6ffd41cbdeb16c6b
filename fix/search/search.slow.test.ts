/** `search.test.ts` with all of its cases. */
import "./search.test.ts";
