/** `compiled.test.ts` with all of its projects. */
import "./compiled.test.ts";
