/** `in_process.test.ts` with `score` in each language. */
import "./in_process.test.ts";
