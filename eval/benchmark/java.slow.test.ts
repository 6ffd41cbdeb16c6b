/** `java.test.ts` with all rows of the development half. */
import "./java.test.ts";
