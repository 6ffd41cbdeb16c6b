/** `cpp.test.ts` with all rows of the development half. */
import "./cpp.test.ts";
