/** `compiled_loop.test.ts` with all of its projects. */
import "./compiled_loop.test.ts";
