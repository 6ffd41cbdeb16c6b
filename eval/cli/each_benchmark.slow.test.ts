/** `each_benchmark.test.ts` with all of them. */
import "./each_benchmark.test.ts";
