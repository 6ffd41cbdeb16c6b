/** The memory of a coordinator, which holds little and waits most of its time. */

import { setFlagsFromString } from "node:v8";

/** What garbage may add to what the heap holds, in percent: V8 by itself lets it become four times as large. */
const GARBAGE_PERCENT = 30;

/** Has garbage collected in time, in this whole process. Called before there is much: it holds from the next collection on. */
export const keepHeapSmall = (): void => setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
