/** `hidden_tests.test.ts` with a first day beside a global installation. */
import "./hidden_tests.test.ts";
