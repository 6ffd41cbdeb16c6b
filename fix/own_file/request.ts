/** What is asked of a repair of a file, and what it is given. */

import type { Model } from "../../agent/models/model.ts";
import type { Progress } from "../../agent/models/progress.ts";
import type { Step } from "../../agent/run/trajectory.ts";
import type { CommandBox } from "../../utils/sandbox/command_box.ts";
import type { Sandbox } from "../../utils/sandbox/types.ts";
import type { Ask } from "./ask.ts";

export interface OwnFileRequest {
  file: string;
  /** A top-level function, class or `Class.method`. Default: those that failing tests point to, one after the other. */
  name?: string | undefined;
  /** A file of tests. Default: the one that belongs to the file by its name. */
  tests?: string | undefined;
  /** The user's own command, run in the project's folder. Default: what the tests' framework is started with. */
  testCommand?: string | undefined;
  instruction?: string | undefined;
  evenIfPassing?: boolean;
  write?: boolean;
  /** Of several edits that pass and differ the one with this number, from 1. */
  choose?: number | undefined;
  /** Processor time of one run of the tests, in seconds. */
  testSeconds: number;
  /** Processor time for all searches together. Default: as much as they take. */
  searchSeconds?: number | undefined;
  /** Spec of the model that tries where the first finds nothing. */
  fallback?: string | undefined;
  tools?: readonly string[] | undefined;
  maxIterations: number;
  /** Wall-clock limit of each model's repair in milliseconds. */
  timeoutMs: number;
}

export type AskedModel = Pick<Model, "name" | "kind" | "chat">;

export interface OwnFileParts {
  /** Called where a model is needed, and not before. The caller closes what it opened. */
  openModel: () => Promise<AskedModel>;
  /** The same for the sandbox of `code_interpreter`. */
  openSandbox: () => Promise<Sandbox>;
  /** What runs the tests. */
  openBox: () => Promise<CommandBox>;
  /** Where several edits pass and do different things: who says which is right. */
  ask?: Ask;
  /** One line for a person. */
  say?: (line: string) => void;
  onStep?: (step: Step) => void;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}
