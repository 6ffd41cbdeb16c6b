/** Buttons that give something away: to the clipboard, or as a file. */

import { useEffect, useState } from "preact/hooks";
import { type Field, toCsv } from "../browser/fields.ts";

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

interface CsvProps<Row> {
  name: string;
  rows: readonly Row[];
  fields: readonly Field<Row>[];
}

/** Saves the rows that are shown. */
export function CsvButton<Row>({ name, rows, fields }: CsvProps<Row>) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([toCsv(rows, fields)], { type: "text/csv" }));
    link.download = `${name}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <button class="chip csv" type="button" title="Save what is shown as a CSV file" onClick={save}>
      CSV
    </button>
  );
}
