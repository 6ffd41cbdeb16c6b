/** `layers.test.ts` with twenty tasks. */
import "./layers.test.ts";
