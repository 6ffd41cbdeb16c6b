/** A button that copies a text to the clipboard. */

import { useEffect, useState } from "preact/hooks";

/** Copies the text as it is, marks for unseen characters left out. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid("Copied"),
      () => setSaid("Not allowed here"),
    );
  return (
    <button class="copy" type="button" onClick={copy}>
      {said || label}
    </button>
  );
}
