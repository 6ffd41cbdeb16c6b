/** `rust.test.ts` with all rows of the development half. */
import "./rust.test.ts";
