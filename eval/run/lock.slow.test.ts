/** `lock.test.ts` with all tries. */
import "./lock.test.ts";
