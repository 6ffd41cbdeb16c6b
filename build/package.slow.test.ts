/** `package.test.ts` with a repository to fix. */
import "./package.test.ts";
