/** The memory of a coordinator, which holds little and waits most of its time. */

import { setFlagsFromString } from "node:v8";

/**
 * How much garbage the heap may hold, in percent of what is in use: V8 by itself lets the heap become four times as
 * large.
 */
const GARBAGE_PERCENT = 30;

/**
 * Makes this process collect garbage earlier. It takes effect at the next collection, so call it before there is much
 * garbage.
 */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
