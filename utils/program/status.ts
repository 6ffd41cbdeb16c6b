/**
 * What people see in a terminal: a line of status that nothing else is printed into, and colours where they are wanted.
 */

import { format, styleText } from "node:util";
import { printable } from "../base/text/text.ts";
import { isTerminal } from "./live_region.ts";

type Stream = NodeJS.WriteStream;
type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds between two states of a live line. */
const LIVE_INTERVAL_MS = 100;
/** The same where each state is a line of its own: a file, a pipe, continuous integration. */
const PLAIN_INTERVAL_MS = 10_000;
const ESCAPE = "\x1b";
const ERASE = `\r${ESCAPE}[K`;

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

/** One at a time. Until its end whatever is printed goes above the live line. */
export function openStatus(stream: Stream = process.stderr, others: readonly Stream[] = [process.stdout]): Status {
  const live = isTerminal(stream);
  const printAbove = live ? keepBelow(stream, others) : null;
  const everyMs = live ? LIVE_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let shownAt = performance.now();
  let last = "";
  let newest: (() => string) | null = null;
  const show = () => {
    const line = shown(newest?.() ?? last);
    newest = null;
    if (line === last) return;
    last = line;
    shownAt = performance.now();
    if (printAbove) printAbove.show(line);
    else stream.write(`${line}\n`);
  };
  return {
    update(line) {
      newest = line;
      if (performance.now() - shownAt > everyMs) show();
    },
    end() {
      show();
      printAbove?.release();
      if (live && last) stream.write(`${last}\n`);
      last = "";
    },
  };
}

/** Puts itself between the streams' users and the terminal: their text erases the line, which comes back after it. */
function keepBelow(stream: Stream, others: readonly Stream[]) {
  const write = stream.write.bind(stream);
  let line = "";
  const shortened = () => line.slice(0, (stream.columns || 80) - 1);
  const restore = [stream, ...others.filter(({ isTTY }) => isTTY)].map((one) => {
    const original = one.write;
    one.write = new Proxy(original, {
      apply(target, _, args) {
        if (line) write(ERASE);
        const went = Reflect.apply(target, one, args);
        // What has not ended its line goes on in it.
        if (line && /\n$/.test(String(args[0]))) write(shortened());
        return went;
      },
    });
    return () => {
      one.write = original;
    };
  });
  return {
    show(text: string) {
      line = text;
      write(ERASE + shortened());
    },
    release() {
      if (line) write(ERASE);
      line = "";
      for (const undo of restore) undo();
    },
  };
}
