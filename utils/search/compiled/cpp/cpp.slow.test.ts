/** `cpp.test.ts` with what shows in C++ as in the other languages. */
import "./cpp.test.ts";
