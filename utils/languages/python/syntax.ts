/** How a page colours Python. */

import type { Syntax } from "../syntax.ts";

export const pythonSyntax: Syntax = {
  tokens: {
    comment: /#[^\n]*/u,
    string:
      /[rbfuRBFU]{0,2}(?:"""[\s\S]*?(?:"""|(?![\s\S]))|'''[\s\S]*?(?:'''|(?![\s\S]))|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/u,
    number: /\b(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?j?)/u,
    decorator: /(?<=^[ \t]*)@[\w.]+/u,
    defined: /(?<=\b(?:def|class)[ \t]+)[\p{L}_][\p{L}\p{N}_]*/u,
    name: /[\p{L}_][\p{L}\p{N}_]*/u,
  },
  keywords:
    "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case".split(
      " ",
    ),
  builtins:
    "abs all any bool bytes chr dict divmod enumerate filter float frozenset hash hex int isinstance iter len list map max min next object ord pow print range repr reversed round set slice sorted str sum super tuple type zip self".split(
      " ",
    ),
};
