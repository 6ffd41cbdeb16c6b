/** `hostile_tests.test.ts` under every layer as every user. */
import "./hostile_tests.test.ts";
