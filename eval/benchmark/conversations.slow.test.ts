/** `conversations.test.ts` with a worker and with documentation in each language. */
import "./conversations.test.ts";
