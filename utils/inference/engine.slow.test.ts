/** `engine.test.ts` with all conversations. */
import "./engine.test.ts";
