/** A person's note about a sample: shown everywhere, and editable on a page that a server can save it for. */

import { useState } from "preact/hooks";

interface NoteProps {
  note: string;
  /** Absent on a page without a server. */
  keep?: ((note: string) => Promise<void>) | undefined;
}

export function Note({ note, keep }: NoteProps) {
  const [text, setText] = useState(note);
  const [said, setSaid] = useState("");
  if (!keep) {
    if (note === "") return null;
    return (
      <section class="noted">
        <h2>Note</h2>
        <p>{note}</p>
      </section>
    );
  }
  const save = () => {
    if (text === note) return;
    setSaid("Keeping…");
    keep(text).then(
      () => setSaid("Saved in the run's notes.json"),
      (error: unknown) => setSaid(`Not saved: ${error instanceof Error ? error.message : String(error)}`),
    );
  };
  return (
    <section class="noted">
      <h2>
        Note{" "}
        <span class="note" aria-live="polite">
          {said}
        </span>
      </h2>
      <textarea
        aria-label="Note about this task"
        placeholder="Your note about this task; it is kept with the run and shown in its report."
        rows={Math.min(8, Math.max(2, text.split("\n").length))}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={save}
      />
    </section>
  );
}
