/** `react.cost.test.ts` with every unit after every head. */
import "./react.cost.test.ts";
