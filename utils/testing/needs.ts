/** For tests: what a machine may lack. A test that needs it skips, and says what is missing. */

import { messageOf } from "../base/data/errors.ts";
import { findPython, findSharedPython } from "../base/host/python.ts";
import { uvProgram } from "../project/packages/python/uv.ts";
import { hasPackage } from "../project/python_environment.ts";
import { openCommandBox } from "../sandbox/command/command_box.ts";
import { type BoxLayer, LAYERS, type Layer } from "../sandbox/types.ts";

/** Why tests of projects cannot use a package of Python under a layer; empty where they can. */
export async function missingPackage(name: string, layer: BoxLayer): Promise<string> {
  const found = await findPython();
  const python = layer === "bwrap" ? found : await findSharedPython(found);
  return (await hasPackage(python, name)) ? "" : `${python.executable} has no ${name}`;
}

/** Whether the tests of a file can run pytest. Where they cannot, a line on stderr says so. */
export async function hasPytest(): Promise<boolean> {
  const missing = await missingPackage("pytest", (await openCommandBox()).layer);
  if (missing) console.warn(`skipped: ${missing}: sudo apt install python3-pytest`);
  return missing === "";
}

/** The layers under which commands can be run here. A line on stderr says why another one cannot be used. */
export async function workingLayers(): Promise<Layer[]> {
  const works = await Promise.all(
    LAYERS.map((layer) =>
      openCommandBox({ layer }).then(
        () => true,
        (error) => console.warn(`skipped under ${layer}: ${messageOf(error)}`),
      ),
    ),
  );
  return LAYERS.filter((_, i) => works[i]);
}

/** Whether environments of Python can be made here. Where they cannot, a line on stderr says so. */
export async function hasUv(): Promise<boolean> {
  const { layer } = await openCommandBox();
  try {
    uvProgram();
    if (layer === "bwrap") return true;
    console.warn("skipped: environments of Python need bubblewrap: sudo apt install bubblewrap");
  } catch (error) {
    console.warn(`skipped: ${messageOf(error)}`);
  }
  return false;
}
