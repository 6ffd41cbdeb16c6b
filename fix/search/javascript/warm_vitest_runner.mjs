// vitest's runner of a worker (`test.runner`), in which the search goes on where its run of all files ends.
import { createRequire } from "node:module";

export default await createRequire(import.meta.url)("./warm_vitest.cjs")();
