/** Where the page's data comes from: the page itself, or the server that follows a run. */

/** @typedef {import("../page_data.ts").PageData} PageData */
/** @typedef {import("../page_data.ts").Row} Row */
/** @typedef {import("../detail.ts").Detail} Detail */

/**
 * @typedef {object} Source
 * @property {PageData} data what is known so far
 * @property {(row: Row) => Promise<Detail>} detail
 * @property {(onChange: () => void, onConnection: (connected: boolean) => void) => void} follow
 */

/** @param {{ task: string, attempt: number }} sample */
export const keyOf = ({ task, attempt }) => `${task}#${attempt}`;

/** @param {string} id */
export const island = (id) => document.getElementById(id)?.textContent ?? "";

/** @returns {Source} */
export function openSource() {
  /** @type {PageData} */
  const data = JSON.parse(island("data"));
  return data.live ? liveSource(data) : builtInSource(data);
}

/** @param {PageData} data @returns {Source} */
function builtInSource(data) {
  /** @type {ReturnType<typeof unpack> | undefined} */
  let unpacked;
  const open = () => {
    unpacked ??= unpack(island("details"));
    return unpacked;
  };
  // Ready before the first task is opened, and after the page is drawn.
  setTimeout(open, 50);
  return {
    data,
    detail: async (row) => {
      const { blocks, values } = await open();
      return expand(values[keyOf(row)], blocks);
    },
    follow: () => {},
  };
}

/**
 * @param {string} base64
 * @returns {Promise<{ blocks: string[], values: Record<string, unknown> }>}
 */
async function unpack(base64) {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/**
 * Puts texts together from their blocks, see pack.ts.
 * @param {any} value
 * @param {string[]} blocks
 * @returns {any}
 */
function expand(value, blocks) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expand(item, blocks));
  if (!Array.isArray(value["="]))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(item, blocks)]));
  let text = "";
  for (let i = 0; i < value["="].length; i += 2) {
    const [first, length] = [value["="][i], value["="][i + 1]];
    text += blocks.slice(first, first + length).join("");
  }
  return text;
}

/** @param {PageData} data @returns {Source} */
function liveSource(data) {
  return {
    data,
    detail: async ({ task, attempt }) => {
      const answer = await fetch(`detail?task=${encodeURIComponent(task)}&attempt=${attempt}`);
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      return answer.json();
    },
    follow: (onChange, onConnection) => {
      const events = new EventSource("events");
      events.onopen = () => onConnection(true);
      events.onerror = () => onConnection(false);
      events.onmessage = ({ data: text }) => {
        const { overview, rows } = JSON.parse(text);
        const known = new Map(data.rows.map((row) => [keyOf(row), row]));
        for (const row of rows) known.set(keyOf(row), row);
        data.rows = [...known.values()].sort((a, b) => a.index - b.index || a.attempt - b.attempt);
        data.overview = overview;
        onChange();
      };
    },
  };
}
