/** `cheats.test.ts` with those that go the same way as another one. */
import "./cheats.test.ts";
