/** A change as it is shown: file by file, each with what copies its new lines. */

import type { ComponentChildren } from "preact";
import { CopyButton } from "../components/copy_button.tsx";
import { DiffBlock } from "../components/diff_block.tsx";
import type { PatchedFile } from "./patched_files.ts";

export const PatchView = ({ files, language }: { files: readonly PatchedFile[]; language: string }) =>
  files.map(({ file, hunks }) => (
    <WithCopy
      key={file}
      head={<h3>{file}</h3>}
      text={hunks.map(({ after }) => after).join("\n")}
      label="Copy the new lines"
    >
      {hunks.map((hunk) => (
        <DiffBlock key={hunk.from} {...hunk} language={language} />
      ))}
    </WithCopy>
  ));

interface WithCopyProps {
  head?: ComponentChildren;
  text: string;
  label: string;
  children: ComponentChildren;
}

/** The button stands in a line of its own: over code it would hide some. */
export const WithCopy = ({ head, text, label, children }: WithCopyProps) => (
  <div class="patched">
    <header>
      {head}
      <CopyButton text={text} label={label} />
    </header>
    {children}
  </div>
);
