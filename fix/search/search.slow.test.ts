/** `search.test.ts` with a suite that is told apart from suggestions. */
import "./search.test.ts";
