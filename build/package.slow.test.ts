/** `package.test.ts` with a repository to fix, and with the highest versions of LangGraph. */
import "./package.test.ts";
