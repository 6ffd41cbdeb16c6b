/** What a page shows, kept in its address: `#/TASK/ATTEMPT?outcome=failed&sort=-turns`. A reload and a link keep it. */

import { useLayoutEffect, useState } from "preact/hooks";

export interface Place {
  /** "" for the list. */
  path: string;
  query: Readonly<Record<string, string>>;
}

export interface Address extends Place {
  /** Changes values of the query; an empty one is left out. The page's history does not grow. */
  set(change: Record<string, string>): void;
  /** Goes to another place with the same query. */
  go(path: string): void;
  link(path: string): string;
  /** The address of this place with other values of the query. */
  linkWith(change: Record<string, string>): string;
}

/** A text as a part of an address. Half a surrogate pair has none, and becomes U+FFFD. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Milliseconds after the last change: a browser refuses a page that rewrites its address at every key. */
const WRITE_DELAY_MS = 150;

function readPlace(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#/, "").split("?", 2);
  return { path, query: Object.fromEntries(new URLSearchParams(query)) };
}

function fragment({ path, query }: Place): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return path === "" && text === "" ? "" : `#${path}${text === "" ? "" : `?${text}`}`;
}

const whole = (place: Place) => fragment(place) || location.pathname + location.search;

let place = readPlace();
let writing: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: Place): void {
  place = next;
  for (const listener of listeners) listener();
}

function write(): void {
  clearTimeout(writing);
  writing = undefined;
  history.replaceState(null, "", whole(place));
}

function set(values: Record<string, string>): void {
  change({ ...place, query: { ...place.query, ...values } });
  clearTimeout(writing);
  writing = setTimeout(write, WRITE_DELAY_MS);
}

function go(path: string): void {
  if (path === place.path) return;
  if (writing !== undefined) write();
  // A turn is one of the place that is left.
  const next = { path, query: { ...place.query, turn: "" } };
  history.pushState(null, "", whole(next));
  change(next);
}

for (const event of ["hashchange", "popstate"]) addEventListener(event, () => change(readPlace()));

export function useAddress(): Address {
  const [now, setNow] = useState(place);
  useLayoutEffect(() => {
    const listener = () => setNow(place);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return {
    ...now,
    set,
    go,
    link: (path) => fragment({ path, query: { ...now.query, turn: "" } }) || "#",
    linkWith: (values) => fragment({ ...now, query: { ...now.query, ...values } }) || "#",
  };
}
