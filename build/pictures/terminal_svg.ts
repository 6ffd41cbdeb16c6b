/**
 * A terminal as an animated SVG: what a command printed, line after line. It moves by CSS alone, and stands still for
 * who wants that.
 */

export interface Scene {
  /** What is typed, without the prompt. */
  command: string;
  /** What it printed, with the colours of a terminal (`ESC[31m` and the like) in it. */
  lines: readonly string[];
}

const COLUMNS = 100;
const FONTS = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';
/** On a dark page. */
const DARK = { red: "#ff8f85", green: "#6fdd8b", yellow: "#e3b341", cyan: "#79c0ff", dim: "#9198a1" };
const SIZE = { font: 14, column: 8.43, line: 20, margin: 18, bar: 30 };
/** Seconds: of the whole, of a typed letter, of an output's line, from a command's end to its first line. */
const TIME = { hold: 6, letter: 0.035, line: 0.35, think: 0.5 };

/** The colours that mend prints in, by their number, as names of classes. */
const CLASS: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  33: "yellow",
  36: "cyan",
};

/** Also for a reader that shows no pictures: `label` says what is seen. */
export function terminalSvg(label: string, scenes: readonly Scene[]): string {
  const rows: { text: string; isTyped: boolean; at: number; until: number }[] = [];
  let now = 0.4;
  for (const { command, lines } of scenes) {
    const typed = wrapped(`$ ${command}`);
    for (const text of typed) {
      const until = now + text.length * TIME.letter;
      rows.push({ text, isTyped: true, at: now, until });
      now = until;
    }
    now += TIME.think;
    for (const text of lines.flatMap(wrapped)) {
      rows.push({ text, isTyped: false, at: now, until: now });
      now += TIME.line;
    }
    now += TIME.think;
  }
  const total = now + TIME.hold;
  const width = Math.ceil(COLUMNS * SIZE.column + 2 * SIZE.margin);
  const height = SIZE.bar + rows.length * SIZE.line + SIZE.margin;
  const texts = rows.map(({ text, isTyped }, i) => {
    const y = SIZE.bar + (i + 1) * SIZE.line - 5;
    return (
      `<text class="row r${i}${isTyped ? " typed" : ""}" x="${SIZE.margin}" y="${y}" ` +
      `xml:space="preserve">${spans(text)}</text>`
    );
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
      `height="${height}" role="img" aria-label="${escaped(label)}">`,
    `<title>${escaped(label)}</title>`,
    `<style>\n${style(rows, total)}\n</style>`,
    `<rect class="screen" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map((i) => `<circle class="button" cx="${SIZE.margin + 2 + i * 18}" cy="16" r="5"/>`),
    ...texts,
    "</svg>",
  ].join("\n")}\n`;
}

/** The lines of a picture, as they were given to it. */
export const linesOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, inner = ""]) => unescaped(inner.replace(/<[^>]+>/g, "")));

/** The same from a scene. */
export const shownLines = ({ command, lines }: Scene): string[] =>
  [`$ ${command}`, ...lines].flatMap(wrapped).map((line) => line.replace(COLOUR, ""));

function style(rows: readonly { isTyped: boolean; at: number; until: number; text: string }[], total: number): string {
  const percent = (seconds: number) => `${((100 * seconds) / total).toFixed(2)}%`;
  const moves = rows.map(({ isTyped, at, until, text }, i) => {
    if (!isTyped) return `@keyframes k${i} { 0% { opacity: 0 } ${percent(at)}, 100% { opacity: 1 } }`;
    return (
      `@keyframes k${i} { 0%, ${percent(at)} { opacity: 1; clip-path: inset(-4px 100% -4px 0); ` +
      `animation-timing-function: steps(${text.length}) } ${percent(until)}, 100% { opacity: 1; clip-path: ` +
      "inset(-4px 0 -4px 0) } }"
    );
  });
  const dark = Object.entries(DARK).map(([name, colour]) => `.${name} { fill: ${colour} }`);
  return `text { font: ${SIZE.font}px ${FONTS}; fill: #1f2328 }
.screen { fill: #f6f8fa; stroke: #d1d9e0 } .button { fill: #d1d9e0 }
.red { fill: #b3261e } .green { fill: #116329 } .yellow { fill: #7d4e00 } .cyan { fill: #0b5c8a }
.dim { fill: #59636e } .bold, .typed { font-weight: bold }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .screen { fill: #0d1117; stroke: #3d444d } .button { fill: #3d444d }
  ${dark.join(" ")}
}
@media (prefers-reduced-motion: no-preference) {
  .row { animation: ${total.toFixed(1)}s step-end infinite }
${rows.map((_, i) => `  .r${i} { animation-name: k${i} }`).join("\n")}
}
${moves.join("\n")}`;
}

const ESCAPE = "\u001b";
const COLOUR = new RegExp(`${ESCAPE}\\[(\\d+)m`, "g");
const PART = new RegExp(`${ESCAPE}\\[(\\d+)m|\\s+|[^\\s${ESCAPE}]+`, "g");

/** Cut into rows of at most `COLUMNS`, at spaces where there are some; what follows is set in. Colours go on in it. */
function wrapped(line: string): string[] {
  const rows: string[] = [];
  let row = "";
  let length = 0;
  let colour = "";
  for (const [part, number] of line.matchAll(PART)) {
    if (number !== undefined) {
      colour = CLASS[number] === undefined ? "" : part;
      row += part;
      continue;
    }
    if (length + part.length > COLUMNS && length > 0) {
      rows.push(row);
      row = `${colour}    ${part.trimStart()}`;
      length = 4 + part.trimStart().length;
      continue;
    }
    row += part;
    length += part.length;
  }
  return [...rows, row];
}

function spans(line: string): string {
  let open = false;
  const close = () => (open ? "</tspan>" : "");
  const text = line.split(COLOUR).map((part, i) => {
    if (i % 2 === 0) return escaped(part);
    const before = close();
    const name = CLASS[part];
    open = name !== undefined;
    return open ? `${before}<tspan class="${name}">` : before;
  });
  return text.join("") + close();
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const unescaped = (text: string): string =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
