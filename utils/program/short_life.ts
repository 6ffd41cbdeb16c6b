/** V8 in a process that ends before what V8 prepares for pays off. */

import { setFlagsFromString } from "node:v8";

/** How V8 is set, and how it was. */
const SHORT: readonly [flag: string, usual: string][] = [
  // Code that is optimised on threads beside this one runs but a few times more.
  ["--no-opt", "--opt"],
  // The place for new objects grows at once: each collection of garbage there copies nearly all that was loaded.
  ["--semi-space-growth-factor=16", "--semi-space-growth-factor=2"],
];

/** After so much processor time a life is not short: a local model, or a search in a big program, runs as ever. */
const SHORT_LIFE_MS = 2_000;

/**
 * Makes what is left of this process cheaper where that is about a second: to be called once most is loaded, as code
 * that was compiled ahead, Node's own too, is refused under other flags. They are put back once it has used
 * more than `mostMs` of processor time, however long it waited, and before what this process compiled is kept.
 */
export function expectShortLife(mostMs = SHORT_LIFE_MS): void {
  for (const [flag] of SHORT) setFlagsFromString(flag);
  const asUsual = () => {
    for (const [, usual] of SHORT) setFlagsFromString(usual);
  };
  const look = () => {
    const { user, system } = process.cpuUsage();
    if (user + system > 1000 * mostMs) asUsual();
    else setTimeout(look, mostMs).unref();
  };
  setTimeout(look, mostMs).unref();
  process.prependOnceListener("exit", asUsual);
}
