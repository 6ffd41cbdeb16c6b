/** What mend has to know of a form in which tasks lie on this machine. One file a format or two; `formats.ts` lists them. */

import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Task } from "../../utils/task/task.ts";
import type { LeftOut } from "./admission.ts";
import type { Remark } from "./remarks.ts";

export interface ReadOptions {
  /** One line for a person. */
  log: (line: string) => void;
  /** Opens the sandbox in which a dataset's own solutions are tried, where it needs one. */
  openSandbox: () => Promise<Sandbox>;
  /** Also the cases that the dataset's own tests skip because they take long. */
  slow: boolean;
}

/** What a file or folder holds. */
export interface Contents {
  tasks: Task[];
  leftOut?: LeftOut[];
  remarks?: Remark[];
  /** True where the correct programs were seen to pass the hidden tests. Default: not seen. */
  hiddenTestsHold?: boolean;
}

export interface DatasetFormat {
  /** For messages, e.g. `a folder with QuixBugs`. */
  what: string;
  /** How the names of its files end; none for a folder. */
  extensions: readonly string[];
  /** Whether the folder at `path` has this form. Default: no folder has. */
  isFolder?(path: string): boolean;
  /** Whether its own tests skip cases that `slow` brings back. */
  hasSlowCases?: boolean;
  /** @throws UserError naming file, line or row, and field */
  read(path: string, options: ReadOptions): Promise<Contents>;
}
