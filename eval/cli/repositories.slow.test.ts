/** `repositories.test.ts` under every layer. */
import "./repositories.test.ts";
