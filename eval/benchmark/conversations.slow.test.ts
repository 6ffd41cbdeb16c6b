/** `conversations.test.ts` with each language. */
import "./conversations.test.ts";
