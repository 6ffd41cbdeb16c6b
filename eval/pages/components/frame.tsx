/** What stands around every page: its head, the buttons for theme and keyboard, badges. */

import { type ComponentChild, type ComponentChildren, render } from "preact";
import { useRef } from "preact/hooks";
import { words } from "../../../utils/base/text/format.ts";
import { mark, tone } from "../browser/format.ts";
import { type Binding, nextTheme, useKeys } from "../browser/keys.ts";
import { showUnseenCharacters } from "../browser/visible.ts";

interface PageHeadProps {
  kicker: ComponentChildren;
  title: string;
  note?: ComponentChildren;
  /** Why the page does not follow what it shows; empty while it does. */
  trouble?: string;
  /** Shows what the keys do. */
  help(): void;
}

export const PageHead = ({ kicker, title, note, trouble, help }: PageHeadProps) => (
  <>
    <header class="run">
      <div>
        <p class="kicker">{kicker}</p>
        <h1>{title}</h1>
        {note && <p class="note">{note}</p>}
      </div>
      <div class="tools">
        <button type="button" title="Light or dark (t)" aria-label="Light or dark" onClick={nextTheme}>
          ◐
        </button>
        <button type="button" title="Keyboard (?)" aria-label="Keyboard" onClick={help}>
          ?
        </button>
      </div>
    </header>
    <div role="status">{trouble && <p class="notice trouble">{trouble}</p>}</div>
  </>
);

/** Binds the keys, `t` and `?` among them. @returns the dialog that lists them, and what opens it */
export function useKeyboard(bindings: readonly Binding[]): { dialog: ComponentChildren; help(): void } {
  const element = useRef<HTMLDialogElement>(null);
  const help = () => element.current?.showModal();
  const theme = { keys: ["t"], label: "t", text: "light or dark", run: nextTheme };
  const all = [...bindings, theme, { keys: ["?"], label: "?", text: "this help", run: help }];
  useKeys(all);
  const dialog = (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog ref={element} class="help" aria-label="Keyboard" onClick={() => element.current?.close()}>
      <h2>Keyboard</h2>
      <dl>
        {all.map(({ label, text }) => (
          <div key={label}>
            <dt>
              {label.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
  return { dialog, help };
}

/** Draws a page in its place. */
export function draw(page: ComponentChild): void {
  const place = document.getElementById("page");
  if (!place) return;
  showUnseenCharacters();
  place.replaceChildren();
  render(page, place);
}

/** How a sample ended, as a mark with its colour. */
export const Badge = ({ outcome }: { outcome: string }) => (
  <span class={`badge ${tone(outcome)}`}>
    <span aria-hidden="true">{mark(outcome)}</span> {words(outcome)}
  </span>
);
