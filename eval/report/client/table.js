/** The table of samples: sorted, filtered, walked with the keyboard. */

import { COLUMNS, linkTo, OUTCOME_NAMES, OUTCOMES } from "./columns.js";
import { h, show } from "./dom.js";
import { count } from "./format.js";
import { keyOf } from "./source.js";

/** @typedef {import("../page_data.ts").Row} Row */

export class SampleTable {
  filter = { outcome: "all", bugType: "", text: "" };
  sort = { column: 0, down: false };
  /** @type {Row[]} rows that pass the filter, in the order shown */
  shown = [];
  /** @type {string | null} */
  selected = null;
  /** @type {Row[]} */
  #rows = [];
  /** @type {Map<string, { row: Row, element: HTMLElement, text: string }>} */
  #elements = new Map();
  #body = h("tbody");
  #head = h("thead");
  #chips = h("div", { class: "chips", role: "group", "aria-label": "Outcome" });
  #types = h("select", { "aria-label": "Bug type", onchange: () => this.choose({ bugType: this.#types.value }) });
  #search = h("input", {
    type: "search",
    placeholder: "Filter tasks…  /",
    "aria-label": "Filter tasks",
    oninput: () => this.choose({ text: this.#search.value }),
  });
  #note = h("p", { class: "note", "aria-live": "polite" });
  #table = h("table", { class: "samples" }, this.#head, this.#body);
  element = h(
    "section",
    { class: "tasks", id: "tasks" },
    h("div", { class: "bar" }, h("h2", {}, "Tasks"), this.#search, this.#types, this.#chips),
    this.#note,
    this.#table,
  );
  /** @type {(row: Row) => void} */
  #open;

  /** @param {(row: Row) => void} open */
  constructor(open) {
    this.#open = open;
  }

  /** Takes new rows over; those that did not change keep their elements. @param {Row[]} rows */
  update(rows) {
    this.#rows = rows;
    this.#table.classList.toggle(
      "single",
      rows.every(({ attempt }) => attempt === 0),
    );
    this.#table.classList.toggle(
      "free",
      rows.every(({ costUsd }) => costUsd === null),
    );
    for (const row of rows) {
      const key = keyOf(row);
      if (this.#elements.get(key)?.row === row) continue;
      const cells = COLUMNS.map(([, , text, kind]) => h("td", { class: kind }, text(row)));
      const link = h("a", { href: linkTo(row), tabindex: -1 });
      link.append(...(cells[0]?.childNodes ?? []));
      cells[0]?.append(link);
      const element = h("tr", { onclick: () => this.#open(row) }, cells);
      this.#elements.set(key, {
        row,
        element,
        text: `${row.task} ${row.bugType} ${row.outcome} ${row.stop ?? ""} ${row.explanation}`.toLowerCase(),
      });
    }
    this.#draw();
  }

  /** @param {Partial<SampleTable["filter"]>} change */
  choose(change) {
    Object.assign(this.filter, change);
    this.#draw();
  }

  focusSearch() {
    this.#search.focus();
    this.#search.select();
  }

  /** Moves the selection and keeps it in view. @param {number} by */
  move(by) {
    const now = this.shown.findIndex((row) => keyOf(row) === this.selected);
    const next = this.shown[Math.max(0, Math.min(this.shown.length - 1, now === -1 ? 0 : now + by))];
    if (!next) return;
    this.select(next);
    this.#elements.get(keyOf(next))?.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {Row} row */
  select(row) {
    if (this.selected !== null) this.#elements.get(this.selected)?.element.classList.remove("selected");
    this.selected = keyOf(row);
    this.#elements.get(this.selected)?.element.classList.add("selected");
  }

  openSelected() {
    const row = this.shown.find((candidate) => keyOf(candidate) === this.selected);
    if (row) this.#open(row);
  }

  #draw() {
    const { outcome, bugType, text } = this.filter;
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (/** @type {Row} */ row) =>
      (bugType === "" || row.bugType === bugType) &&
      wanted.every((word) => this.#elements.get(keyOf(row))?.text.includes(word));
    const candidates = this.#rows.filter(matches);
    this.shown = candidates.filter(OUTCOMES[outcome] ?? (() => true)).sort(this.#order());
    this.#body.replaceChildren(...this.shown.flatMap((row) => this.#elements.get(keyOf(row))?.element ?? []));
    this.#drawHead();
    this.#drawFilters(candidates);
    this.#note.textContent =
      this.#rows.length === 0 ? "No sample is finished yet." : this.shown.length === 0 ? "No task matches." : "";
  }

  /** Unknown values last, whichever way. */
  #order() {
    const { column, down } = this.sort;
    const value = COLUMNS[column]?.[1] ?? (() => null);
    return (/** @type {Row} */ a, /** @type {Row} */ b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return Number(x === null) - Number(y === null);
      const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en");
      return (down ? -order : order) || a.index - b.index || a.attempt - b.attempt;
    };
  }

  #drawHead() {
    const cells = COLUMNS.map(([name, , , kind], column) => {
      const active = this.sort.column === column;
      const sort = () => {
        this.sort = { column, down: active ? !this.sort.down : kind.startsWith("number") };
        this.#draw();
      };
      const arrow = active ? (this.sort.down ? " ↓" : " ↑") : "";
      return h(
        "th",
        { class: kind, scope: "col", "aria-sort": active ? (this.sort.down ? "descending" : "ascending") : "none" },
        h("button", { type: "button", onclick: sort }, `${name}${arrow}`),
      );
    });
    show(this.#head, h("tr", {}, cells));
  }

  /** @param {Row[]} candidates rows that match everything but the outcome */
  #drawFilters(candidates) {
    const chips = Object.entries(OUTCOME_NAMES).map(([outcome, name]) => {
      const n = candidates.filter(OUTCOMES[outcome] ?? (() => true)).length;
      return h(
        "button",
        {
          type: "button",
          class: `chip ${outcome}`,
          "aria-pressed": String(this.filter.outcome === outcome),
          onclick: () => this.choose({ outcome }),
        },
        name,
        " ",
        h("span", { class: "count" }, count(n)),
      );
    });
    show(this.#chips, chips);
    const types = [...new Set(this.#rows.map(({ bugType }) => bugType))].sort();
    if (types.length + 1 !== this.#types.options.length) {
      show(
        this.#types,
        h("option", { value: "" }, "Every bug type"),
        types.map((type) => h("option", { value: type }, type)),
      );
    }
    this.#types.value = this.filter.bugType;
    if (this.#search.value !== this.filter.text) this.#search.value = this.filter.text;
  }
}
