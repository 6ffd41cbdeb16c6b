/** `lifecycle.test.ts` with every layer in each test. */
import "./lifecycle.test.ts";
