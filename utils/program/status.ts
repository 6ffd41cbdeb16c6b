/**
 * What people see in a terminal: a line of status that nothing else is printed into, and colours where they are wanted.
 */

import { format, styleText } from "node:util";
import { printable } from "../base/text/text.ts";
import { liveRegion } from "./live_region.ts";

type Stream = NodeJS.WriteStream;
type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds between two states of a live line. */
const LIVE_INTERVAL_MS = 100;
/** The same where each state is a line of its own: a file, a pipe, continuous integration. */
const PLAIN_INTERVAL_MS = 10_000;
const ESCAPE = "\x1b";

/** FORCE_COLOR decides, then NO_COLOR (no-color.org), then what the terminal can. */
export function hasColours(stream: Stream, env: Environment = process.env): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused } = env;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (refused) return false;
  return stream.isTTY === true && stream.hasColors(env);
}

type Style = Parameters<typeof styleText>[0];

/** The text in a style, where the stream that it is for has colours. */
export const styled = (style: Style, text: string, stream: Stream): string =>
  hasColours(stream) ? styleText(style, text, { validateStream: false }) : text;

/** Text of others as it is shown to people: a terminal obeys nothing in it. Our own colours stay. */
export const shown = (text: string): string =>
  text
    .split(OWN_COLOUR)
    .map((part, i) => (i % 2 === 0 ? printable(part) : part))
    .join("");

/** The same for what programs read, too, such as a patch: a file or a pipe gets it as it is. */
export const forTerminal = (text: string, stream: Stream): string => (stream.isTTY ? shown(text) : text);

/** The escape codes of `styled`. They are harmless: they cannot hide text. */
const OWN_COLOUR = new RegExp(`(${ESCAPE}\\[(?:31|32|33|39)m)`);

/**
 * From now on `console` escapes control characters as `shown` does, also in pipes and files, whose text may come to a
 * terminal later. What must stay exact is written to the stream itself.
 */
export function guardConsole(): void {
  for (const name of ["log", "error"] as const) {
    const print = console[name].bind(console);
    console[name] = (...words: unknown[]) => print("%s", shown(format(...words)));
  }
}

/** A unified diff with its lines in red and green. */
export const styledDiff = (diff: string, stream: Stream = process.stdout): string =>
  forTerminal(diff, stream).replace(/^([-+])(?!\1\1 ).*$/gm, (line, sign) =>
    styled(sign === "+" ? "green" : "red", line, stream),
  );

/** The newest state of some work, on stderr: rewritten in place where that can be, else a line now and then. */
interface Status {
  /** @param line made only where it is shown */
  update(line: () => string): void;
  /** Shows the last state as a line that stays. */
  end(): void;
}

/** One at a time. What is printed meanwhile stands above the live line. */
export function openStatus(stream: Stream = process.stderr, others: readonly Stream[] = [process.stdout]): Status {
  const region = liveRegion(stream, [stream, ...others.filter(({ isTTY }) => isTTY)]);
  const everyMs = region.isShown ? LIVE_INTERVAL_MS : PLAIN_INTERVAL_MS;
  const isErased = () => region.isShown && region.isEmpty();
  let shownAt = performance.now();
  let last = "";
  let newest: (() => string) | null = null;
  const show = () => {
    const line = shown(newest?.() ?? last);
    newest = null;
    if (line === "" || (line === last && !isErased())) return;
    last = line;
    shownAt = performance.now();
    if (region.isShown) region.show([line]);
    else stream.write(`${line}\n`);
  };
  return {
    update(line) {
      newest = line;
      if ((last !== "" && isErased()) || performance.now() - shownAt > everyMs) show();
    },
    end() {
      show();
      region.clear();
      if (region.isShown && last) stream.write(`${last}\n`);
      last = "";
    },
  };
}
