/** Keyboard: what each key does. */

import { useLayoutEffect, useRef } from "preact/hooks";

export interface Binding {
  keys: string[];
  label: string;
  text: string;
  run(): void;
}

/**
 * Binds keys of whichever page is shown. Keys pressed with Ctrl, Alt or Meta, or while typing, are left alone; Escape
 * leaves a field.
 */
export function useKeys(bindings: readonly Binding[]): void {
  const current = useRef(bindings);
  current.current = bindings;
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => press(event, current.current);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}

function press(event: KeyboardEvent, bindings: readonly Binding[]): void {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const target = event.target;
  const isTick = target instanceof HTMLInputElement && target.type === "checkbox";
  if (
    (target instanceof HTMLInputElement && !isTick) ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  ) {
    if (event.key === "Escape" || (event.key === "Enter" && target instanceof HTMLInputElement)) target.blur();
    return;
  }
  if (event.key === "Enter" && target instanceof Element && target.closest("button, a, summary")) return;
  const binding = bindings.find(({ keys }) => keys.includes(event.key));
  if (!binding) return;
  event.preventDefault();
  binding.run();
}

/** Changes between what the system asks for, light and dark. */
export function nextTheme(): void {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = root.style.colorScheme || (dark ? "dark" : "light");
  root.style.colorScheme = now === "dark" ? "light" : "dark";
}
