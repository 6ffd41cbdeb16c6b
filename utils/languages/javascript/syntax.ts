/** How a page colours JavaScript. */

import type { Syntax } from "../syntax.ts";

export const javascriptSyntax: Syntax = {
  tokens: {
    comment: /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))/u,
    // The last alternative is a regular expression: a slash where no operand stands before it, so nothing is divided.
    // Its length is bounded, as each slash of a long line may be looked on from.
    string:
      /`(?:\\[\s\S]|[^`\\])*`?|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?|(?<=(?:[=(,:;!&|?{[>]|\breturn)\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\n[]){1,200}\/[a-z]*/u,
    number: /\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?)n?/u,
    // Also a variable whose value is a function.
    defined:
      /(?<=\b(?:function\s*\*?|class)\s+)[\p{ID_Start}$_][\p{ID_Continue}$]*|(?<=\b(?:const|let|var)\s+)[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\s*=\s*(?:async\s*)?(?:function\b|\([^()\n]{0,200}\)\s*=>|[\w$]{1,200}\s*=>))/u,
    name: /[\p{ID_Start}$_#][\p{ID_Continue}$]*/u,
  },
  keywords:
    "async await break case catch class const continue debugger default delete do else export extends false finally for function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while with yield".split(
      " ",
    ),
  builtins:
    "Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object Promise RangeError RegExp Set String Symbol TypeError WeakMap WeakSet console globalThis isFinite isNaN module parseFloat parseInt process require".split(
      " ",
    ),
};
