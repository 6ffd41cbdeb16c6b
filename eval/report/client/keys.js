/** Keyboard: what each key does, and the help that lists them. */

import { h, show } from "./dom.js";

/** @typedef {{ keys: string[], label: string, text: string, run: () => void }} Binding */

/**
 * Binds keys of whichever page is shown. Keys pressed with Ctrl, Alt or Meta, or while typing, are left alone; Escape
 * leaves a field.
 * @param {() => Binding[]} bindings
 */
export function listenForKeys(bindings) {
  const dialog = h("dialog", { class: "help", "aria-label": "Keyboard", onclick: () => dialog.close() });
  document.body.append(dialog);
  const help = () => {
    const rows = [...bindings(), { label: "?", text: "this help" }].map(({ label, text }) =>
      h(
        "div",
        {},
        h(
          "dt",
          {},
          label.split(" ").map((key) => h("kbd", {}, key)),
        ),
        h("dd", {}, text),
      ),
    );
    show(dialog, h("h2", {}, "Keyboard"), h("dl", {}, rows));
    dialog.showModal();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || dialog.open) return;
    const target = event.target;
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
      if (event.key === "Escape" || (event.key === "Enter" && target instanceof HTMLInputElement)) target.blur();
      return;
    }
    if (event.key === "?") return help();
    if (event.key === "Enter" && target instanceof Element && target.closest("button, a, summary")) return;
    const binding = bindings().find(({ keys }) => keys.includes(event.key));
    if (!binding) return;
    event.preventDefault();
    binding.run();
  });
  return help;
}

/** Changes between what the system asks for, light and dark. */
export function nextTheme() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.style.colorScheme || (dark ? "dark" : "light");
  root.style.colorScheme = now === "dark" ? "light" : "dark";
}
