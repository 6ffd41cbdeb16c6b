/** For tests: a sandbox that is closed when the tests of the file are done, and tests under each layer. */

import { afterAll, describe } from "vitest";
import { DEEP } from "../../testing/repeats.ts";
import { openSandbox } from "../sandbox.ts";
import type { Layer, Sandbox, SandboxOptions } from "../types.ts";

export async function openForTests(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await openSandbox(options);
  afterAll(() => sandbox.close());
  return sandbox;
}

/** The same tests under several layers. @param best the layer of `npm test`; those of the others are deep */
export function describeLayers(
  name: string,
  { layers, best }: { layers: readonly Layer[]; best: Layer | undefined },
  tests: (layer: Layer) => void,
): void {
  for (const layer of layers) describe(`${name}, ${layer}`, layer === best ? {} : DEEP, () => tests(layer));
}
