/** `hostile_javascript.test.ts` with an honest program after each. */
import "./hostile_javascript.test.ts";
