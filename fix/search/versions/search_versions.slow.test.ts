/** `search_versions.test.ts` with each of its languages. */
import "./search_versions.test.ts";
