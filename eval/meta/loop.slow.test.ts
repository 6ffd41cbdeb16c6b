/** `loop.test.ts` with each gate taken away. */
import "./loop.test.ts";
