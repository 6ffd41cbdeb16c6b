/** The part of the shared search that runs beside JavaScript programs. */

export { trimmed } from "../../edits/edit.ts";
export { cheapest, madeOf } from "../../edits/generate.ts";
export { literalsIn } from "../../edits/literals.ts";
export { Facts } from "../../syntax/facts.ts";
export { plainTree } from "../../syntax/tree.ts";
export { javascriptGrammar } from "./grammar.ts";
