/** HTML as text: whatever comes from a model or an agent is escaped on its way in. */

import { escapeHtml } from "../../report/document.ts";

/** Markup that is safe to put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | readonly Html[];

/** A template whose values are escaped unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...values: readonly Part[]): Html =>
  new Html(strings.map((text, i) => text + (i < values.length ? render(values[i] ?? null) : "")).join(""));

function render(value: Part): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map(({ text }) => text).join("\n");
  return escapeHtml(String(value));
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
export const seconds = (value: number): string =>
  value < 90 ? `${value.toFixed(1)} s` : `${(value / 60).toFixed(1)} min`;
