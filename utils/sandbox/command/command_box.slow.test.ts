/** `command_box.test.ts` with every layer in each test. */
import "./command_box.test.ts";
