/** `hostile.test.ts` with every program under every layer as every user. */
import "./hostile.test.ts";
