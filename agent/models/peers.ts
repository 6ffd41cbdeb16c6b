/** Processes that use the same model server for the same work. */
export interface Peers {
  /** Tells them that the server refused a request (HTTP 429) and asks to be left alone for so long, in milliseconds. */
  refused(waitMs: number): void;
  /** `hear` is called where one of them was refused. */
  onRefused(hear: (waitMs: number) => void): void;
  /** How many there are, this process counted. */
  count(): number;
}
