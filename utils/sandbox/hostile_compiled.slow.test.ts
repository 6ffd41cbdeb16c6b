/** `hostile_compiled.test.ts` with an honest program after each. */
import "./hostile_compiled.test.ts";
