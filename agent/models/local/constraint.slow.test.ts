/** `constraint.test.ts` with all seeds. */
import "./constraint.test.ts";
