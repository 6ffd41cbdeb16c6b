/** What mend has to know of a benchmark: a file says it, and its row in `table.ts` makes it known. */

import type { CommandBox } from "../../utils/sandbox/command/command_box.ts";
import type { Engine } from "../../utils/sandbox/container/engine.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Task } from "../../utils/task/task.ts";
import type { Benchmark, BenchmarkTask } from "./benchmark.ts";
import type { Remark } from "./remarks.ts";

/** For people who choose one: each is a few words. */
interface About {
  /** What a task is. */
  task: string;
  size: string;
  /** What is shown of a task, under the protocol that is the default. */
  shown: string;
  /** What an answer is scored by. */
  scores: string;
  licence: string;
  /** Where the data comes from. */
  source: string;
  /** What names it for `--dataset`. */
  dataset: string;
  /** How much of it is on this machine without being named; null: nothing. Default: nothing can be. */
  here?(): Promise<string | null>;
}

/** How data is known, by what it holds. */
interface DataSignature {
  /** Fields that all its rows have and no others. Absent if it is not a file of rows. */
  fields?: readonly (readonly string[])[];
  /** Whether a folder, or a file of another kind, holds it; for messages, what that is. */
  place?: { what: string; is(path: string): boolean };
}

export interface ReadOptions {
  /** One line for a person. */
  log: (line: string) => void;
  /** Opens the sandbox in which a dataset's own solutions are tried, where it needs one. */
  openSandbox: () => Promise<Sandbox>;
  /** Also the cases that the dataset's own tests skip because they take long. */
  slow: boolean;
  /** Only what was published after this day, e.g. `2024-08-31`. */
  after?: string | undefined;
}

/** What a file or folder of functions holds. */
export interface Contents {
  tasks: Task[];
  remarks: Remark[];
  /** Ids of all its rows in their order, of those left out too. Default: those of its tasks. */
  order?: readonly string[];
  /** True where the correct programs were seen to pass the hidden tests. Default: not seen. */
  hiddenTestsHold?: boolean;
  /** What is shown of a task, where that is other than of functions to repair. */
  shown?: string;
  /** True where hidden tests are data rather than text that a model could be shown. */
  hiddenTestsAreData?: boolean;
}

export interface OpenOptions {
  protocol?: string | undefined;
  /** Where the repositories of its rows are. */
  repositories?: string | undefined;
  /** Installs what tests need and is not there. */
  prepare: boolean;
  /** Interpreter of the tests of a repository or an exercise. */
  python?: string | undefined;
  /** How many answers are tried, see `FolderAssignment`; for rows that have `hasTries` alone. */
  tries?: number | undefined;
  openBox: () => Promise<CommandBox>;
  /** Docker or Podman. Default: the first that works. @throws UserError where none does */
  openEngine?: () => Promise<Engine>;
  /** Names the container image of a task, with `{instance_id}` in the place of its id. */
  image?: string | undefined;
  log: (line: string) => void;
}

/** What the machine that unpacks tasks brings itself. */
export type UnpackOptions = Pick<OpenOptions, "repositories" | "prepare" | "python" | "openBox" | "log">;

/** Makes tasks of the parcels of one run. */
export interface Unpacker {
  /**
   * Why it cannot here, of what the tasks of the run need; null where it can. Absent: there is nothing that they need.
   */
  lacks?(needs: readonly unknown[]): string | null;
  /** @throws Error where the data are none of its own */
  task(data: unknown): Promise<BenchmarkTask>;
  close?(): void;
}

interface Row {
  /** As `--format` names it. */
  name: string;
  about: About;
  known: DataSignature;
  /** Whether its own tests skip cases that `slow` brings back. */
  hasSlowCases?: boolean;
  /** Whether its rows say when they were published, so that `after` can choose among them. */
  hasDates?: boolean;
  /** Whether several answers to a task may be tried, each told what failed before. */
  hasTries?: boolean;
}

/** Its tasks are functions, so that all that is known of functions works with them. */
export interface FunctionsRow extends Row {
  /** A row that is of no use has a remark. @throws UserError if nothing can be read */
  read(path: string, options: ReadOptions): Promise<Contents>;
}

/** Its tasks are something else. */
export interface OtherRow extends Row {
  /** @throws UserError where it cannot be read or lacks something */
  open(path: string, options: OpenOptions): Promise<Benchmark>;
  /**
   * What makes its tasks of their parcels, on another machine. Absent: its tasks do not travel.
   * @throws UserError where that machine's own repositories cannot be read
   */
  unpacker?(options: UnpackOptions): Promise<Unpacker>;
}

export type BenchmarkRow = FunctionsRow | OtherRow;
