/** `repositories.test.ts` with every patch under every layer. */
import "./repositories.test.ts";
