/** Blocks of text and code: long ones are shortened and grow on request, all can be copied. */

import { useMemo, useState } from "preact/hooks";
import { count } from "../../../utils/base/text/format.ts";
import { lineTokens, shorten, type Token } from "../browser/tokens.ts";
import { CopyButton } from "./copy_button.tsx";

/** What a block shows at first, and how much more each request gives. */
const FIRST = { lines: 40, chars: 500 };
export const GROWTH = 10;

interface TextBlockProps {
  text: string;
  /** Of the code's language; none for text. */
  language?: string | undefined;
  isCopied?: boolean;
}

export function TextBlock({ text, language, isCopied = true }: TextBlockProps) {
  const [size, setSize] = useState(1);
  const lines = useMemo(() => text.replace(/\n+$/, "").split("\n"), [text]);
  const { cut, tokens } = useMemo(() => {
    const cut = lines.slice(0, FIRST.lines * size).map((line) => shorten(line, FIRST.chars * size));
    return {
      cut,
      tokens: lineTokens(
        cut.map(({ shown }) => shown),
        language,
      ),
    };
  }, [lines, size, language]);
  const hidden = lines.length - cut.length;
  return (
    <div class={language ? "block code" : "block"}>
      {isCopied && <CopyButton text={text} />}
      <pre>
        {tokens.map((line, i) => (
          <>
            <span class="line">
              <Tokens tokens={line} />
              {cut[i]?.rest ? <span class="cut"> … {count(cut[i].rest)} more characters</span> : null}
            </span>
            {"\n"}
          </>
        ))}
      </pre>
      {hidden > 0 || cut.some(({ rest }) => rest > 0) ? (
        <button class="more" type="button" onClick={() => setSize(size * GROWTH)}>
          {hidden > 0
            ? `Show more: ${count(hidden)} of ${count(lines.length)} lines are hidden`
            : "Show more of the long lines"}
        </button>
      ) : null}
    </div>
  );
}

/** @param marked from which character to which it is marked */
export function Tokens({
  tokens,
  marked,
}: {
  tokens: readonly Token[];
  marked?: readonly [number, number] | undefined;
}) {
  let at = 0;
  return tokens.map(({ kind, text }) => {
    const start = at;
    at += text.length;
    const content = marked ? marks(text, marked[0] - start, marked[1] - start) : text;
    return kind ? <span class={`token-${kind}`}>{content}</span> : content;
  });
}

function marks(text: string, from: number, to: number) {
  const [start, end] = [Math.max(0, from), Math.min(text.length, to)];
  if (start >= end) return text;
  return (
    <>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </>
  );
}
