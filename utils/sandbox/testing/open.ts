/** For tests: a sandbox that all of them use, and tests under each layer. */

import { describe } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { openSandbox } from "../sandbox.ts";
import type { Layer, Sandbox } from "../types.ts";

let shared: Promise<Sandbox> | undefined;

/**
 * The sandbox of this process: to open one, and its first job of a language, cost a fifth of a second each. It keeps no
 * process alive and ends with it; nobody closes it. A test of a sandbox's own life opens one of its own.
 */
export function openForTests(): Promise<Sandbox> {
  shared ??= openSandbox();
  return shared;
}

/** The same tests under several layers. @param best the layer of `npm test`; those of the others are deep */
export function describeLayers(
  name: string,
  { layers, best }: { layers: readonly Layer[]; best: Layer | undefined },
  tests: (layer: Layer) => void,
): void {
  for (const layer of layers) describe(`${name}, ${layer}`, layer === best ? {} : DEEP, () => tests(layer));
}
