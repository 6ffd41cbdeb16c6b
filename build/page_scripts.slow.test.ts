/** `page_scripts.test.ts` with the scripts that take more than a minute. */
import "./page_scripts.test.ts";
