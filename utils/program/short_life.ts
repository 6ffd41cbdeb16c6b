/** V8 in a process that ends before what V8 prepares for pays off. */

import { setFlagsFromString } from "node:v8";

/** How V8 is set, and how it was. */
const SHORT: readonly [flag: string, usual: string][] = [
  // Code that is optimised on threads beside this one runs but a few times more.
  ["--no-opt", "--opt"],
  // The place for new objects grows at once: each collection of garbage there copies nearly all that was loaded.
  ["--semi-space-growth-factor=16", "--semi-space-growth-factor=2"],
];

/**
 * Makes what is left of this process cheaper where that is about a second: to be called once most is loaded, as code
 * that was compiled ahead, Node's own too, is refused under other flags. They are put back before what this process
 * compiled is kept.
 */
export function expectShortLife(): void {
  for (const [flag] of SHORT) setFlagsFromString(flag);
  process.prependOnceListener("exit", () => {
    for (const [, usual] of SHORT) setFlagsFromString(usual);
  });
}
