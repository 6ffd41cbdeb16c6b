/** For tests: a sandbox that all of them use, and tests under each layer. */

import { describe } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { openSandbox } from "../sandbox.ts";
import type { Layer, Sandbox } from "../types.ts";

let shared: Promise<Sandbox> | undefined;

/**
 * The sandbox that all tests of this process share: opening one takes a fifth of a second, and so does its first job in
 * a language. It does not keep the process alive, and ends with it. Tests of a sandbox's lifecycle open their own.
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
