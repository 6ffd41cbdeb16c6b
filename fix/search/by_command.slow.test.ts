/** `by_command.test.ts` with each of its languages. */
import "./by_command.test.ts";
