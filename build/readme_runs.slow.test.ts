/** `readme_runs.test.ts` with the scripts that take more than a minute. */
import "./readme_runs.test.ts";
