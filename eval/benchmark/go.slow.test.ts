/** `go.test.ts` with all rows of the development half, and whole runs of what is known and of the search engine. */
import "./go.test.ts";
