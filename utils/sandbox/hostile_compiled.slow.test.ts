/** `hostile_compiled.test.ts` with every program in each language, and an honest one after each. */
import "./hostile_compiled.test.ts";
