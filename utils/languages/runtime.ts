/** How a language other than Python is run, for the sandbox. */

export interface Runtime {
  /** Under this name a run's manifest holds its version. */
  id: string;
  /** As people write it. */
  title: string;
  version: string;
  /** @param memoryMb most that one of its processes may use */
  commands(memoryMb: number): RuntimeCommands;
}

/**
 * The commands start from nothing but their arguments: a job's user can read no file of ours, so programs go along as
 * text.
 */
export interface RuntimeCommands {
  /** Replaces the confined process. Its channel is descriptor 3. */
  candidate: string[];
  /** Replaces the confined process that runs the tests: job and verdict on descriptor 3, the candidate on 4. */
  judge: string[];
  /** The interpreter itself, which jobs must be able to read. */
  executable: string;
}
