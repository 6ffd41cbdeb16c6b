/** `score.test.ts` with more generations. */
import "./score.test.ts";
