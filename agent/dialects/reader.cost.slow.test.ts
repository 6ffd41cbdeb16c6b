/** `reader.cost.test.ts` with every unit after every head. */
import "./reader.cost.test.ts";
